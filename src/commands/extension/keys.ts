// The key of a publisher, in a file of theirs.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifestFile } from '#site/packages/manifest.ts';
import { type KeyPair, makeKeys, publicKeyOf } from '#site/packages/signature.ts';
import { Failed } from '../command.ts';
import { readIfThere, writeNew } from './files.ts';

/** Nothing, when there is no such file. */
export function keysIn(file: string): KeyPair | undefined {
  const privateKey = readIfThere(file)?.toString('utf8');
  if (privateKey === undefined) return undefined;
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Failed(`The private key in ${file} can be read by others; run "chmod 600 ${file}".`);
  try {
    return { privateKey, publicKey: publicKeyOf(privateKey) };
  } catch {
    throw new Failed(`${file} holds no private key of Ed25519; name another file, and one is made there.`);
  }
}

/** What lies in the folder of an extension is packed, published and shared sooner or later. */
export function refuseAmongFiles(file: string): void {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, manifestFile)))
      throw new Failed(
        `${folder} is the folder of an extension, and no place for a private key; name a file outside it, such as ~/publisher.key.`,
      );
}

export function newKeys(file: string): KeyPair {
  const keys = makeKeys();
  writeNew(file, keys.privateKey, 0o600);
  return keys;
}

export const aboutNewKeys = (file: string): readonly string[] => [
  `A new pair of keys was made, for there was none in ${file}.`,
  '  That file holds the private half. Keep it to yourself, and a copy of it in a safe place: whoever has it decides what your',
  '  sites may install, and without it nothing more can be signed.',
  '  The public half below goes to every site, as GATEHOUSE_CATALOGUE_KEY.',
];

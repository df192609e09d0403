// What a publisher keeps for themselves, and might have beside an extension: a private key never goes into a package.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidPackage } from './manifest.ts';

/** At the beginning of a line, where a program that only speaks of keys does not have it. */
const privateKey = /^[ \t]{0,20}-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/m;

/** Of any kind: none is for others. */
export const isNamedAsKey = (name: string): boolean => /\.key$/i.test(name);

/** Throws where one of these files holds a private key. */
export async function refuseKeys(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if (privateKey.test(await readFile(join(folder, path), 'latin1')))
      throw invalidPackage(
        `${path} holds a private key, which a package would give to everybody. Please put it into another folder.`,
      );
}

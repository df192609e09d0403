// A package as the catalogue promises it: so many bytes, of this hash, signed by whoever signed the catalogue.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { refusing } from '../outgoing/outgoing.ts';
import type { Listed } from './catalogue-entry.ts';
import { onDisk } from './keeping.ts';
import type { ExtensionsNeeds } from './needs.ts';
import { isPackageSigned } from './signature.ts';

type Needs = Pick<ExtensionsNeeds, 'outgoing' | 'operator'>;

/** Puts it into this file. Whatever is not as promised is refused. */
export async function download({ outgoing, operator }: Needs, entry: Listed, into: string): Promise<void> {
  const body = await bodyOf(entry, outgoing).catch(refusing('download_failed'));
  const handle = await onDisk(open(into, 'wx', 0o600));
  const { size, sha256 } = await poured(body, handle, entry.size)
    .catch(refusing('download_failed'))
    .finally(() => handle.close());
  if (size !== entry.size) throw failed(`The package of ${entry.slug} has not the size that the catalogue says.`);
  if (sha256 !== entry.sha256) throw forged(`The package of ${entry.slug} is not the one that the catalogue says.`);
  if (!isPackageSigned(entry, entry.signature, operator.catalogueKey ?? ''))
    throw forged(`The package of ${entry.slug} is not signed by the publisher of the catalogue.`);
}

async function bodyOf({ source, size }: Listed, outgoing: Needs['outgoing']): Promise<AsyncIterable<Uint8Array>> {
  if (source.kind === 'file') return localFile(source.path);
  const purpose = { name: 'extension', types: ['*'], most: size, within: minute };
  return (await outgoing.fetch(source.url, purpose)).body;
}

async function* localFile(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (cause) {
    throw failed('The package that lies beside the catalogue cannot be read.', cause);
  }
}

async function poured(body: AsyncIterable<Uint8Array>, handle: FileHandle, most: number) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > most) break;
    hash.update(piece);
    await onDisk(handle.writeFile(piece));
  }
  await onDisk(handle.sync());
  return { size, sha256: hash.digest('hex') };
}

const failed = (why: string, cause?: unknown): Problem => new Problem(502, 'download_failed', why, {}, { cause });
const forged = (why: string): Problem => new Problem(422, 'integrity_failed', why);

// Files beside the others, under a prefix that nobody lists. They are copied to their places by the store itself.
import { eachAtOnce } from '#lib/at-once.ts';
import type { Aside, Entry } from '../files.ts';
import { filePath, unfinished } from '../path.ts';
import { addressOf, type Bucket } from './address.ts';
import { away } from './faults.ts';
import { listing } from './listing.ts';
import { opened } from './reading.ts';
import type { Patience } from './wire.ts';
import { put, type Store } from './writing.ts';

const atOnce = 8;
/** The store copies nothing longer. */
export const longestCopy = 5 * 1024 ** 3;

export function createAside(bucket: Bucket, store: Store, name: string, pause: Patience['pause']): Aside {
  const prefix = [bucket.prefix, unfinished, name].filter((part) => part !== '').join('/');
  const beside: Store = { ...store, address: addressOf({ ...bucket, prefix }) };
  const list = () => listing(beside, '');
  return {
    isThere: async () => !(await list().next()).done,
    put: async (path, body) => void (await put(beside, filePath(path), body)),
    list,
    place: () => eachAtOnce(list(), atOnce, (entry) => place(beside, store, entry, pause)),
    clear: () => eachAtOnce(list(), atOnce, ({ path }) => erased(beside, path)),
  };
}

async function place(from: Store, to: Store, { path, size }: Entry, pause: Patience['pause']): Promise<void> {
  if (size <= longestCopy) return copied(to, from.address.source(path), path);
  const found = await opened(from, path, undefined, pause);
  if (found === undefined) throw away(`${from.wire.place} lost a file that was put there`);
  await put(to, path, found.stream);
}

export async function copied({ wire, address }: Store, source: string, path: string): Promise<void> {
  await wire.told({ method: 'PUT', url: address.file(path), headers: { 'x-amz-copy-source': source }, long: true });
}

/** A store answers the same whether there was anything. */
export async function erased({ wire, address }: Store, path: string): Promise<void> {
  await wire.told({ method: 'DELETE', url: address.file(path), takes: [404] });
}

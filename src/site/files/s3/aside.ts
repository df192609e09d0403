// Files beside the others, under a prefix that nobody lists. They are copied to their places by the store itself.
import { forEachConcurrently } from '#lib/concurrency.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Aside, type Entry, filePath, isFilePath, unfinished } from '../files.ts';
import { addressOf, type Bucket } from './address.ts';
import { away } from './faults.ts';
import { listing } from './listing.ts';
import { opened } from './reading.ts';
import type { Patience } from './wire.ts';
import { put, type Store } from './writing.ts';

const atOnce = 8;
/** The store copies nothing longer. */
export const longestCopy = 5 * 1024 ** 3;

const day = 24 * 60 * 60 * 1000;

interface AsideOptions {
  readonly now: Clock;
  readonly pause: Patience['pause'];
}

export function createAside(bucket: Bucket, store: Store, name: string, { now, pause }: AsideOptions): Aside {
  const under = (...parts: string[]): Store => {
    const prefix = [bucket.prefix, unfinished, ...parts].filter((part) => part !== '').join('/');
    return { ...store, address: addressOf({ ...bucket, prefix }) };
  };
  const beside = under(name);
  const list = () => listing(beside, '');
  return {
    where: `${store.wire.place} under ${beside.address.prefix}`,
    put: async (path, body) => void (await put(beside, filePath(path), body)),
    list,
    blocked: async () => undefined, // a key is in the way of no other
    place: async (kept) => {
      let count = 0;
      await forEachConcurrently(list(), atOnce, async (entry) => {
        if (kept && (await markOf(store, entry.path)) !== undefined) return kept(entry.path);
        await place(beside, store, entry, pause);
        count += 1;
      });
      return count;
    },
    clear: () => cleared(under(), name, now),
  };
}

/** With what others of any name left behind: nobody else comes back for it. */
async function cleared(all: Store, name: string, now: Clock): Promise<void> {
  const old = now().getTime() - day;
  await forEachConcurrently(listing(all, '', isPutAside), atOnce, async ({ path, modified }) => {
    if (path.startsWith(`${name}/`) || modified.getTime() < old) await erased(all, path);
  });
}

/** A name, and under it a path that may be as long as any. */
function isPutAside(text: string): boolean {
  const [name = '', ...path] = text.split('/');
  return isFilePath(name) && isFilePath(path.join('/'));
}

async function place(from: Store, to: Store, { path, size }: Entry, pause: Patience['pause']): Promise<void> {
  if (size <= longestCopy) return copied(from, path, to, path);
  const found = await opened(from, path, undefined, pause);
  if (found === undefined) throw away(`${from.wire.place} lost a file that was stored there`);
  await put(to, path, found.stream);
}

/** What was copied is erased next, so the store has to say that it copied, or to have the same in both places. */
export async function copied(from: Store, source: string, to: Store, path: string): Promise<void> {
  const { wire, address } = to;
  const headers = { 'x-amz-copy-source': from.address.source(source) };
  const { text } = await wire.told({ method: 'PUT', url: address.file(path), headers, long: true });
  if (/<CopyObjectResult[\s>]/.test(text)) return;
  const there = await markOf(to, path);
  if (there !== undefined && there === (await markOf(from, source))) return;
  throw away(`${wire.place} does not confirm that it copied a file`);
}

/** Length and tag, for either alone may be that of another file; nothing when there is none. */
async function markOf({ wire, address }: Store, path: string): Promise<string | undefined> {
  const { status, headers } = await wire.told({ method: 'HEAD', url: address.file(path), takes: [404] });
  if (status === 404) return undefined;
  const { etag, 'content-length': length } = headers;
  if (!etag || !length) throw away(`${wire.place} gives no details of an existing file`);
  return `${length} ${etag}`;
}

/** A store answers the same whether there was anything. */
export async function erased({ wire, address }: Store, path: string): Promise<void> {
  await wire.told({ method: 'DELETE', url: address.file(path), takes: [404] });
}

import { type Entry, isFilePath } from '../files.ts';
import { away } from './faults.ts';
import { elements, field } from './wire.ts';
import type { Store } from './writing.ts';

/** So many pages in a row may hold nothing, which happens where much was erased. */
const mostEmpty = 100;

type Takes = (path: string) => boolean;

/** A thousand at a time. Stores list by the bytes of the whole name, which is the order we promise; one that does not is no use to us. */
export async function* listing(store: Store, folder: string, takes: Takes = isFilePath): AsyncGenerator<Entry> {
  let from: string | undefined;
  let empty = 0;
  let last: string | undefined;
  do {
    const page = await pageOf(store, folder, from, takes);
    for (const entry of page.entries) {
      if (last !== undefined && !isBefore(last, entry.path))
        throw away(`${store.wire.place} does not list its files sorted by name`);
      last = entry.path;
      yield entry;
    }
    empty = page.isEmpty ? empty + 1 : 0;
    if (page.next !== undefined && (page.next === from || empty > mostEmpty))
      throw away(`${store.wire.place} lists the same files again`);
    from = page.next;
  } while (from !== undefined);
}

const isBefore = (one: string, other: string): boolean => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;

interface Page {
  readonly entries: readonly Entry[];
  /** Of anybody's files. */
  readonly isEmpty: boolean;
  readonly next?: string | undefined;
}

async function pageOf({ wire, address }: Store, folder: string, from: string | undefined, takes: Takes): Promise<Page> {
  const query = {
    'list-type': 2,
    'encoding-type': 'url',
    prefix: address.prefix + folder,
    ...(from !== undefined && { 'continuation-token': from }),
  };
  const { text } = await wire.told({ method: 'GET', url: address.bucket(query) });
  const page = read(text, address.prefix, takes);
  // A page of something else, taken for a list, would be an empty one.
  if (page === undefined) throw away(`${wire.place} answers with something other than a list of files`);
  return page;
}

function read(text: string, prefix: string, takes: Takes): Page | undefined {
  const isEncoded = field(text, 'EncodingType') === 'url';
  const isMore = field(text, 'IsTruncated');
  const next = isMore === 'true' ? field(text, 'NextContinuationToken') : undefined;
  if (!/<ListBucketResult[\s>]/.test(text) || (isMore === 'true') !== (next !== undefined)) return undefined;
  const entries: Entry[] = [];
  for (const element of elements(text, 'Contents')) {
    const name = field(element, 'Key') ?? '';
    const path = (isEncoded ? decoded(name) : name)?.slice(prefix.length);
    const entry =
      path === undefined ? undefined : entryOf(path, field(element, 'Size'), field(element, 'LastModified'));
    if (entry === undefined) return undefined;
    // What other programs put there, and what no path can name, is none of ours.
    if (takes(entry.path)) entries.push(entry);
  }
  return { entries, isEmpty: !text.includes('<Contents>'), next };
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** To the second, which is all that is said of a single file. Nothing when it makes no sense. */
export function entryOf(path: string, size: unknown, modified: unknown): Entry | undefined {
  const seconds = Math.floor(Date.parse(String(modified)) / 1000);
  const isSound = /^\d{1,15}$/.test(String(size)) && !Number.isNaN(seconds);
  return isSound ? { path, size: Number(size), modified: new Date(seconds * 1000) } : undefined;
}

/** That the bucket is there and the key opens it. */
export async function ping({ wire, address }: Store): Promise<void> {
  const query = { 'list-type': 2, 'max-keys': 1, prefix: address.prefix };
  await wire.told({ method: 'GET', url: address.bucket(query) });
}

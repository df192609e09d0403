import type { Entry } from '../files.ts';
import { isFilePath } from '../path.ts';
import { away } from './faults.ts';
import type { Store } from './writing.ts';
import { elements, field } from './xml.ts';

/** A thousand at a time. Stores list by the bytes of the whole name, which is the order we promise. */
export async function* listing(store: Store, folder: string): AsyncGenerator<Entry> {
  let from: string | undefined;
  do {
    const page = await pageOf(store, folder, from);
    yield* page.entries;
    if (page.next !== undefined && page.next === from)
      throw away(`${store.wire.place} lists the same files again and again`);
    from = page.next;
  } while (from !== undefined);
}

async function pageOf({ wire, address }: Store, folder: string, from: string | undefined) {
  const query = {
    'list-type': 2,
    'encoding-type': 'url',
    prefix: address.prefix + folder,
    ...(from !== undefined && { 'continuation-token': from }),
  };
  const { text } = await wire.told({ method: 'GET', url: address.bucket(query) });
  const isEncoded = field(text, 'EncodingType') === 'url';
  const entries: Entry[] = [];
  for (const element of elements(text, 'Contents')) {
    const name = field(element, 'Key') ?? '';
    const path = (isEncoded ? decoded(name) : name).slice(address.prefix.length);
    // What other programs put there, and what no path can name, is none of ours.
    if (isFilePath(path)) entries.push(entryOf(path, element));
  }
  const next = field(text, 'IsTruncated') === 'true' ? field(text, 'NextContinuationToken') : undefined;
  return { entries, next };
}

const decoded = (name: string): string => decodeURIComponent(name.replaceAll('+', ' '));

/** To the second, which is all that is said of a single file. */
function entryOf(path: string, element: string): Entry {
  const modified = Date.parse(field(element, 'LastModified') ?? '');
  return {
    path,
    size: Number(field(element, 'Size')),
    modified: new Date(Math.floor(modified / 1000) * 1000),
  };
}

/** That the bucket is there and the key opens it. */
export async function ping({ wire, address }: Store): Promise<void> {
  const query = { 'list-type': 2, 'max-keys': 1, prefix: address.prefix };
  await wire.told({ method: 'GET', url: address.bucket(query) });
}

// Texts looked through twice: once for what they point at, which is then looked up together, and once to have them point at it here.

import { placed } from '../../content/finding.ts';
import type { MediaFile } from '../../content/media/media.ts';
import { fileFor, keysFor, leadingTo, movedHome, tailOf } from './addresses.ts';
import { type Turning, turned } from './references.ts';
import { inLots, type Run } from './run.ts';

/** What texts point at, and what of that is here. */
export interface Pointing extends Turning {
  /** Whether what is at an address there, or has a number there, is here. */
  isHere(there: string | number): boolean;
}

export async function turningFor(run: Run, texts: readonly string[]): Promise<Pointing> {
  const { needs, options, known } = run;
  const pointed = pointedAt(texts);
  const numbers = await known.records([...pointed.numbers]);
  const addresses = options.rewrite ? [...pointed.addresses] : [];
  const files = await filesAt(run, addresses);
  const pages = await pagesAt(run, addresses);
  return {
    number: (id) => {
      const now = numbers.get(id);
      return now === id ? undefined : now;
    },
    address: (address) => {
      if (!options.rewrite) return undefined;
      return files(address) ?? pages(address) ?? movedHome(address, options.from, needs.url);
    },
    isHere: (there) => (typeof there === 'number' ? numbers.has(there) : (files(there) ?? pages(there)) !== undefined),
  };
}

type Leading = (address: string) => string | undefined;

/** One that is a file's own is that file, whatever its name looks like. */
async function filesAt({ needs, known }: Run, addresses: readonly string[]): Promise<Leading> {
  const { media } = needs.content;
  const found = await known.files(addresses.flatMap(keysFor));
  const files = await media.files([...new Set(found.values())]);
  const fileAt = (key: string): MediaFile | undefined => (found.has(key) ? files.get(found.get(key)!) : undefined);
  return (address) => {
    const keys = keysFor(address);
    const key = keys.find((one) => fileAt(one) !== undefined);
    if (key === undefined) return undefined;
    return media.urlOf(fileFor(address, fileAt(key)!, key === keys[0])) + tailOf(address);
  };
}

const atOnce = 200;

async function pagesAt({ needs: { store, content }, known }: Run, addresses: readonly string[]): Promise<Leading> {
  const found = await known.pages(addresses);
  const links = new Map<number, string>();
  for (const ids of inLots([...new Set(found.values())], atOnce)) {
    const posts = await store.db.selectFrom('posts').select(placed).where('id', 'in', ids).execute();
    for (const [id, link] of await content.permalinks.of(posts)) links.set(id, link);
  }
  return (address) => {
    const link = links.get(found.get(address) ?? 0);
    return link && leadingTo(link, address);
  };
}

function pointedAt(texts: readonly string[]) {
  const [numbers, addresses] = [new Set<number>(), new Set<string>()];
  const looking: Turning = {
    number: (id) => void numbers.add(id),
    address: (address) => void addresses.add(address),
  };
  for (const text of texts) turned(text, looking);
  return { numbers, addresses };
}

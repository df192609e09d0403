// How much room the site takes: its program, its files, its database.
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { inTime } from '#lib/concurrency.ts';
import { Unavailable } from '#lib/failures.ts';
import { minute, second } from '#lib/spans.ts';
import type { AnyStore } from '#store/store.ts';
import type { Files } from '../files/files.ts';
import type { Clock } from '../platform/clock.ts';

/** In bytes; nothing, where there is none of it. */
export interface Sizes {
  readonly program: number;
  readonly themes: number;
  readonly extensions: number;
  readonly uploads: number;
  readonly fonts: number | undefined;
  readonly database: number;
}

export interface Measuring {
  /** Measured a moment ago, or now. Throws an `Unavailable` when that takes too long, or files cannot be reached. */
  measure(): Promise<Sizes>;
}

export interface MeasuringNeeds {
  readonly store: Pick<AnyStore, 'size'>;
  readonly files: Pick<Files, 'list'>;
  readonly clock: Clock;
  /** What lies among the files of the program and is none of it. */
  readonly apart: readonly string[];
  /** Where the program lies. */
  readonly root?: string;
  /** How long it may take, in milliseconds. */
  readonly within?: number;
}

const rememberedFor = 5 * minute;
const here = join(import.meta.dirname, '../../..');

export function createMeasuring(needs: MeasuringNeeds): Measuring {
  let last: { readonly at: number; readonly sizes: Promise<Sizes> } | undefined;
  return {
    measure() {
      const at = needs.clock().getTime();
      if (last !== undefined && at - last.at < rememberedFor && at >= last.at) return last.sizes;
      const now = { at, sizes: measured(needs) };
      last = now;
      now.sizes.catch(() => {
        if (last === now) last = undefined;
      });
      return now.sizes;
    },
  };
}

async function measured(needs: MeasuringNeeds): Promise<Sizes> {
  const { within = 30 * second } = needs;
  const over = new AbortController();
  try {
    const late = () => new Unavailable('There are too many files to measure now.');
    return await inTime(all(needs, over.signal), within, late);
  } finally {
    over.abort();
  }
}

async function all(needs: MeasuringNeeds, over: AbortSignal): Promise<Sizes> {
  const { root = here, store, files } = needs;
  const [themes, extensions] = [join(root, 'src/site/pages'), join(root, 'src/extensions')];
  // The installed program has no history of its own; one that is worked on has.
  const apart = new Set([...needs.apart, themes, extensions, join(root, '.git')]);
  return {
    ...(await kept(files, over)),
    program: await inFolder(root, apart, over),
    themes: await inFolder(themes, apart, over),
    extensions: await inFolder(extensions, apart, over),
    database: await store.size(),
  };
}

async function kept(files: Pick<Files, 'list'>, over: AbortSignal): Promise<Pick<Sizes, 'uploads' | 'fonts'>> {
  let uploads = 0;
  let fonts: number | undefined;
  for await (const { path, size } of files.list()) {
    over.throwIfAborted();
    if (path.startsWith('fonts/')) fonts = (fonts ?? 0) + size;
    else uploads += size;
  }
  return { uploads, fonts };
}

/** One name at a time is in memory, and no link is followed. What goes away meanwhile is not counted. */
async function inFolder(folder: string, apart: ReadonlySet<string>, over: AbortSignal): Promise<number> {
  let sum = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for await (const one of namesIn(next)) {
      over.throwIfAborted();
      const place = `${next}${sep}${one.name}`;
      if (one.isDirectory() && !apart.has(place)) waiting.push(place);
      if (one.isFile()) sum += (await unlessGone(lstat(place)))?.size ?? 0;
    }
  }
  return sum;
}

async function* namesIn(folder: string): AsyncGenerator<Dirent> {
  const names = await unlessGone(opendir(folder));
  if (names !== undefined) yield* names;
}

const unlessGone = <R>(work: Promise<R>): Promise<R | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Unavailable('The files of Gatehouse cannot be read.', { cause: error });
  });

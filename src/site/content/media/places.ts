// The names of files: taken before a byte is written, so that two that come at once never write into one, whatever process they
// come to; and given back once the files are gone.
import { randomInt } from 'node:crypto';
import { day } from '#lib/spans.ts';
import { type Instant, instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../clock.ts';
import type { Files } from '../../files/files.ts';
import type { ContentTables, Writing } from '../tables.ts';

interface Needs {
  readonly store: Store<ContentTables>;
  readonly files: Files;
  readonly clock: Clock;
}

export interface Wanted {
  readonly stem: string;
  /** Every path that a file with this stem needs, its own first. */
  paths(stem: string): readonly string[];
}

export interface Places {
  /** Answers the stem that was free: the one wanted, or with a number behind it. */
  take(wanted: Wanted): Promise<string>;
  /** Of names that were taken, erases the files that no record holds, and then these names are free. */
  clear(paths: readonly string[]): Promise<void>;
  /** The same for those of a record that was erased: somebody else may have cleared and taken them since. */
  clearReleased(paths: readonly string[]): Promise<void>;
  /** Clears what was taken and never kept, and what no record holds any more. */
  sweep(goOn: () => void): Promise<number>;
}

/** Beyond these, numbers are drawn: nobody waits for a thousand questions. */
const inOrder = 20;
const tries = 40;
const atOnce = 100;

/** Nobody is at work on a file for so long. */
const forgotten = day;

const numbered = (stem: string, attempt: number): string => {
  if (attempt === 0) return stem;
  return `${stem}-${attempt <= inOrder ? attempt : randomInt(1_000, 1_000_000_000)}`;
};

export function createPlaces({ store, files, clock }: Needs): Places {
  const taken = (paths: readonly string[]): Promise<boolean> =>
    store.write(async (tx) => {
      const there = await tx.selectFrom('media_paths').select('path').where('path', 'in', paths).executeTakeFirst();
      if (there !== undefined) return true;
      const taken_at = instant(clock());
      const rows = paths.map((path) => ({ path, post_id: null, taken_at }));
      const made = await tx
        .insertInto('media_paths')
        .values(rows)
        .onConflict((on) => on.column('path').doNothing())
        .returning('path')
        .execute();
      if (made.length === rows.length) return false;
      if (made.length > 0)
        await tx
          .deleteFrom('media_paths')
          .where(
            'path',
            'in',
            made.map(({ path }) => path),
          )
          .execute();
      return true;
    });

  const retake = (paths: readonly string[], taken_at: Instant, before?: Instant) =>
    store.write((tx) => {
      const free = tx
        .updateTable('media_paths')
        .set({ taken_at })
        .where('path', 'in', paths)
        .where('post_id', 'is', null);
      const old = before === undefined ? free : free.where('taken_at', '<', before);
      return old.returning('path').execute();
    });

  /**
   * Of the names, those that no record holds are taken once more: so one alone erases their files. A write of which nobody heard
   * how it ended may still come to hold them; it is waited for.
   */
  const clearOf = async (paths: readonly string[], before?: Instant): Promise<void> => {
    const left = (await retake(paths, instant(clock()), before)).map(({ path }) => path);
    if (left.length === 0) return;
    try {
      for (const path of left) await files.erase(path);
    } catch (error) {
      await retake(left, given);
      throw error;
    }
    await store.write((tx) =>
      tx.deleteFrom('media_paths').where('path', 'in', left).where('post_id', 'is', null).execute(),
    );
  };

  const old = (): Instant => instant(new Date(clock().getTime() - forgotten));

  return {
    async take({ stem, paths }) {
      for (let attempt = 0; attempt < tries; attempt++) {
        const name = numbered(stem, attempt);
        // What lies there and is none of ours keeps its name, too.
        if ((await files.find(paths(name)[0]!)) !== undefined) continue;
        if (!(await taken(paths(name)))) return name;
      }
      throw new Error(`No name is free for a file ${stem}.`);
    },
    clear: (paths) => clearOf(paths),
    clearReleased: (paths) => clearOf(paths, old()),
    async sweep(goOn) {
      const before = old();
      for (let swept = 0; ; swept += atOnce) {
        goOn();
        const left = await store.db
          .selectFrom('media_paths')
          .select('path')
          .where('post_id', 'is', null)
          .where('taken_at', '<', before)
          .limit(atOnce)
          .execute();
        if (left.length > 0)
          await clearOf(
            left.map(({ path }) => path),
            before,
          );
        if (left.length < atOnce) return swept + left.length;
      }
    },
  };
}

/** In the write that makes the record. */
export async function settlePlaces(tx: Writing, paths: readonly string[], post: number): Promise<void> {
  await tx.updateTable('media_paths').set({ post_id: post }).where('path', 'in', paths).execute();
}

/** Long ago: whoever sweeps takes it at once. */
const given = '1970-01-01T00:00:00.000Z';

/** In the write that erases a record of a file. Its files go afterwards; should nobody come to that, they are swept. */
export async function releaseFiles(tx: Writing, post: number): Promise<void> {
  await tx.updateTable('media_paths').set({ post_id: null, taken_at: given }).where('post_id', '=', post).execute();
  await tx.deleteFrom('media').where('post_id', '=', post).execute();
}

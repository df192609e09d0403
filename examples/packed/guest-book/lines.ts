// The noun: what a line of the book is, and what may be done with it. No word of HTTP here.
import type { Caller } from '#kernel/caller.ts';
import type { Toolkit } from '#site/extension.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { Line, LinesTables } from './tables.ts';

/** What somebody says, and by which name. */
export interface Said {
  readonly name: string;
  readonly words: string;
}

interface Needs {
  readonly store: Store<LinesTables & IdentityTables>;
  readonly clock: Clock;
  readonly doing: DoingFor;
  readonly tools: Pick<Toolkit<unknown>, 'Problem' | 'denied' | 'credentialOf'>;
}

export type Lines = ReturnType<typeof createLines>;

/** Whoever may do this takes lines out of the book. */
export const tidying = 'guest_book_tidy';

const shown = 5;

export function createLines({ store, clock, doing, tools: { Problem, denied, credentialOf } }: Needs) {
  /** Whoever asks is asked for again within the write: what they may can be another by then. */
  const as = (caller: Caller, capability: string) =>
    doing(credentialOf(caller), (asker) => {
      if (!asker.can(capability)) throw denied('rest_forbidden', 'You are not allowed to do this.');
    });

  const newest = (limit: number, offset = 0): Promise<Line[]> =>
    store.db.selectFrom('guest_book_lines').selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();

  return {
    latest: (): Promise<Line[]> => newest(shown),

    async list(limit: number, offset: number): Promise<{ items: Line[]; total: number }> {
      const { total } = await store.db
        .selectFrom('guest_book_lines')
        .select((row) => row.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: await newest(limit, offset), total };
    },

    sign(said: Said, caller: Caller): Promise<Line> {
      const row = { ...said, said_at: clock().toISOString() };
      return store.write(async (tx) => {
        await as(caller, 'read').again(tx, undefined);
        return tx.insertInto('guest_book_lines').values(row).returningAll().executeTakeFirstOrThrow();
      });
    },

    erase(id: number, caller: Caller): Promise<Line> {
      return store.write(async (tx) => {
        await as(caller, tidying).again(tx, undefined);
        const erased = await tx.deleteFrom('guest_book_lines').where('id', '=', id).returningAll().executeTakeFirst();
        if (erased === undefined) throw new Problem(404, 'guest_book_invalid_id', 'There is no line with this id.');
        return erased;
      });
    },
  };
}

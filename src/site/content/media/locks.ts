// One change of the files of a media item at a time, among all processes. A lock of a process that died ends by itself.
import { minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ContentTables } from '../tables.ts';

/** The holder renews its lock, unless it has done so just now: work on a picture may wait long for its turn. */
const lockTime = 2 * minute;
const prolongEvery = lockTime / 6;
/** No lock lasts so long: the clock was set back since it was taken. */
const maxAhead = 10 * minute;

export interface LockRequest {
  readonly id: number;
  /** Who holds it. A run that goes on has the lock that it had when it was broken off. */
  readonly token: string;
  /** Thrown while another request has the lock, or has it by now because this one took too long. */
  refusal(): Error;
}

export type MediaLocks = ReturnType<typeof createMediaLocks>;

export function createMediaLocks({ store, clock }: { readonly store: Store<ContentTables>; readonly clock: Clock }) {
  const until = () => instant(new Date(clock().getTime() + lockTime));

  return {
    async hold<T>({ id, token, refusal }: LockRequest, work: (goOn: () => Promise<void>) => Promise<T>): Promise<T> {
      const isFree = await store.write(async (tx) => {
        const ahead = instant(new Date(clock().getTime() + maxAhead));
        await tx
          .deleteFrom('media_locks')
          .where((is) => is.or([is('until', '<', instant(clock())), is('until', '>', ahead)]))
          .execute();
        const lock = tx.insertInto('media_locks').values({ post_id: id, token, until: until() });
        const taken = await lock
          .onConflict((on) =>
            on.column('post_id').doUpdateSet({ until: until() }).where('media_locks.token', '=', token),
          )
          .returning('token')
          .executeTakeFirst();
        return taken !== undefined;
      });
      if (!isFree) throw refusal();
      const own = <Q extends { where(column: 'token', is: '=', value: string): Q }>(query: Q): Q =>
        query.where('token', '=', token);
      let prolonged = clock().getTime();
      const goOn = async (): Promise<void> => {
        const now = clock().getTime();
        if (now >= prolonged && now - prolonged < prolongEvery) return;
        prolonged = now;
        const update = await store.write((tx) =>
          own(tx.updateTable('media_locks').set({ until: until() })).executeTakeFirst(),
        );
        if (Number(update.numUpdatedRows) === 0) throw refusal();
      };
      const renewal = setInterval(() => goOn().catch(() => {}), lockTime / 4).unref();
      try {
        return await work(goOn);
      } finally {
        clearInterval(renewal);
        await store.write((tx) => own(tx.deleteFrom('media_locks')).execute());
      }
    },

    /** Those of these media items that are held by a token that begins so. */
    async held(ids: readonly number[], prefix: string): Promise<Set<number>> {
      if (ids.length === 0) return new Set();
      const rows = store.db
        .selectFrom('media_locks')
        .select(['post_id', 'token'])
        .where('post_id', 'in', ids)
        .where('until', '>=', instant(clock()));
      return new Set((await rows.execute()).filter(({ token }) => token.startsWith(prefix)).map((row) => row.post_id));
    },
  };
}

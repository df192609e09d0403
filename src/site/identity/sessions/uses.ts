// When a session was last used, and from which IP address: written at most once an hour, in a table that no cache watches, and after
// the answer, so that reading costs no write.
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Lru } from '#lib/lru.ts';
import { hour, minute } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { IdentityTables } from '../tables.ts';
import type { Session } from './rows.ts';

export interface SessionUses {
  /** Returns at once; the write, where one is due, follows by itself. */
  used(session: Session, address: string): void;
}

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly events: Events;
}

const mostKnown = 5_000;
const writtenEvery = hour;

export function createSessionUses({ store, clock, events }: Needs): SessionUses {
  /** By the number of the session: when its use was last written, in milliseconds since 1970. */
  const lastWritten = new Lru<number, number>(mostKnown);

  const write = async (session: Session, address: string, now: number): Promise<void> => {
    const before = Date.parse((await lastUse(store, session))?.used_at ?? session.created_at);
    if (now - before < writtenEvery) lastWritten.set(session.id, before);
    else await writeUse(store, session.id, { used_at: instant(new Date(now)), address });
  };
  events.on('session.used', ({ session, from }) => {
    const now = clock().getTime();
    return write(session, from, now).catch((error) => {
      if (!(error instanceof Unavailable) && !(error instanceof OutOfSpace)) throw error;
      lastWritten.set(session.id, now - writtenEvery + minute); // asked again in a minute
    });
  });

  return {
    used(session, from) {
      const now = clock().getTime();
      if (now - (lastWritten.get(session.id) ?? Date.parse(session.created_at)) < writtenEvery) return;
      lastWritten.set(session.id, now); // at once, so that of many requests together one writes
      events.emit('session.used', { session, from });
    },
  };
}

const lastUse = ({ db }: Store<IdentityTables>, { id }: Session) =>
  db.selectFrom('session_uses').select('used_at').where('session_id', '=', id).executeTakeFirst();

/** A use of a session that has ended meanwhile is deleted with the next sweep: numbers of sessions are never given again. */
async function writeUse(
  { write }: Store<IdentityTables>,
  session_id: number,
  use: { readonly used_at: string; readonly address: string },
): Promise<void> {
  await write((tx) =>
    tx
      .insertInto('session_uses')
      .values({ session_id, ...use })
      .onConflict((on) => on.column('session_id').doUpdateSet(use))
      .execute(),
  );
}

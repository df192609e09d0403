// The noun: what a greeting is and what may be done with it. No word of HTTP here.
import type { Selectable } from 'kysely';
import type { Toolkit } from '#site/extension.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { GreetingsTable, HelloTables } from './tables.ts';

export type Greeting = Selectable<GreetingsTable>;
export type Mood = 'cheerful' | 'calm' | 'grumpy';

export interface Said {
  readonly text: string;
  readonly mood: Mood;
  readonly note: string;
  readonly in_reply_to: number;
}

export interface Wanted {
  readonly limit: number;
  readonly offset: number;
  readonly search?: string | undefined;
  readonly inReplyTo?: number | undefined;
}

export type Greetings = ReturnType<typeof createGreetings>;

export interface Needs {
  readonly store: Store<HelloTables>;
  readonly clock: Clock;
  readonly tools: Pick<Toolkit<unknown>, 'Problem' | 'contains'>;
}

export function createGreetings({ store, clock, tools: { Problem, contains } }: Needs) {
  const find = (id: number): Promise<Greeting | undefined> =>
    store.db.selectFrom('hello_greetings').selectAll().where('id', '=', id).executeTakeFirst();

  const there = (greeting: Greeting | undefined): Greeting => {
    if (greeting === undefined) throw new Problem(404, 'hello_invalid_id', 'There is no greeting with this id.');
    return greeting;
  };

  const get = async (id: number): Promise<Greeting> => there(await find(id));

  /** A greeting answers one that is there, or none. */
  const answersOne = async ({ in_reply_to: id = 0 }: Partial<Said>): Promise<void> => {
    if (id !== 0) await get(id);
  };

  return {
    get,

    async list({ limit, offset, search, inReplyTo }: Wanted): Promise<{ items: Greeting[]; total: number }> {
      let matching = store.db.selectFrom('hello_greetings');
      if (search !== undefined) matching = matching.where(contains('text', search));
      if (inReplyTo !== undefined) matching = matching.where('in_reply_to', '=', inReplyTo);
      const { total } = await matching.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const items = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
      return { items, total };
    },

    async add(author: number, said: Said): Promise<Greeting> {
      await answersOne(said);
      const row = { ...said, author, created_at: clock().toISOString() };
      return store.write((tx) => tx.insertInto('hello_greetings').values(row).returningAll().executeTakeFirstOrThrow());
    },

    async change({ id }: Greeting, said: Partial<Said>): Promise<Greeting> {
      if (Object.keys(said).length === 0) return get(id);
      await answersOne(said);
      return store.write(async (tx) =>
        there(await tx.updateTable('hello_greetings').set(said).where('id', '=', id).returningAll().executeTakeFirst()),
      );
    },

    /** Of several who erase it at once, one did. */
    erase({ id }: Greeting): Promise<Greeting> {
      return store.write(async (tx) =>
        there(await tx.deleteFrom('hello_greetings').where('id', '=', id).returningAll().executeTakeFirst()),
      );
    },
  };
}

// Writes that a test holds on PostgreSQL where they would do harm, by having what they want, until others have come as far as they can.
import pg from 'pg';
import { type TestEngine, testEngine } from './databases.ts';
import { aPaper, type Paper } from './paper.ts';
import type { SiteOptions } from './site.ts';

/** What the statement did is undone, unless it is to be kept. */
type Release = (end?: 'commit') => Promise<void>;

export interface HeldWrites {
  readonly paper: Paper;
  /** Has what the statement takes until it is let go. */
  holding(statement: string, values?: readonly unknown[]): Promise<Release>;
  /** The same with a lock that has a name. */
  holdingName(name: string): Promise<Release>;
  /** Until so many writes wait for somebody, or this is over before. */
  waiting(count: number, over: Promise<unknown>): Promise<void>;
  /** Those of these records that no write has taken. */
  free(...ids: readonly number[]): Promise<number[]>;
  versionOf(id: number): Promise<number>;
}

/** Call it inside a `describe`, and what it answers in a `before`. */
export function heldWrites(): (options?: SiteOptions) => Promise<HeldWrites> {
  const engine = testEngine('postgres');
  return async (options) => {
    const where = await engine.place();
    // Several writes wait here at once.
    const database = where.database!.replace(/pool_size=\d+/, 'pool_size=5');
    const known: TestEngine = { ...engine, place: async () => ({ ...where, database }) };
    return { paper: await aPaper(known, options), ...holds(database) };
  };
}

const stuck = `select count(*)::int as many from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

function holds(url: string): Omit<HeldWrites, 'paper'> {
  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const asked = async (statement: string, values: readonly unknown[]) => {
    const client = await connected();
    const { rows } = await client.query(statement, [...values]);
    await client.end();
    return rows;
  };
  const holding: HeldWrites['holding'] = async (statement, values = []) => {
    const client = await connected();
    await client.query('begin');
    await client.query(statement, [...values]);
    return async (end) => {
      if (end !== undefined) await client.query(end);
      await client.end();
    };
  };
  return {
    holding,
    holdingName: (name) => holding('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`gatehouse:${name}`]),
    async waiting(count, over) {
      let isOver = false;
      const ended = () => {
        isOver = true;
      };
      over.then(ended, ended);
      const client = await connected();
      while (!isOver && (await client.query(stuck)).rows[0].many < count);
      await client.end();
    },
    async free(...ids) {
      const untaken = 'select id from posts where id = any($1) order by id for no key update skip locked';
      return (await asked(untaken, [ids])).map(({ id }) => Number(id));
    },
    versionOf: async (id) => Number((await asked('select version from posts where id = $1', [id]))[0].version),
  };
}

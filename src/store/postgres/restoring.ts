// One restore at a time, and nobody opens the database meanwhile: a lock of the server's, on a connection of its own. It ends with it.
import { CompiledQuery } from 'kysely';
import type { RestoreLock, Run } from '../engine.ts';
import { DatabaseClient } from './client.ts';
import { unopened } from './failures.ts';
import { clientConfig, placeOf } from './session.ts';

const KEY = "hashtextextended('gatehouse:restore', 0)";

// Under a name of its own, for it is none of those who have the database open; and it may be silent for hours. It waits longer than
// somebody needs who only looks whether it is held.
const SETTLE = `select set_config('application_name', 'gatehouse-restore', false), set_config('lock_timeout', '2s', false),
  (select set_config(name, '0', false) from pg_settings where name = 'idle_session_timeout')`;

const NOT_HAD = '55P03';

/** Nothing when somebody else holds it. */
export async function lockDatabase(url: string): Promise<RestoreLock | undefined> {
  const client = new DatabaseClient({ ...clientConfig(url), query_timeout: 10_000 });
  try {
    await client.connect();
    await client.query(SETTLE);
    await client.query(`select pg_advisory_lock(${KEY})`);
  } catch (error) {
    await client.end().catch(() => {});
    if ((error as { code?: unknown }).code === NOT_HAD) return undefined;
    throw unopened(error, placeOf(url));
  }
  return {
    isHeld: () =>
      client.query('select 1').then(
        () => true,
        () => false,
      ),
    release: () => client.end().catch(() => {}),
  };
}

/** Shares it for the time of this one statement. */
export async function isFree(read: Run): Promise<boolean> {
  const { rows } = await read(CompiledQuery.raw(`select pg_try_advisory_xact_lock_shared(${KEY}) as free`));
  return (rows[0] as { free: number }).free === 1;
}

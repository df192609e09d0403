import { setTimeout as after } from 'node:timers/promises';
import { DatabaseClient } from './client.ts';
import { unopened } from './failures.ts';
import { clientConfig, placeOf } from './session.ts';

const OTHERS = `select exists (select 1 from pg_stat_activity
  where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()) as others`;

// The server takes a moment to forget a connection that was closed.
const LOOKS = 10;
const PAUSE = 200;

/** Whether other connections of a Gatehouse stay open there: one that serves has one that listens all the time. */
export async function hasOthers(url: string): Promise<boolean> {
  const client = new DatabaseClient({ ...clientConfig(url), query_timeout: 5000 });
  try {
    await client.connect();
    for (let look = 1; ; look += 1) {
      const { rows } = await client.query<{ others: number }>(OTHERS);
      if (rows[0]?.others !== 1) return false;
      if (look === LOOKS) return true;
      await after(PAUSE);
    }
  } catch (error) {
    throw unopened(error, placeOf(url));
  } finally {
    await client.end().catch(() => {});
  }
}

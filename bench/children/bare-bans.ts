// The same rows by the driver alone, and a set of addresses that knows no ranges.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { BansPlace } from '../ban-rows.ts';
import { given, offer } from '../child.ts';

const { data, database } = given<BansPlace>();
const select = 'select id, key from secsuite_bans';
const addresses = new Set<string>();

const client = database === undefined ? undefined : new pg.Client({ connectionString: database });
await client?.connect();
const file = client === undefined ? new DatabaseSync(join(data, 'gatehouse.db'), { readOnly: true }) : undefined;

async function rows(): Promise<number> {
  if (client !== undefined) return (await client.query(select)).rows.length;
  let count = 0;
  for (const _ of file!.prepare(select).iterate()) count += 1;
  return count;
}

offer(
  {
    async load() {
      const began = performance.now();
      return { done: await rows(), milliseconds: performance.now() - began };
    },
    gather() {
      for (const { host } of file!.prepare("select host from secsuite_bans where type = 'ip'").iterate())
        addresses.add(String(host));
    },
    check() {
      const all = [...addresses].slice(0, 100_000).map((address) => `${address} `.trimEnd());
      const began = performance.now();
      let found = 0;
      for (const address of all) if (addresses.has(address)) found += 1;
      return { done: found, milliseconds: performance.now() - began };
    },
  },
  async () => {
    await client?.end();
    file?.close();
  },
);

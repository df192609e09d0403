// A million bans, always the same: half of them addresses and half ranges, of both families alike.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Block, isRange, masked, written } from '../src/extensions/secsuite/addresses/block.ts';
import { keyOf } from '../src/extensions/secsuite/bans/enforced.ts';
import { banMigrations, quietBanTables } from '../src/extensions/secsuite/bans/tables.ts';

export interface BansPlace {
  readonly data: string;
  readonly database?: string | undefined;
}

export const owner = { owner: 'secsuite', migrations: banMigrations, quiet: quietBanTables };
export const manyBans = 1_000_000;

/** A number below 2^32, the next each time it is called. */
export function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.imul(state ^ (state >>> 13), 0x297a2d39) >>> 0;
  };
}

/** Some address of the internet; of IPv6 of the parts that are given out. */
export const anAddress = (draw: () => number, isNew: boolean): readonly number[] =>
  isNew ? [0x20000000 + (draw() >>> 4), draw(), draw(), draw()] : [draw()];

function blocks(many: number): Map<string, Block> {
  const draw = drawing(1);
  const all = new Map<string, Block>();
  for (let at = 0; all.size < many; at++) {
    const [isNew, isOne] = [at % 2 === 1, at % 4 < 2];
    const bits = isNew ? (isOne ? 128 : 32 + (draw() % 96)) : isOne ? 32 : 16 + (draw() % 16);
    const block = masked(isNew ? 6 : 4, anAddress(draw, isNew), bits);
    all.set(keyOf(block), block);
  }
  return all;
}

/** What stands in the columns, in the order of the key, so that it is written in minutes. */
const rows = (many: number): readonly string[][] =>
  [...blocks(many)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, block]) => [written(block), key, isRange(block) ? 'range' : 'ip']);

const columns = '(host, key, type, created_at, comment)';
const said = `'2026-11-20T12:00:00.000Z', 'from a list'`;

/** The tables must be there. */
export async function fill({ data, database }: BansPlace, many = manyBans): Promise<void> {
  if (database !== undefined) return fillPostgres(database, rows(many));
  const bans = new DatabaseSync(join(data, 'gatehouse.db'));
  bans.exec('begin');
  const statement = bans.prepare(`insert into secsuite_bans ${columns} values (?, ?, ?, ${said})`);
  for (const row of rows(many)) statement.run(...row);
  bans.exec('commit; analyze');
  bans.close();
}

const atOnce = 20_000;

async function fillPostgres(database: string, all: readonly string[][]): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  for (let at = 0; at < all.length; at += atOnce) {
    const some = all.slice(at, at + atOnce);
    const lists = [0, 1, 2].map((column) => some.map((row) => row[column]));
    const text = `insert into secsuite_bans ${columns} select *, ${said} from unnest($1::text[], $2::text[], $3::text[])`;
    await client.query(text, lists);
  }
  await client.query('vacuum analyze secsuite_bans');
  await client.end();
}

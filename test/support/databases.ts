import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import pg from 'pg';
import type { EngineName, Log } from '#store/engine.ts';
import type { TableOwner } from '#store/migrate.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import { sharedPostgres } from './postgres.ts';
import { copyPrepared, preparedDatabase } from './prepared.ts';

/** Where an empty database is: what `openStore` asks for. */
export interface Place {
  readonly data: string;
  readonly database?: string | undefined;
}

export interface TestEngine {
  readonly name: EngineName;
  /** A database nobody else has, empty or with these tables made; removed when the suite ends. */
  place(tables?: readonly TableOwner[]): Promise<Place>;
  /** A store on an empty database, or on the one named, closed when the suite ends. */
  store(tables: readonly TableOwner[], place?: Place): Promise<AnyStore>;
  /** Something to undo when the suite ends, the last first. */
  atEnd(step: () => Promise<unknown>): void;
}

/** Runs a suite on SQLite and on PostgreSQL. */
export function eachEngine(about: string, suite: (engine: TestEngine) => void): void {
  for (const name of ['sqlite', 'postgres'] as const) onEngine(name, about, suite);
}

/** Runs a suite on one of them: a suite that takes minutes has a file for each. */
export function onEngine(name: EngineName, about: string, suite: (engine: TestEngine) => void): void {
  describe(`${about} (${name})`, () => suite(testEngine(name)));
}

/** Keeps what was logged instead of printing it. */
export interface KeptLog extends Log {
  readonly lines: { level: string; details: object; message: string }[];
}

export function keptLog(): KeptLog {
  const lines: KeptLog['lines'] = [];
  const keep = (level: string) => (details: object, message: string) => void lines.push({ level, details, message });
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** Call it inside a `describe`: it clears up after that suite. */
export function testEngine(name: EngineName): TestEngine {
  const undo: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const step of undo.reverse()) await step();
  });
  const place = async (tables?: readonly TableOwner[]): Promise<Place> => {
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    undo.push(async () => rmSync(data, { recursive: true, force: true }));
    if (name === 'postgres') return { data, database: await ownDatabase(undo, tables) };
    if (tables) await copyPrepared(data, tables);
    return { data };
  };
  return {
    name,
    place,
    atEnd: (step) => void undo.push(step),
    store: async (tables, where) => {
      const store = await openStore({ ...(where ?? (await place())), tables, log: keptLog() });
      undo.push(() => store.close());
      return store;
    },
  };
}

async function ownDatabase(undo: (() => Promise<unknown>)[], tables?: readonly TableOwner[]): Promise<string> {
  const server = await sharedPostgres();
  const database = `test_${randomBytes(6).toString('hex')}`;
  const template = tables === undefined ? 'template1' : await preparedDatabase(server, tables);
  await asked(server, `create database ${database} template ${template}`);
  undo.push(() => asked(server, `drop database ${database} with (force)`));
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** One statement on a connection of its own. */
export async function asked(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

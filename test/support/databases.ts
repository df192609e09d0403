import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe } from 'node:test';
import { isAsyncFunction } from 'node:util/types';
import pg from 'pg';
import type { EngineName, Log } from '#store/engine.ts';
import type { TableOwner } from '#store/migrate.ts';
import { type AnyStore, openStore } from '#store/store.ts';
import { sharedPostgres } from './postgres.ts';
import { copyPrepared, preparedDatabase } from './prepared.ts';
import { waitForSuite } from './suites.ts';

/** Where an empty database is: what `openStore` asks for. */
export interface Place {
  readonly data: string;
  readonly database?: string | undefined;
}

export interface TestEngine {
  readonly name: EngineName;
  /** A database nobody else has, empty or with these tables made. */
  place(tables?: readonly TableOwner[]): Promise<Place>;
  /** A store on an empty database, or on the one named. */
  store(tables: readonly TableOwner[], place?: Place): Promise<AnyStore>;
  /** Something to undo, the last first. */
  atEnd(step: () => Promise<unknown>): void;
  /** What the tests of a suite share, opened by the first that asks for it, and undone when the suite ends. */
  shared<T>(make: () => Promise<T>): () => Promise<T>;
}

type Suite = (engine: TestEngine) => void | Promise<void>;

const engineNames: readonly EngineName[] = ['sqlite', 'postgres'];

/** Runs a suite on SQLite, and in the full test run on PostgreSQL too. */
export function eachEngine(about: string, suite: Suite): void {
  for (const name of process.env.GATEHOUSE_TEST_FULL ? engineNames : engineNames.slice(0, 1))
    onEngine(name, about, suite);
}

/** Runs a suite on both in every test run: for behavior in which SQL orders, searches, counts, locks or claims. */
export function onBothStores(about: string, suite: Suite): void {
  for (const name of engineNames) onEngine(name, about, suite);
}

/** Runs a suite on one of them: a suite that takes minutes has a file for each. */
export function onEngine(name: EngineName, about: string, suite: Suite): void {
  const title = `${about} (${name})`;
  if (name === 'postgres' && withoutPostgres !== false) describe(title, { skip: withoutPostgres }, () => {});
  else if (isAsyncFunction(suite)) describe(title, () => inTurn(() => suite(testEngine(name, 'suite'))));
  else describe(title, () => suite(testEngine(name)));
}

/** For `describe` and `test`: why tests on PostgreSQL do not run on this machine. */
export const withoutPostgres = process.env.GATEHOUSE_TEST_POSTGRES === 'none' && 'needs a PostgreSQL server';

let lastBegun: Promise<unknown> = Promise.resolve();

/**
 * Suites that make a site and fill it before their tests are written do so one after the other: dozens share a process, and on a busy
 * machine they would wait for each other longer than a connection to the database may take.
 */
function inTurn(begin: () => Promise<void> | void): Promise<void> {
  // The tests belong to the suite that is being written, and not to the one that was waited for.
  const begun = lastBegun.then(AsyncResource.bind(begin));
  lastBegun = begun.catch(() => {});
  waitForSuite(begun);
  return begun;
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

type Step = () => Promise<unknown>;

async function undo(steps: readonly Step[]): Promise<void> {
  for (const step of steps.toReversed()) await step();
}

/**
 * Call it inside a `describe`. What is opened in a test ends with that test, because sites that stay open cost time; what is opened
 * outside of one ends with the suite. Tests that run beside each other open theirs in `before`.
 */
export function testEngine(name: EngineName, until: 'test' | 'suite' = 'test'): TestEngine {
  const ofSuite: Step[] = [];
  /** Of the suite, of the test that runs, and of a test in it. */
  const open = [ofSuite];
  const add = (step: Step): void => void open.at(-1)!.push(step);
  // A suite that waited for something is not found any more by hooks like these.
  if (until === 'test') {
    beforeEach(() => void open.push([]));
    afterEach(() => undo(open.pop()!));
  }
  after(() => undo(ofSuite));
  const place = async (tables?: readonly TableOwner[]): Promise<Place> => {
    const data = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    add(async () => rmSync(data, { recursive: true, force: true }));
    if (name === 'postgres') return { data, database: await ownDatabase(add, tables) };
    if (tables) await copyPrepared(data, tables);
    return { data };
  };
  return {
    name,
    place,
    atEnd: add,
    store: async (tables, where) => {
      const store = await openStore({ ...(where ?? (await place())), tables, log: keptLog() });
      add(() => store.close());
      return store;
    },
    shared(make) {
      let opened: ReturnType<typeof make> | undefined;
      const forSuite = async () => {
        open.push(ofSuite);
        try {
          return await make();
        } finally {
          open.splice(open.lastIndexOf(ofSuite), 1);
        }
      };
      return () => (opened ??= forSuite());
    },
  };
}

/** A site reads much at once when it opens, and a connection costs the server more than what it reads. */
export const poolSize = 2;

async function ownDatabase(add: (step: Step) => void, tables?: readonly TableOwner[]): Promise<string> {
  const server = await sharedPostgres();
  const database = `test_${randomBytes(6).toString('hex')}`;
  const template = tables === undefined ? 'template1' : await preparedDatabase(server, tables);
  // The template is small and nobody writes in it: copying its files takes half of what copying them through the log does.
  const desk = deskOf(server);
  await desk.query(`create database ${database} template ${template} strategy file_copy`);
  add(() => desk.query(`drop database ${database} with (force)`));
  const url = new URL(server);
  url.pathname = `/${database}`;
  // On a machine that is busy with other things, tests wait.
  url.searchParams.set('connect_timeout', '60');
  url.searchParams.set('pool_size', String(poolSize));
  return url.href;
}

const desks = new Map<string, pg.Pool>();

/** One connection that makes and drops what this process needs, and does not keep it from ending: each costs the server 20 ms. */
function deskOf(server: string): pg.Pool {
  const desk =
    desks.get(server) ?? new pg.Pool({ connectionString: server, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A server that is ended tells its idle connections so.
  desk.on('error', () => {});
  desks.set(server, desk);
  return desk;
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

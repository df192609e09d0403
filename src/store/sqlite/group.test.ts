import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { Connection } from './connection.ts';
import { WriteGroup } from './group.ts';
import { Turns } from './turns.ts';

/** A connection that counts how often it waited for the disk. */
class Counted extends Connection {
  commits = 0;

  override do(text: string): void {
    super.do(text);
    if (text === 'COMMIT') this.commits += 1;
  }
}

describe('Writes that arrive together', () => {
  let folder: string;
  let writer: Counted;
  let group: WriteGroup;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    writer = new Counted(join(folder, 'group.db'), { wait: 5 });
    writer.exec('PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON');
    writer.exec('CREATE TABLE notes (n INTEGER PRIMARY KEY) STRICT');
    group = new WriteGroup(writer, new Turns(join(folder, 'group.db')));
  });

  afterEach(async () => {
    await group.settled();
    writer.close();
    rmSync(folder, { recursive: true });
  });

  const note = (n: number) => group.add((run) => run(CompiledQuery.raw('insert into notes values (?)', [n])));
  const notes = () => writer.rows('select n from notes order by n').map((row) => row.n);

  /** A group takes in what comes within a few milliseconds, in which a busy machine may do nothing: then it is tried again. */
  async function shareOneWait(write: (from: number) => Promise<unknown>): Promise<void> {
    for (let round = 1; ; round++) {
      const before = writer.commits;
      await write(round * 10);
      if (writer.commits === before + 1) return;
      assert.ok(round < 50, `${writer.commits - before} waits for writes that came together`);
    }
  }

  test('share one wait for the disk', async () => {
    await shareOneWait((from) => Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => note(from + n))));
    assert.deepEqual(notes().slice(0, 8), [11, 12, 13, 14, 15, 16, 17, 18]);
  });

  test('share it also when some come while another is being made', async () => {
    await shareOneWait(async (from) => {
      const first = note(from + 1);
      await Promise.resolve();
      await Promise.all([first, note(from + 2), note(from + 3)]);
    });
  });

  test('run one after the other, never interleaved', async () => {
    const order: string[] = [];
    const slow = (name: string) =>
      group.add(async () => {
        order.push(`${name} begins`);
        await nextTurn();
        order.push(`${name} ends`);
      });
    await Promise.all(['a', 'b'].map(slow));
    assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('each know who asked for them', async () => {
    const asking = new AsyncLocalStorage<string>();
    const who = () => group.add(async () => asking.getStore());
    assert.deepEqual(await Promise.all(['a', 'b'].map((name) => asking.run(name, who))), ['a', 'b']);
  });

  test('are acknowledged only once all of them are on disk', async () => {
    const seen = await Promise.all([1, 2, 3].map((n) => note(n).then(() => writer.inTransaction)));
    assert.deepEqual(seen, [false, false, false]);
  });

  test('are all refused when the commit fails, and the next write goes through', async () => {
    writer.exec('CREATE TABLE owed (n INTEGER REFERENCES notes DEFERRABLE INITIALLY DEFERRED) STRICT');
    const owed = group.add((run) => run(CompiledQuery.raw('insert into owed values (99)')));
    const outcomes = await Promise.allSettled([note(1), owed, note(2)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    await note(3);
    assert.deepEqual(notes(), [3]);
  });

  test('wait for another process that writes, and say the database is busy when that takes too long', async () => {
    const other = new Connection(join(folder, 'group.db'), { wait: 5 });
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(
      group.add(async () => {}, 30),
      (error) => error instanceof Unavailable && error.retryAfter === 1,
    );
    const patient = note(1);
    await nextTurn();
    other.exec('COMMIT');
    await patient;
    other.close();
    assert.deepEqual(notes(), [1]);
  });

  test('are refused for want of space when the file may grow no further, and those that fit stand', async () => {
    const pages = Number(writer.pragma('page_count'));
    writer.exec(`CREATE TABLE blobs (b BLOB) STRICT; PRAGMA max_page_count=${pages + 8}`);
    const put = (size: number) =>
      group.add((run) => run(CompiledQuery.raw('insert into blobs values (zeroblob(?))', [size])));
    const outcomes = await Promise.allSettled([put(100), put(1_000_000), put(100)]);
    const kept = Number(writer.rows('select count(*) as n from blobs')[0]?.n);
    assert.equal(kept, outcomes.filter(({ status }) => status === 'fulfilled').length);
    assert.ok(outcomes[1]?.status === 'rejected' && outcomes[1].reason instanceof OutOfSpace);
    await put(100);
  });

  test('keep nothing of a write that goes on after the file could grow no further, not even what it puts apart', async () => {
    const pages = Number(writer.pragma('page_count'));
    writer.exec(`CREATE TABLE blobs (b BLOB) STRICT; PRAGMA max_page_count=${pages + 8}`);
    const stubborn = group.add(async (run) => {
      const put = (size: number) => run(CompiledQuery.raw('insert into blobs values (zeroblob(?))', [size]));
      await put(100);
      await put(1_000_000).catch(() => {});
      const say = (text: string) => run(CompiledQuery.raw(text)).catch(() => {});
      await say('savepoint part');
      await put(100).catch(() => {});
      await say('release savepoint part');
    });
    await assert.rejects(stubborn);
    assert.deepEqual(writer.rows('select * from blobs'), []);
    await note(1);
    assert.deepEqual(notes(), [1]);
  });
});

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { keptLog } from '#test/databases.ts';
import { isRoot } from '#test/needs.ts';
import { shelf } from '#test/shelf.ts';
import { StoreProblem } from '../problem.ts';
import { openStore, pendingOf } from '../store.ts';

describe('Opening the file', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    file = join(folder, 'gatehouse.db');
  });

  afterEach(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });

  const open = (data = folder) => openStore({ data, tables: [shelf], log: keptLog() });

  async function refused(wording: RegExp, data?: string) {
    await assert.rejects(open(data), (error) => {
      assert.ok(error instanceof StoreProblem, String(error));
      assert.match(error.message, wording);
      assert.match(error.message, /^[A-Z][^\n]*\.$/, 'one sentence');
      return true;
    });
  }

  /** Root may do anything, so it steps down for a moment. */
  async function asAnybody(work: () => Promise<void>) {
    if (isRoot) process.seteuid?.(65534);
    try {
      await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  test('makes the folder and the file, for their owner alone', async () => {
    const store = await open(join(folder, 'deep/er'));
    assert.equal(statSync(join(folder, 'deep/er')).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, 'deep/er/gatehouse.db')).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'deep/er/gatehouse.db-wal')).mode & 0o777, 0o600);
    await store.close();
  });

  test('refuses a folder that nobody can make', { skip: process.platform !== 'linux' }, async () => {
    await refused(
      /folder \/proc\/no\/such cannot be used: a folder cannot be created there; name another/,
      '/proc/no/such',
    );
  });

  test('looks into an empty file without writing into it', async () => {
    writeFileSync(file, '');
    const pending = await pendingOf({ data: folder, tables: [shelf], log: keptLog() });
    assert.equal(pending.length, 2);
    assert.deepEqual([statSync(file).size, readdirSync(folder)], [0, ['gatehouse.db']]);
  });

  test('refuses a file that is no database, and leaves it as it is', async () => {
    const text = 'Dear diary, '.repeat(1000);
    writeFileSync(file, text);
    await refused(/gatehouse\.db is not a database; restore the last good copy/);
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  test('refuses a damaged database, and leaves it as it is', async () => {
    await (await open()).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 100, 4096);
    writeFileSync(file, bytes);
    await refused(/gatehouse\.db is damaged and was not changed; restore the last good copy/);
    assert.deepEqual(readFileSync(file), bytes);
  });

  test('refuses a database with a damaged page behind its header, and leaves it as it is', async () => {
    await (await open()).close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096);
    writeFileSync(file, bytes);
    await refused(/gatehouse\.db is damaged and was not changed/);
    assert.deepEqual(readFileSync(file), bytes);
  });

  test('a folder that this user may not look into is not taken for an empty one', async () => {
    await (await open()).close();
    chmodSync(folder, 0o000);
    await asAnybody(() =>
      assert.rejects(pendingOf({ data: folder, tables: [shelf], log: keptLog() }), {
        name: 'StoreProblem',
        message: /^The data folder .* cannot be used: /,
      }),
    );
  });

  test('refuses a database cut short, or says afterwards that it is not sound', async () => {
    const whole = await open();
    await whole.close();
    writeFileSync(file, readFileSync(file).subarray(0, 4096));
    await refused(/is damaged/);
  });

  test('refuses the database of another program, and leaves it as it is', async () => {
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    const before = readFileSync(file);
    await refused(/belongs to another program; name another data folder/);
    assert.deepEqual(readFileSync(file), before);
  });

  test('says who must be allowed what: a folder that is not writable', async () => {
    chmodSync(folder, 0o555);
    await asAnybody(() => refused(/The data folder .* cannot be used: this system user cannot write there/));
  });

  test('says who must be allowed what: a file that may not be read', async () => {
    await (await open()).close();
    chmodSync(folder, 0o777);
    chmodSync(file, 0o000);
    await asAnybody(() => refused(/gatehouse\.db .*allow this system user to read and write the file/));
  });

  test('says who must be allowed what: a file that may only be read', async () => {
    await (await open()).close();
    chmodSync(folder, 0o755);
    chmodSync(file, 0o444);
    await asAnybody(() => refused(/gatehouse\.db .*allow this system user to .*write the file and its folder/));
  });

  test('says who must be allowed what: a file of one’s own that is marked read-only', async () => {
    await (await open()).close();
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    await asAnybody(() => refused(/gatehouse\.db is not writable; allow this system user to write the file/));
  });

  test('says it when the data folder is a file', async () => {
    writeFileSync(file, '');
    await refused(/The data folder .* cannot be used: .* name another folder/, join(file, 'data'));
  });

  test('says it when another program holds the database for itself', async () => {
    await (await open()).close();
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE x (a)');
    await refused(/is in use by another program/);
    other.exec('ROLLBACK');
    other.close();
  });
});

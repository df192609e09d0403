import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { day, second } from '#lib/spans.ts';
import { dailyCountTables } from '#site/platform/daily-counts.ts';
import { eachEngine, keptLog, type TestEngine } from '#test/databases.ts';
import { hash } from '../../../../bench/log-entries.ts';
import type { Asking } from './entry.ts';
import { createLogs, type LogNeeds } from './logs.ts';
import { derivedLogTables, logMigrations, quietLogTables } from './tables.ts';

const owner = { owner: 'secsuite-logs', migrations: logMigrations, quiet: quietLogTables };
const noon = Date.parse('2026-11-20T12:00:00.750Z');
const newest = { limit: 100, offset: 0, order: 'desc', orderBy: 'created_at' } as const;

async function aLog(engine: TestEngine, options: Partial<LogNeeds> & { place?: { data: string } } = {}) {
  const { place = await engine.place(), ...needs } = options;
  const store = await engine.store([dailyCountTables, owner], place);
  const time = { now: noon };
  const now: { asking: Asking | undefined } = { asking: undefined };
  const settings = {
    log_type: 'database',
    log_rotation: 60,
    file_log_rotation: 180,
    log_location: place.data,
    log_info: 'x1',
  };
  const log = keptLog();
  const logs = createLogs({
    store,
    clock: () => new Date(time.now),
    asking: () => now.asking,
    background: 'wp-cron',
    url: 'https://site.example/sub',
    settings: () => settings as ReturnType<LogNeeds['settings']>,
    isRunning: () => true,
    hash,
    log,
    later: () => ({ cancel: () => {} }),
    memory: () => ({ memory_current: 5, memory_peak: 7 }),
    ...needs,
  });
  const all = async () => (await logs.list(newest)).items;
  return { store, logs, time, now, settings, log, all, place };
}

function folderFor(engine: TestEngine): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true }));
  return join(folder, 'logs');
}

eachEngine('The log of the suite', (engine) => {
  test('knows of each entry which request it came from', async () => {
    const { logs, now, all } = await aLog(engine);
    const address = '198.51.100.7';
    now.asking = { url: '/wp-login.php?pwd=x&a=1', address, user: 3, startedAt: noon - 2 * second };
    logs.write({ module: 'firewall', code: 'BLOCK::1,a', type: 'action', data: { password: 'x', method: 'GET' } });
    now.asking = undefined;
    logs.write({ module: 'core', code: 'done', type: 'notice' });
    const [second_, first] = await all();
    assert.deepEqual(first, {
      id: 1,
      parent_id: 0,
      module: 'firewall',
      code: 'BLOCK::1,a',
      type: 'action',
      data: '{"password":"[hidden]","method":"GET"}',
      created_at: '2026-11-20T12:00:00.000Z',
      started_at: '2026-11-20T11:59:58.000Z',
      memory_current: 5,
      memory_peak: 7,
      site: 1,
      user_id: 3,
      remote_ip: address,
      isLocatable: false,
      url: 'https://site.example/sub/wp-login.php?pwd=[hidden]&a=1',
    });
    assert.deepEqual(
      [second_?.url, second_?.user_id, second_?.remote_ip, second_?.started_at, second_?.data],
      ['wp-cron', 0, '', '2026-11-20T12:00:00.000Z', 'false'],
    );
  });

  test('shows what was logged a moment ago, and waits no longer for it than that', async () => {
    const bells: (() => void)[] = [];
    const { logs, store, all } = await aLog(engine, {
      later(milliseconds, ring) {
        if (milliseconds === 150) bells.push(ring);
        return { cancel: () => {} };
      },
    });
    logs.write({ module: 'core', code: 'a', type: 'notice' });
    assert.deepEqual(
      (await all()).map(({ code }) => code),
      ['a'],
    );
    await store.write(async (tx) => {
      const taken = { id: 99, module: 'core', head: 'b', type: 'notice' };
      await tx.insertInto('secsuite_log_kinds').values(taken).execute();
      logs.write({ module: 'core', code: 'b', type: 'notice' });
      const listing = all();
      bells.at(-1)!();
      assert.equal((await listing).length, 1);
    });
    assert.equal((await all()).length, 2, 'and it is no part of what was written meanwhile');
  });

  test('cuts what is too long, and shows signs that nobody sees', async () => {
    const { logs, all, now } = await aLog(engine);
    now.asking = { url: `/${'x'.repeat(9_000)}`, address: '::1', user: 0, startedAt: noon };
    logs.write({ module: 'm'.repeat(51), code: `${'\u{1f600}'.repeat(101)}`, type: 'notice', data: '\0\ud800' });
    logs.write({ module: 'm'.repeat(50), code: 'a\0\u202eb', type: 'notice' });
    await logs.flush();
    const [whole, short] = await all();
    assert.deepEqual([short?.module, [...(short?.code ?? '')].length], [`${'m'.repeat(47)}...`, 100]);
    assert.deepEqual([short?.url.length, short?.url.endsWith('x...')], [500, true]);
    assert.deepEqual([whole?.module, whole?.code], ['m'.repeat(50), 'a\ufffd\ufffdb']);
  });

  test('keeps the words of a long operation with its beginning', async () => {
    const { logs, all } = await aLog(engine);
    const scan = await logs.operation('file_change', 'scan', { files: 3 });
    scan.update({ done: 1 });
    scan.stop();
    await logs.flush();
    const said = (await all()).map(({ parent_id, type, code }) => [parent_id, type, code]);
    assert.deepEqual(said, [
      [scan.id, 'process-stop', 'scan'],
      [scan.id, 'process-update', 'scan'],
      [0, 'process-start', 'scan'],
    ]);
  });

  test('finds one entry, and refuses a number that none has', async () => {
    const { logs } = await aLog(engine);
    logs.write({ module: 'core', code: 'a', type: 'notice' });
    await logs.flush();
    assert.equal((await logs.get(1)).code, 'a');
    for (const id of [2, 0, Number.MAX_SAFE_INTEGER + 2, 1e300])
      await assert.rejects(logs.get(id), { code: 'rest_not_found', status: 404 });
  });

  test('says that it could not be read, and writes down why', async () => {
    const { logs, store, log } = await aLog(engine);
    await store.write((tx) => tx.schema.dropTable('secsuite_logs').execute());
    await assert.rejects(logs.get(1), { code: 'secsuite-log-util-failed-query', status: 500 });
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      ['error'],
    );
  });

  test('drops no answer that somebody keeps', async () => {
    const { logs, store } = await aLog(engine);
    const heard: string[] = [];
    store.changes.watch((topics) => heard.push(...topics));
    logs.write({ module: 'core', code: 'a', type: 'notice' });
    await logs.flush();
    assert.deepEqual(heard, []);
  });

  test('forgets entries that are older than it is told to, and its totals with them', async () => {
    const { logs, time, settings, store } = await aLog(engine);
    for (let days = 0; days < 5; days++) {
      for (let n = 0; n < 300; n++) logs.write({ module: 'core', code: 'a', type: n % 2 ? 'notice' : 'debug' });
      await logs.flush();
      time.now += day;
    }
    settings.log_rotation = 0;
    assert.deepEqual(await logs.purge(), { entries: 0, files: 0 });
    Object.assign(settings, { log_rotation: 3, log_type: 'file', log_location: folderFor(engine) });
    assert.equal((await logs.purge()).entries, 600, 'though entries go elsewhere by now');
    const { total, items } = await logs.list({ ...newest, order: 'asc', types: ['debug'] });
    assert.deepEqual([total, items[0]?.created_at], [450, '2026-11-22T12:00:00.000Z']);
    const days = await store.db.selectFrom('daily_counts').select('day').distinct().orderBy('day').execute();
    assert.deepEqual(
      days.map((row) => row.day),
      ['2026-11-22', '2026-11-23', '2026-11-24'],
    );
    const { data } = await store.db
      .selectFrom('secsuite_logs_data')
      .select((of) => of.fn.countAll().as('data'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(data), 900, 'what was said with them goes with them');
  });

  test('counts anew what is there when a backup is put back', async () => {
    const { logs, store, now } = await aLog(engine);
    const counts = store.db.selectFrom('daily_counts').selectAll().where('name', 'like', 'secsuite-log %');
    const totals = () => counts.orderBy('name').orderBy('subject').execute();
    for (const user of [0, 3, 3]) {
      now.asking = { url: '/', address: '::1', user, startedAt: noon };
      for (const type of ['notice', 'debug'] as const) logs.write({ module: 'core', code: 'a', type });
    }
    await logs.flush();
    const before = await totals();
    assert.equal(before.length, 4);
    await store.write(async (tx) => {
      await tx.deleteFrom('daily_counts').execute();
      await derivedLogTables.secsuite_log_totals(tx);
    });
    assert.deepEqual(await totals(), before);
  });

  test('is a file of lines too, or instead, where it is told so', async () => {
    const { logs, settings, all } = await aLog(engine);
    Object.assign(settings, { log_type: 'both', log_location: folderFor(engine) });
    logs.write({ module: 'core', code: '=1+1', type: 'notice', data: { a: '"\n' } });
    await logs.flush();
    assert.equal((await all()).length, 1);
    settings.log_type = 'file';
    logs.write({ module: 'core', code: 'b', type: 'notice' });
    await logs.flush();
    assert.equal((await all()).length, 1);
    const path = join(settings.log_location, 'event-log-x1.log');
    const lines = readFileSync(path, 'utf8').split('\r\n');
    const at = '2026-11-20T12:00:00+00:00';
    assert.equal(
      lines[0],
      'parent_id,module,code,data,type,timestamp,init_timestamp,memory_current,memory_peak,url,blog_id,user_id,remote_ip',
    );
    assert.equal(lines[1], `0,core,'=1+1,"{""a"":""\\""\\n""}",notice,${at},${at},5,7,wp-cron,1,0,`);
    assert.deepEqual([lines.length, statSync(path).mode & 0o777], [4, 0o600]);
  });

  test('goes on where the file cannot be written, and says so once', async () => {
    const { logs, settings, log, all, place } = await aLog(engine);
    writeFileSync(join(place.data, 'taken'), '');
    Object.assign(settings, { log_type: 'both', log_location: join(place.data, 'taken') });
    for (const code of ['a', 'b']) {
      logs.write({ module: 'core', code, type: 'notice' });
      await logs.flush();
    }
    assert.deepEqual([(await all()).length, log.lines.map(({ level }) => level)], [2, ['warn']]);
  });

  test('puts a long file aside, and forgets old ones', async () => {
    const { logs, settings, time } = await aLog(engine);
    Object.assign(settings, { log_type: 'file', log_location: folderFor(engine), file_log_rotation: 10 });
    const path = join(settings.log_location, 'event-log-x1.log');
    const fill = async (text: string) => {
      logs.write({ module: 'core', code: text, type: 'notice' });
      await logs.flush();
      writeFileSync(path, text.padEnd(10 * 1024 * 1024));
      utimesSync(path, time.now / 1_000, time.now / 1_000);
      return logs.purge();
    };
    const first = (name: string) => readFileSync(name, 'utf8').slice(0, 5).trim();
    await fill('one');
    time.now += 6 * day;
    await fill('two');
    assert.deepEqual([first(`${path}.1`), first(`${path}.2`)], ['two', 'one']);
    time.now += 6 * day;
    assert.deepEqual(await logs.purge(), { entries: 0, files: 1 });
    assert.equal(first(`${path}.1`), 'two');
    settings.file_log_rotation = 0;
    time.now += 600 * day;
    assert.equal((await logs.purge()).files, 0);
  });

  test('shows what comes, each once, also what becomes visible late', async () => {
    const { logs, store } = await aLog(engine);
    const write = async (code: string) => {
      logs.write({ module: 'core', code, type: 'notice' });
      await logs.flush();
    };
    await write('before');
    /** The first entry once more, with another number. */
    const again = async (id: number, code: string) => {
      const first = (table: 'secsuite_logs' | 'secsuite_logs_data') =>
        store.db.selectFrom(table).selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
      const [entry, data] = [await first('secsuite_logs'), await first('secsuite_logs_data')];
      await store.write(async (tx) => {
        await tx
          .insertInto('secsuite_logs')
          .values({ ...entry, id, code })
          .execute();
        await tx
          .insertInto('secsuite_logs_data')
          .values({ ...data, id })
          .execute();
      });
    };
    const look = logs.newcomers({}, 1);
    const codes = async () => (await look()).map(({ code }) => code);
    assert.deepEqual(await codes(), []);
    await again(9, 'early');
    assert.deepEqual(await codes(), ['early']);
    await again(5, 'late');
    assert.deepEqual(await codes(), ['late']);
    for (let n = 0; n < 4; n++) assert.deepEqual(await codes(), []);
  });
});

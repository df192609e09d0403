import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '#store/store.ts';
import { eachEngine, keptLog } from '#test/databases.ts';
import { callGatehouse } from '#test/gatehouse.ts';
import { aMadePlace, aSitePlace } from '#test/serving.ts';
import { hash } from '../../../../bench/log-entries.ts';
import { tableOwners } from '../../../boot/tables.ts';
import { type NewEntry, toTheSecond } from '../logs/entry.ts';
import { createKeep } from '../logs/keeping.ts';

const entry = (code: string, of: Partial<NewEntry> = {}): NewEntry => ({
  parent_id: 0,
  module: 'test',
  code,
  type: 'notice',
  data: '{"a":"=1"}',
  site: 1,
  user_id: 0,
  created_at: toTheSecond(Date.parse('2026-11-20T12:00:00Z')),
  started_at: '2026-11-20T12:00:00.000Z',
  memory_current: 5,
  memory_peak: 7,
  url: 'wp-cron',
  remote_ip: '127.0.0.1',
  ...of,
});

eachEngine('gatehouse logs', (engine) => {
  test('writes entries out, and shows what comes', async () => {
    assert.equal((await (await aSitePlace(engine)).run('logs', 'export', '--format', 'csv')).code, 1);
    const place = await aMadePlace(engine);
    const { data, database } = place;
    const store = await openStore({ data, ...(database && { database }), tables: tableOwners(), log: keptLog() });
    engine.atEnd(() => store.close());
    const keep = createKeep(store, hash);
    await keep(Array.from({ length: 1_200 }, (_, n) => entry(`many::${n}`)));
    await keep([
      entry('=cmd|x::1', { type: 'error', user_id: 0 }),
      entry('steers', { type: 'error', url: 'https://x.example/\u202e\u009b', remote_ip: '2001:db8::1' }),
    ]);

    const csv = await place.run('logs', 'export', '--format', 'csv', '--type', 'error');
    assert.deepEqual([csv.code, csv.err], [0, '2 entries.\n']);
    const lines = csv.out.split('\r\n');
    assert.match(lines[0] ?? '', /^id,parent_id,module,code,data,type,timestamp,/);
    assert.match(lines[1] ?? '', /^1201,0,test,'=cmd\|x::1,"\{""a"":""=1""\}",error,2026-11-20T12:00:00\+00:00,/);
    assert.match(lines[2] ?? '', /https:\/\/x\.example\/\ufffd\ufffd/);

    const by = async (address: string) =>
      (await place.run('logs', 'export', '--format', 'csv', '--ip', address)).out.split('\r\n').length - 2;
    assert.deepEqual([await by('2001:DB8:0::1'), await by('::ffff:127.0.0.1')], [1, 1_201]);

    const jsonl = await place.run('logs', 'export', '--format', 'jsonl', '--module', 'test');
    const records = jsonl.out.trimEnd().split('\n');
    assert.deepEqual([jsonl.code, records.length, jsonl.err], [0, 1_202, '1,202 entries.\n']);
    assert.deepEqual(JSON.parse(records[1_200]!).about, ['1']);
    assert.match(records[1_201]!, /x\.example\/\\u202e\\u009b/);
    const some = await place.run('logs', 'export', '--format', 'jsonl', '--code', 'many::11%', '--search', '127.');
    assert.equal(some.out.trimEnd().split('\n').length, 111);

    const tail = callGatehouse(['logs', 'tail', '--lines', '1', '--module', 'test', ...place.where], place);
    engine.atEnd(async () => {
      tail.stop();
      await tail.ended;
    });
    await tail.until(/error {2}test steers {2}2001:db8::1 {2}https/);
    await keep([entry('comes'), entry('other', { module: 'other' })]);
    await tail.until(/notice {2}test comes {2}127\.0\.0\.1 {2}wp-cron\n/);
    tail.stop();
    const { code, out, err } = await tail.ended;
    assert.deepEqual([code, out.split('\n').length, out.includes('other')], [0, 3, false], err);
  });

  test('says where entries go that are not kept in the database, and shows those from before', async () => {
    const place = await aMadePlace(engine);
    const { data, database } = place;
    const store = await openStore({ data, ...(database && { database }), tables: tableOwners(), log: keptLog() });
    engine.atEnd(() => store.close());
    await createKeep(store, hash)([entry('before')]);
    const global = { module: 'global', stored: '{"log_type":"file","log_location":"/srv/logs"}' };
    await store.write((tx) => tx.insertInto('secsuite_settings').values(global).execute());
    const { code, out, err } = await place.run('logs', 'export', '--format', 'jsonl');
    assert.deepEqual([code, JSON.parse(out).code], [0, 'before'], err);
    assert.match(err, /go to files in \/srv\/logs/);
  });

  test('refuses what it cannot do', async () => {
    const place = await aMadePlace(engine);
    const cases: readonly (readonly [args: readonly string[], code: number, said: RegExp])[] = [
      [['export'], 2, /needs --format/],
      [['export', '--format', 'xml'], 2, /The format xml does not exist; choose from csv and jsonl/],
      [['export', '--format', 'csv', '--type', 'loud'], 2, /The type loud does not exist/],
      [['export', '--format', 'csv', '--before', 'soon'], 2, /--before is not a valid time/],
      [['export', '--format', 'csv', '--after', '2026-13-01'], 2, /--after is not a valid time/],
      [['export', '--format', 'csv', '--after', '2026-11-20T25:61:00Z'], 2, /--after is not a valid time/],
      [['export', '--format', 'csv', '--ip', '10.0.0.0/8'], 2, /10\.0\.0\.0\/8 is not a valid IP address/],
      [['export', '--format', 'csv', '--user', 'nobody'], 1, /User nobody does not exist/],
      [['tail', '--lines', '-1'], 2, /--lines/],
      [['tail', '--module', 'nope'], 2, /The log has no module nope; choose from backup, brute_force, core, /],
      [['export', '--format', 'csv', '--module', 'nope'], 2, /The log has no module nope/],
    ];
    for (const [args, code, said] of cases) {
      const ended = await place.run('logs', ...args);
      assert.deepEqual([ended.code, ended.out], [code, ''], ended.err);
      assert.match(ended.err, said);
    }
  });
});

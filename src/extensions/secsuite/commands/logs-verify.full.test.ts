import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '#store/store.ts';
import { eachEngine, keptLog } from '#test/databases.ts';
import { aMadePlace } from '#test/serving.ts';
import { tableOwners } from '../../../boot/tables.ts';

eachEngine('gatehouse logs verify', (engine) => {
  test('names the entry that was changed by hand, and notices a shortened log by its checkpoint', async () => {
    const place = await aMadePlace(engine);
    const { data, database } = place;
    const folder = join(data, 'checkpoints');
    await mkdir(folder, { recursive: true });
    const where = ['--log-checkpoints', folder];
    const verify = (...more: string[]) => place.run('logs', 'verify', ...more);
    assert.match((await verify()).out, /^(?:The security log is empty|The chain has no entries)/);
    for (const n of [1, 2, 3]) assert.equal((await place.run('secsuite', 'allow', `192.0.2.${n}`)).code, 0);
    const sound = await verify();
    assert.deepEqual([sound.code, /^3 entries, in a chain that began on /.test(sound.out)], [0, true], sound.out);
    assert.match(sound.err, /GATEHOUSE_LOG_CHECKPOINTS/);
    assert.equal((await place.run('logs', 'checkpoint')).code, 1);
    assert.equal((await place.run('logs', 'checkpoint', ...where)).code, 0);
    const proven = await verify(...where);
    assert.deepEqual([proven.code, /Up to entry 3, /.test(proven.err)], [0, true], proven.err);

    const byHand = async (statement: string): Promise<void> => {
      const store = await openStore({ data, ...(database && { database }), tables: tableOwners(), log: keptLog() });
      await store.write((tx) => sql.raw(statement).execute(tx));
      await store.close();
    };
    await byHand(`update secsuite_logs set remote_ip = '203.0.113.9' where id = 2`);
    const changed = await verify();
    assert.deepEqual([changed.code, changed.out], [1, 'Entry 2 was changed.\n']);
    await byHand(`update secsuite_logs set remote_ip = '' where id = 2`);
    assert.equal((await verify(...where)).code, 0);

    await byHand('delete from secsuite_logs where id = 3');
    await byHand('update secsuite_log_chain set last_seq = 2');
    assert.equal((await verify()).code, 0);
    const shortened = await verify(...where);
    assert.deepEqual([shortened.code, /^Entry 3 is missing, /.test(shortened.out)], [1, true], shortened.out);

    const [name = ''] = await readdir(folder);
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), text.replace('"seq": 3', '"seq": 2'));
    const forged = await verify(...where, '--json');
    assert.deepEqual([forged.code, JSON.parse(forged.out).foreign], [1, [name]]);
  });
});

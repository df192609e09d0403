// own process
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite, type Walled } from '#test/firewall-alone.ts';
import type { RuleTables } from './tables.ts';

const posts = '/api/core/v2/posts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** In MB, of what is still needed. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const rowOf = (at: number) => ({
  provider: 'user',
  provider_ref: '',
  vulnerability: '',
  name: `Rule ${at}`,
  folded: `rule ${at}`,
  config: JSON.stringify({
    type: 'LOG',
    rules: [{ parameter: `get.word${at}`, match: { type: 'regex', value: `/secret${at}[a-z]{2,9}(one|other)/i` } }],
  }),
  created_at: '2026-11-20T12:00:00.000Z',
  paused_at: null,
});

async function withRules(site: Walled, count: number): Promise<number[]> {
  const store = site.app.services.store as never as Store<RuleTables>;
  const rows = await store.write((tx) =>
    tx
      .insertInto('secsuite_firewall_rules')
      .values(Array.from({ length: count }, (_, at) => rowOf(at)))
      .returning('id')
      .execute(),
  );
  await site.alone.firewall.running.refresh();
  return rows.map(({ id }) => id);
}

eachEngine('Many rules', (engine) => {
  test('leave nothing behind when they are changed, made and deleted', async () => {
    const site = await aWalledSite(engine);
    const ids = await withRules(site, 200);
    const { rules, running } = site.alone.firewall;
    const config = (at: number) => JSON.parse(rowOf(at).config);
    const rounds = async (count: number) => {
      for (let at = 0; at < count; at++) {
        await rules.change(ids[at % ids.length]!, { name: `Renamed ${at}` });
        await rules.change(ids[0]!, { config: config(1_000 + at) });
        const { id } = await rules.add({ name: 'Short', config: config(2_000 + at), paused: false });
        await rules.remove(id);
      }
      await running.refresh();
    };
    await rounds(20);
    const before = heap();
    await rounds(200);
    const grown = heap() - before;
    assert.ok(grown < 3, `the heap grew by ${grown.toFixed(1)} MB`);
    assert.equal(running.now.sizes.early, 200);
  });

  test('do not make the next one dearer: with 10,000 of them it is made, and met, as the first', async () => {
    const [few, site] = [await aWalledSite(engine), await aWalledSite(engine)];
    for (let time = 0; time < 10; time++) await withRules(site, 1_000);
    let made = 100_000;
    const timed = async ({ alone }: typeof site, count: number): Promise<number> => {
      const began = process.threadCpuUsage();
      for (let time = 0; time < count; time++) {
        const config = JSON.parse(rowOf(made).config);
        await alone.firewall.rules.add({ name: `Rule ${made++}`, config, paused: false });
      }
      const { user, system } = process.threadCpuUsage(began);
      return (user + system) / count;
    };
    await Promise.all([timed(few, 300), timed(site, 300)]);
    // In turn, and of each the quietest moment: a machine that others use is slower now and then.
    const times = { few: [] as number[], many: [] as number[] };
    for (let round = 0; round < 5; round++) {
      times.few.push(await timed(few, 80));
      times.many.push(await timed(site, 80));
    }
    const [little, much] = [Math.min(...times.few), Math.min(...times.many)];
    assert.ok(much < 2 * little, `${little} µs of work for each of the first rules, ${much} µs with 10,000 more`);
    await site.get(`${posts}?word${made - 1}=secret${made - 1}abone`);
    assert.equal(site.codes().length, 1);
  });

  test('are made ready one by one: a change of one reads and makes that one', async () => {
    const site = await aWalledSite(engine);
    const ids = await withRules(site, 500);
    const { rules, running } = site.alone.firewall;
    const before = running.now;
    const began = process.threadCpuUsage();
    for (let at = 0; at < 20; at++) await rules.change(ids[at]!, { name: `Renamed ${at}` });
    const { user, system } = process.threadCpuUsage(began);
    assert.equal(running.now, before);
    // Making all 500 again took 66 ms for each change.
    assert.ok((user + system) / 1000 / 20 < 20, `${(user + system) / 1000 / 20} ms for each change`);
    await rules.remove(ids[7]!);
    assert.equal((await site.get(`${posts}?word7=secret7abone`)).status, 200);
    await site.get(`${posts}?word8=secret8abone`);
    assert.deepEqual(site.codes(), [`LOG::${ids[8]}`]);
  });
});

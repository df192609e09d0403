import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aWalledSite } from '#test/firewall-alone.ts';
import type { RuleTables } from './tables.ts';

const posts = '/api/core/v2/posts';
const bad = { parameter: 'get.bad', match: { type: 'isset' } };

eachEngine('Rules that run', (engine) => {
  test('are without those that nobody can run, which is told once for each way they are kept', async () => {
    const site = await aWalledSite(engine);
    const { store } = site.app.services;
    await site.rule('BLOCK', [bad]);
    const broken = await site.rule('BLOCK', [bad]);
    const keep = async (config: string) => {
      await (store as never as Store<RuleTables>).write((tx) =>
        tx.updateTable('secsuite_firewall_rules').set({ config }).where('id', '=', broken).execute(),
      );
      await site.alone.firewall.running.refresh();
      await site.rule('LOG', [bad]);
    };
    await keep('{"type":');
    assert.deepEqual(site.codes(), [`rule-left-out::${broken}`]);
    await keep('{"type":"BLOCK","rules":[{"parameter":"get.a","match":{"type":"zzz"}}]}');
    assert.deepEqual(site.codes(), [`rule-left-out::${broken}`]);
    assert.equal((await site.get(`${posts}?bad=1`)).body.code, 'secsuite_firewall_blocked');
    assert.equal((await site.get(posts)).status, 200);
  });

  test('may take only so long: others are asked to come again, those who are trusted go on', async () => {
    const site = await aWalledSite(engine);
    const slow = ['a', 'b', 'c', 'd'].map((sign) => ({
      parameter: 'raw.content',
      match: { type: 'regex', value: `/(${sign}x*y|z${sign}+q)$/` },
    }));
    await site.rule('LOG', slow);
    site.alone.isSlow = true;
    const ask = () => site.post(posts, { content: 'abcdxyz '.repeat(4_000) });
    const { status, body, headers } = await ask();
    assert.deepEqual([status, body.code], [503, 'secsuite_firewall_busy']);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.deepEqual(site.codes(), ['over-budget']);
    site.alone.isTrusted = true;
    assert.equal((await ask()).status, 401);
  });
});

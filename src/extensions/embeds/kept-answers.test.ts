import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { createKeptAnswers } from './others.ts';
import { type EmbedsTables, tables } from './tables.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');

eachEngine('what others answered', (engine) => {
  test('is no more than ten thousand answers: the oldest go', async () => {
    const store: Store<EmbedsTables> = await engine.store([{ owner: 'embeds', ...tables! }]);
    const kept = createKeptAnswers(store, () => new Date(noon));
    const rows = Array.from({ length: 10_005 }, (_, at) => ({
      key: `kept ${at}`,
      answer: '{}',
      reason: null,
      until: new Date(noon + 1000 + at).toISOString(),
    }));
    await store.write(async (tx) => {
      for (let from = 0; from < rows.length; from += 1_000)
        await tx
          .insertInto('embeds_answers')
          .values(rows.slice(from, from + 1_000))
          .execute();
    });
    await kept.keep('asked now', { answer: { title: 'Now' } });
    assert.deepEqual(await kept.find('asked now'), { answer: { title: 'Now' } });
    const all = await store.db.selectFrom('embeds_answers').select(['key', 'until']).orderBy('until').execute();
    assert.equal(all.length, 10_001);
    assert.deepEqual([all[0]?.key, all.at(-2)?.key], ['kept 5', 'kept 10004']);
    assert.equal(all.at(-1)?.until, new Date(noon + day).toISOString());
  });
});

// Records that are remembered as anybody gets them show what another process changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { asAnybody, furnished, steps } from '#test/record-changes.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';

eachEngine('What anybody gets of another process', (engine) => {
  test('shows every change within a second', async () => {
    const site = await aSite(engine);
    const { data, database } = site.config;
    const elsewhere = await aSite(engine, { config: { data, ...(database && { database }) } });
    const ids = await furnished(site);
    await checkRows(steps, async ({ work }) => {
      const earlier = await asAnybody(site);
      await withinASecond(async () => (await asAnybody(elsewhere)) === earlier, true);
      const { status, text } = await work(site.as('administrator'), ids);
      assert.equal(status, 200, text);
      const now = await asAnybody(site);
      await withinASecond(async () => (await asAnybody(elsewhere)) === now, true);
    });
  });
});

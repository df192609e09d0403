// Test data stays known as such on the site that made it, and nowhere else.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { comment, exportOf, item, meta } from '#test/wxr.ts';
import { withImportLease } from './import-lease.ts';
import { arriveFrom } from './wxr/arrive.ts';
import { createExporting } from './wxr/write.ts';

const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false } as const;

async function arrive({ app, config }: TestSite, file: string): Promise<void> {
  const path = join(config.data, 'export.xml');
  writeFileSync(path, file);
  const needs = { ...app.services, url: config.url };
  await withImportLease(app.services, { holder: 'a test', what: 'A test' }, (store) =>
    arriveFrom(path, { ...needs, store }, { ...how, file: async () => undefined }, { reading() {}, settling() {} }),
  );
}

const marks = [
  meta('_datagen', '1'),
  meta('_datagen_run', '"spring"'),
  meta('_data\u{fffd}gen', '2'),
  meta('mood', 'good'),
  meta('_datagenerator', 'of others'),
];
const fileOf = (...more: string[]) =>
  exportOf(item({ guid: 'https://old.example/?p=7', 'wp:post_id': 7 }, comment(3), ...more));

eachEngine('Marks of test data', (engine) => {
  const kept = async ({ app: { services } }: TestSite) =>
    (await services.store.db.selectFrom('post_meta').select(['key', 'value']).orderBy('value').execute()).map(
      ({ key, value }) => [key, value],
    );

  test('do not come in with a file, nor with the same file once more', async () => {
    const site = await aSite(engine);
    await site.credentials('administrator');
    const rest = [
      ['_data\u{fffd}gen', '"2"'],
      ['mood', '"good"'],
      ['_datagenerator', '"of others"'],
    ];
    await arrive(site, fileOf(...marks));
    assert.deepEqual(await kept(site), rest);
    await arrive(site, fileOf(meta('_datagen', '1'), meta('_datagen_made', '"x"'), ...marks));
    assert.deepEqual(await kept(site), rest);
  });

  test('do not go out with one, and all else does', async () => {
    const site = await aSite(engine);
    const { id } = (await site.as('editor').post('/api/core/v2/posts', { title: 'One', status: 'publish' })).body;
    const rows = ['_datagen', '_datagen_run', '_datagen_original_url', '_datagen2', 'mood'].map((key) => ({
      post_id: id,
      key,
      value: '"1"' as never,
    }));
    await site.app.services.store.write((tx) => tx.insertInto('post_meta').values(rows).execute());
    let text = '';
    await createExporting(site.app.services).write({}, async (pieces) => {
      for await (const piece of pieces) text += piece;
    });
    assert.match(text, /\[mood\]/);
    assert.match(text, /\[_datagen2\]/);
    assert.doesNotMatch(text, /_datagen(?!2)/);
  });
});

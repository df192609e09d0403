import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { anObjectStore } from '#test/s3.ts';
import { aSite } from '#test/site.ts';

describe('A site', () => {
  const engine = testEngine('sqlite');
  let store: Awaited<ReturnType<typeof anObjectStore>>;
  before(async () => {
    store = await anObjectStore();
  });
  after(() => store.close());
  const env = () => ({
    GATEHOUSE_MEDIA: `s3://media/site?endpoint=${store.media.endpoint}`,
    AWS_ACCESS_KEY_ID: store.keys.id,
    AWS_SECRET_ACCESS_KEY: store.keys.secret,
  });

  test('keeps its files in the data folder', async () => {
    const { app, config } = await aSite(engine);
    await app.services.files.put('2026/11/a.txt', Buffer.from('mine'));
    assert.equal(readFileSync(join(config.data, 'media/2026/11/a.txt'), 'utf8'), 'mine');
  });

  test('or in the bucket that GATEHOUSE_MEDIA names', async () => {
    const { app } = await aSite(engine, { env: env() });
    await app.services.files.put('2026/11/a.txt', Buffer.from('mine'));
    assert.equal(store.files.get('site/2026/11/a.txt')?.bytes.toString(), 'mine');
  });

  test('starts and answers while its bucket is away', async () => {
    await store.away();
    const site = await aSite(engine, { env: env() });
    assert.equal((await site.get('/api')).status, 200);
  });
});

// Files of a site that keeps them in an object store: all of what holds for a folder, and what holds when the store is in trouble.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { mediaSuite, stored } from '#test/media-suite.ts';
import { picture } from '#test/pictures.ts';
import { anObjectStore } from '#test/s3.ts';
import { aSite } from '#test/site.ts';
import { aside, fetched, kept, known, media, nothing, send } from '#test/uploads.ts';

eachEngine('Files in an object store', async (engine) => {
  const store = await anObjectStore();
  engine.atEnd(() => store.close());
  const site = await aSite(engine, {
    env: {
      GATEHOUSE_MEDIA: `s3://${store.media.bucket}/site?endpoint=${store.media.endpoint}`,
      AWS_ACCESS_KEY_ID: store.keys.id,
      AWS_SECRET_ACCESS_KEY: store.keys.secret,
    },
  });

  mediaSuite(async () => site);

  test('lie below the prefix, with their kind, and nowhere on this machine', async () => {
    const { body } = await send(site, 'author', 'a.png', await picture(200, 200, 'png'));
    const all = [...store.files].map(([key, { type }]) => `${key} ${type}`).sort();
    assert.deepEqual(all, ['site/2026/11/a-150x150.png image/png', 'site/2026/11/a.png image/png']);
    assert.deepEqual([kept(site), aside(site)], [[], []]);
    await site.as('author').delete(`${media}/${body.id}?force=true`);
    assert.equal(store.files.size, 0);
  });

  test('are all there or none: a store that takes no more of them leaves nothing', async () => {
    store.trouble({ answers: 403, code: 'AccessDenied' }, 1, (asked) => asked.startsWith('PUT') && /300x/.test(asked));
    const answer = await send(site, 'author', 'a.jpg', await picture(400, 300));
    assert.deepEqual([answer.status, answer.body.code], [503, 'storage_unavailable']);
    assert.deepEqual([store.files.size, aside(site)], [0, []]);
    assert.deepEqual(await known(site), { posts: nothing.posts, files: nothing.files, names: nothing.names });
    site.log.lines.length = 0;
  });

  test('are told to be gone where the store has them no more, and away where it is', async () => {
    const { body } = await send(site, 'author', 'a.txt', 'hello');
    store.files.clear();
    assert.equal((await fetched(site, body.source_url)).status, 404);
    assert.equal((await site.as('author').delete(`${media}/${body.id}?force=true`)).status, 200);
    assert.deepEqual(await stored(site), []);
    store.trouble({ answers: 403, code: 'AccessDenied' }, 1, (asked) => asked.startsWith('HEAD'));
    const away = await fetched(site, body.source_url);
    assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '5']);
    assert.equal(JSON.parse(away.bytes.toString()).code, 'storage_unavailable');
    site.log.lines.length = 0;
  });
});

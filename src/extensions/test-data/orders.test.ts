import assert from 'node:assert/strict';
import { test } from 'node:test';
import { second } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite, type Client, noon, type TestSite } from '#test/site.ts';
import { ordered, testDataOf } from '#test/test-data.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';

/** As clients do it: the same again with what the part before has answered. */
async function whole(client: Client, kind: string, order: object) {
  const parts = [];
  for (let part: object = {}; ; ) {
    const { status, body } = await ordered(client, kind, { ...order, ...part });
    assert.equal(status, 200, JSON.stringify(body));
    parts.push(body);
    if (body.data.is_capped !== true) return parts;
    part = { offset: body.data.offset, total: body.data.total };
  }
}

eachEngine('orders of test data', (engine) => {
  const open = (env: Record<string, string> = {}) => aSite(engine, { extensions: [core, testData], env });

  test('forty posts are three calls', async () => {
    const editor = (await open()).as('editor');
    const parts = await whole(editor, 'posts', { quantity: 40, seed: 'forty' });
    assert.deepEqual(
      parts.map(({ data }) => [data.generated, data.offset, data.total, data.is_capped]),
      [
        [15, 15, 40, true],
        [15, 30, 40, true],
        [10, 40, 40, false],
      ],
    );
    assert.equal(parts[1].message, '15 posts made: 30 of 40.');
    const ids = parts.flatMap(({ data }) => data.ids);
    assert.equal(new Set(ids).size, 40);
    assert.equal((await editor.get('/api/core/v2/posts')).headers.get('x-wp-total'), '40');
  });

  test('a part beyond the end makes nothing, and says no more than there is', async () => {
    const { body } = await ordered((await open()).as('editor'), 'posts', { total: 20, offset: 50 });
    assert.deepEqual([body.message, body.data.generated], ['0 posts made: 20 of 20.', 0]);
  });

  test('pages are called pages', async () => {
    const order = { quantity: 1, post_type: 'page' };
    assert.equal((await ordered((await open()).as('editor'), 'posts', order)).body.message, '1 page made.');
  });

  test('what fits into one call says nothing of parts', async () => {
    const site = await open();
    const { body } = await ordered(site.as('editor'), 'posts', { quantity: 1, seed: 7 });
    const [id] = body.data.ids;
    assert.deepEqual(body, {
      success: true,
      message: '1 post made.',
      data: {
        generated: 1,
        ids: [id],
        links: [`<a href="http://site.test/api/core/v2/posts/${id}?context=edit">${id}</a>`],
        time: 0,
        seed: 7,
      },
    });
  });

  test('a seed that is a text of digits stays a text, and finds what it made', async () => {
    const site = await open();
    const { removal } = testDataOf(site);
    const seeds = ['007', '1e3', ' 5', '98765432109876543210', '18765432109876543210', '12345678901234e7'];
    for (const seed of seeds) {
      const { body } = await ordered(site.as('editor'), 'posts', { quantity: 1, seed });
      assert.equal(body.data.seed, seed);
      assert.equal((await removal.count(seed)).posts, 1);
    }
  });

  test('the same seed makes the same, wherever a part ends', async () => {
    const [one, other] = [await open(), await open({ GATEHOUSE_DATAGEN_BATCH: '7' })];
    for (const site of [one, other]) await ordered(site.as('editor'), 'terms', { quantity: 6, seed: 'tree' });
    const order = { quantity: 17, seed: 'spring', meta: { mood: { type: 'words', qty: 3 }, weight: 5 } };
    const told = [];
    for (const site of [one, other]) {
      await whole(site.as('editor'), 'posts', order);
      const { body } = await site
        .as('editor')
        .get(
          '/api/core/v2/posts?context=edit&per_page=100&orderby=id&order=asc&_fields=title,content,excerpt,date,status,categories,comment_status',
        );
      const meta = await site.app.services.store.db
        .selectFrom('post_meta')
        .selectAll()
        .orderBy('post_id')
        .orderBy('key')
        .execute();
      told.push({ body, meta });
    }
    assert.equal(told[0]!.body.length, 17);
    assert.deepEqual(told[0], told[1]);
    const again = await ordered(one.as('editor'), 'posts', { ...order, quantity: 3, seed: 'autumn' });
    const { body } = await one.get(`/api/core/v2/posts/${again.body.data.ids[0]}`);
    assert.ok(told[0]!.body.every((post: { title: { raw: string } }) => post.title.raw !== body.title.rendered));
  });

  test('a part that sends the seed it was told goes on with its run; one that sends none begins another, and makes nothing twice', async () => {
    const [one, other, whole] = [await open(), await open(), await open({ GATEHOUSE_DATAGEN_BATCH: '100' })];
    const first = await ordered(one.as('editor'), 'posts', { quantity: 20 });
    const { seed, offset, total } = first.body.data;
    assert.deepEqual([offset, total, typeof seed], [15, 20, 'string']);
    const titles = async (site: TestSite) => {
      const query = 'per_page=100&orderby=id&order=asc&_fields=title,date';
      const { body } = await site.get(`/api/core/v2/posts?${query}`);
      return body.map(({ title, date }: Record<string, { rendered: string }>) => `${title!.rendered} ${date}`);
    };
    await ordered(one.as('editor'), 'posts', { quantity: 20, seed, offset, total });
    await ordered(whole.as('editor'), 'posts', { quantity: 20, seed });
    assert.deepEqual(await titles(one), await titles(whole));
    assert.equal((await testDataOf(one).removal.count(seed)).posts, 20);

    await ordered(other.as('editor'), 'posts', { quantity: 20, seed });
    const alone = await ordered(other.as('editor'), 'posts', { quantity: 20, offset, total });
    assert.notEqual(alone.body.data.seed, seed);
    assert.equal(new Set(await titles(other)).size, 20);
    assert.equal((await testDataOf(other).removal.count(alone.body.data.seed)).posts, 5);
  });

  test('what is drawn of the site does not depend on where a part ends, nor does what is drawn beside it', async () => {
    const meta = {
      like: { type: 'query' },
      as: { type: 'letter' },
      rank: { type: 'numbers', number: [1, 99] },
      from: { type: 'ip' },
      with: { type: 'attachment' },
    };
    const told = [];
    for (const batch of ['15', '3']) {
      const site = await open({ GATEHOUSE_DATAGEN_BATCH: batch });
      const { db } = site.app.services.store;
      const ids: number[] = [];
      for (const [kind, size] of [
        ['posts', {}],
        ['attachments', { width: 60 }],
      ] as const) {
        const parts = await whole(site.as('editor'), kind, { quantity: 5, seed: 'det', meta, ...size });
        ids.push(...parts.flatMap(({ data }) => data.ids));
      }
      const rows = await db.selectFrom('post_meta').selectAll().where('key', 'in', Object.keys(meta)).execute();
      told.push(rows.map(({ post_id, key, value }) => `${ids.indexOf(post_id)} ${key} ${value}`).sort());
    }
    assert.equal(told[0]!.length, 35);
    assert.deepEqual(told[0], told[1]);
  });

  test('pictures that take long end a part before it is full', async () => {
    let now = noon.getTime();
    const later = (): Date => {
      now += 21 * second;
      return new Date(now);
    };
    const slow = await aSite(engine, { extensions: [core, testData], clock: later });
    const parts = await whole(slow.as('editor'), 'attachments', { quantity: 3, width: 60, seed: 'slow' });
    assert.deepEqual(
      parts.map(({ data }) => [data.generated, data.offset, data.total, data.is_capped]),
      [
        [1, 1, 3, true],
        [1, 2, 3, true],
        [1, 3, 3, false],
      ],
    );
  });

  test('after it was taken away, the same order gives the same titles', async () => {
    const site = await open();
    const titles = async () => {
      await ordered(site.as('editor'), 'posts', { quantity: 5, seed: 'twice' });
      const { body } = await site.get('/api/core/v2/posts?orderby=id&order=asc&_fields=title,slug,date');
      return body;
    };
    const first = await titles();
    await testDataOf(site).removal.remove();
    assert.deepEqual(await titles(), first);
  });

  test('qty says between how many, and comes before quantity; nobody says: ten', async () => {
    const editor = (await open({ GATEHOUSE_DATAGEN_BATCH: '100' })).as('editor');
    const made = async (order: object) =>
      (await ordered(editor, 'terms', { taxonomy: 'post_tag', ...order })).body.data.generated;
    assert.equal(await made({}), 10);
    const drawn = await made({ qty: { min: 3, max: 6 }, quantity: 50 });
    assert.ok(drawn >= 3 && drawn <= 6, `${drawn}`);
    assert.equal(await made({ qty: { min: 4, max: 2 } }), 4);
    assert.equal(await made({ qty: { min: 2 } }), 2);
    assert.equal(await made({ quantity: null }), 10);
  });

  test('whoever goes on behind the end gets nothing, and no error', async () => {
    const editor = (await open()).as('editor');
    const { status, body } = await ordered(editor, 'posts', { quantity: 10, total: 20, offset: 20 });
    assert.equal(status, 200);
    const { seed: _, ...data } = body.data;
    assert.deepEqual(data, { generated: 0, ids: [], links: [], time: 0, is_capped: false, offset: 20, total: 20 });
  });

  test('everything is marked, and by what it was made', async () => {
    const site = await open();
    const admin = site.as('administrator');
    const own = ['posts', 'terms', 'users', 'comments'] as const;
    const { db } = site.app.services.store;
    for (const kind of own) {
      const { body } = await ordered(admin, kind, { quantity: 2, seed: 'marked', meta: { mood: 'good' } });
      const one = kind.slice(0, -1) as 'post' | 'term' | 'user' | 'comment';
      const rows = await db
        .selectFrom(`${one}_meta`)
        .selectAll()
        .where(`${one}_id`, '=', body.data.ids[0])
        .orderBy('key')
        .execute();
      assert.deepEqual(
        rows.map(({ key, value }) => [key, key === '_datagen_made' ? 'so' : JSON.parse(String(value))]),
        [
          ['_datagen', 1],
          ['_datagen_made', 'so'],
          ['_datagen_run', 'marked'],
          ['mood', 'good'],
        ],
        kind,
      );
    }
  });

  test('two orders at once do not hinder each other', async () => {
    const site = await open();
    const admin = site.as('administrator');
    const kinds = ['posts', 'posts', 'terms', 'terms', 'users', 'users'];
    const answers = await Promise.all(kinds.map((kind) => ordered(admin, kind, { quantity: 12, seed: 'at once' })));
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.data.generated]),
      kinds.map(() => [200, 12]),
    );
    assert.equal((await site.get('/api/core/v2/posts')).headers.get('x-wp-total'), '24');
    const slugs = await site.app.services.store.db.selectFrom('posts').select('slug').distinct().execute();
    assert.equal(slugs.length, 24);
  });

  test('nobody is told by letter', async () => {
    const site = await open();
    const admin = site.as('administrator');
    await ordered(admin, 'posts', { quantity: 2 });
    await ordered(admin, 'users', { quantity: 2 });
    for (const comment_status of ['approve', 'hold']) await ordered(admin, 'comments', { quantity: 5, comment_status });
    await site.app.services.events.settled();
    await site.app.services.jobs.settled();
    const { db } = site.app.services.store;
    assert.deepEqual(await db.selectFrom('mail_entries').selectAll().execute(), []);
    assert.deepEqual(await db.selectFrom('jobs').select('kind').where('kind', 'like', 'mail%').execute(), []);
  });
});

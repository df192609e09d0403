// An extension adds a field and a filter to posts: shown, kept, searched by and described like any other, on both faces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { Addition } from '#site/content/extending.ts';
import type { AnyEntry, Entry, Toolkit } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { testClock } from '#test/queue.ts';
import { aSite, type TestSite } from '#test/site.ts';
import type { Deployment } from '../../src/config.ts';
import { core } from '../../src/extensions/core/extension.ts';

interface Stars {
  of(posts: readonly number[]): Promise<Map<number, number>>;
}

const stars: Entry<Stars> = ({ t, sql, Problem }) => ({
  name: 'stars',
  tables: {
    migrations: [
      {
        name: '0001-stars',
        up: async ({ db, table, column }) => {
          await table('stars_given')
            .addColumn('post_id', column.integer, (c) => c.primaryKey().references('posts.id'))
            .addColumn('stars', column.integer, (c) => c.notNull())
            .execute();
          await db.schema.createIndex('stars_given_order').on('stars_given').columns(['stars', 'post_id']).execute();
        },
      },
    ],
  },
  nouns: ({ store }) => ({
    async of(posts) {
      const rows = await store.db.selectFrom('stars_given').selectAll().where('post_id', 'in', posts).execute();
      return new Map(rows.map(({ post_id, stars: given }) => [post_id as number, given as number]));
    },
  }),
  routes: {},
  extends: { post: starred({ t, sql, Problem }), attachment: starred({ t, sql, Problem }) },
});

function starred({ t, sql, Problem }: Pick<Toolkit<Stars>, 't' | 'sql' | 'Problem'>): Addition<Stars> {
  return {
    fields: {
      stars: {
        schema: t.optional(t.integer({ minimum: 0, context: ['view', 'edit'], description: 'How good it is.' })),
        of: (posts, nouns) => nouns.of(posts),
        rests: ['stars_given'],
        order: { table: 'stars_given', key: 'post_id', value: 'stars' },
        async keep(tx, { id }, value) {
          if (value === 13) throw new Problem(400, 'stars_unlucky', 'Thirteen stars bring bad luck.');
          await sql`delete from stars_given where post_id = ${id}`.execute(tx);
          await sql`insert into stars_given (post_id, stars) values (${id}, ${value})`.execute(tx);
        },
      },
    },
    filters: {
      min_stars: {
        schema: t.optional(t.integer({ description: 'Only what has so many.' })),
        where: (least) => sql`posts.id in (select post_id from stars_given where stars >= ${least})`,
      },
    },
    erased: async (tx, { id }) => void (await sql`delete from stars_given where post_id = ${id}`.execute(tx)),
  };
}

const named = (...names: string[]): AnyEntry[] =>
  names.map(
    (name): AnyEntry =>
      () => ({
        name,
        nouns: () => ({}),
        routes: {},
        extends: { post: { fields: { stars: { schema: {}, of: async () => new Map() } } } },
      }),
  );

const writtenPost = async (site: TestSite, given: number | undefined): Promise<number> =>
  (
    await site
      .as('editor')
      .post('/api/core/v2/posts', { title: 'One', status: 'publish', ...(given !== undefined && { stars: given }) })
  ).body.id;

const sentPicture = async (site: TestSite, given: number | undefined): Promise<number> => {
  const { body } = await site
    .as('editor')
    .request('POST', `/api/core/v2/media${given === undefined ? '' : `?stars=${given}`}`, {
      headers: { 'content-disposition': 'attachment; filename="a.png"', 'content-type': 'image/png' },
      body: await picture(10, 10, 'png'),
    });
  return body.id;
};

eachEngine('an extended type', (engine) => {
  for (const root of ['/api/core/v2', '/wp-json/wp/v2'])
    test(`has a field and a filter more, below ${root}`, async () => {
      const site = await aSite(engine, { extensions: [core, stars] });
      const editor = site.as('editor');
      const add = async (said: object) =>
        (await editor.post(`${root}/posts`, { status: 'publish', ...said })).body as { id: number; stars?: number };
      const [poor, good] = [await add({ title: 'Poor', stars: 1 }), await add({ title: 'Good', stars: '5' })];
      await add({ title: 'Nobody said' });
      assert.deepEqual([poor.stars, good.stars], [1, 5]);
      const list = async (query: string) => {
        const { body } = await site.get(`${root}/posts?${query}&order=asc&orderby=id&_fields=id,stars`);
        return body;
      };
      assert.deepEqual(await list('min_stars=2'), [{ id: good.id, stars: 5 }]);
      assert.equal((await list('')).length, 3);
      assert.equal((await editor.patch(`${root}/posts/${poor.id}`, { stars: 4 })).body.stars, 4);
      assert.equal((await list('min_stars=2')).length, 2);
      const { body } = await site.options(`${root}/posts`);
      assert.equal(body.endpoints[0].args.min_stars.type, 'integer');
      assert.equal(body.endpoints[1].args.stars.minimum, 0);
      assert.deepEqual(body.schema.properties.stars.context, ['view', 'edit']);
      assert.equal('stars' in (await site.options(`${root}/pages`)).body.schema.properties, false);
    });

  for (const kind of ['posts', 'media'])
    test(`sorts lists of ${kind} by its field, with the total of the list and what has no value last`, async () => {
      const site = await aSite(engine, { extensions: [core, stars] });
      const add = async (given: number | undefined) =>
        kind === 'media' ? await sentPicture(site, given) : await writtenPost(site, given);
      const [two, none, nine, other] = [await add(2), await add(undefined), await add(9), await add(2)];
      const sorted = async (query: string) => {
        const { body, headers } = await site.get(`/api/core/v2/${kind}?orderby=stars&per_page=3&_fields=id&${query}`);
        return [body.map(({ id }: { id: number }) => id), headers.get('x-wp-total'), headers.get('x-wp-totalpages')];
      };
      assert.deepEqual(await sorted('order=desc'), [[nine, other, two], '4', '2']);
      assert.deepEqual(await sorted('order=desc&page=2'), [[none], '4', '2']);
      assert.deepEqual(await sorted('order=asc'), [[two, other, nine], '4', '2']);
      const { body } = await site.options(`/api/core/v2/${kind}`);
      assert.equal(body.endpoints[0].args.orderby.enum.includes('stars'), true);
      assert.equal((await site.get('/api/core/v2/pages?orderby=stars')).status, 400);
    });

  test('sorts what a search finds, and records of several statuses, by its field', async () => {
    const site = await aSite(engine, { extensions: [core, stars] });
    const editor = site.as('editor');
    const add = async (said: object): Promise<number> =>
      (await editor.post('/api/core/v2/posts', { title: 'One', status: 'publish', ...said })).body.id;
    const [two, none, nine] = [await add({ stars: 2 }), await add({}), await add({ stars: 9 })];
    const [draft, other] = [await add({ stars: 5, status: 'draft' }), await add({ stars: 7, title: 'Other' })];
    const sorted = async (query: string): Promise<number[]> => {
      const { body } = await editor.get(`/api/core/v2/posts?orderby=stars&_fields=id&${query}`);
      return body.map(({ id }: { id: number }) => id);
    };
    assert.deepEqual(await sorted('search=one'), [nine, two, none]);
    assert.deepEqual(await sorted('status=publish,draft'), [nine, other, draft, two, none]);
    assert.deepEqual(await sorted('status=publish,draft&per_page=1&offset=4'), [none]);
    assert.deepEqual(await sorted('status=publish,draft&order=asc&min_stars=5'), [draft, other, nine]);
  });

  test('its records are cached, and dropped when its table is written or it is turned off', async () => {
    const site = await aSite(engine, { extensions: [core, stars] });
    const { content, store, extensions } = site.app.services;
    const id = await writtenPost(site, 3);
    const cached = async (added: string) =>
      content.told.known({ face: 'neutral', added }, [await content.posts.get(id)])[0] !== undefined;
    const shown = async () => (await site.get(`/api/core/v2/posts/${id}`)).body.stars;
    assert.deepEqual([await shown(), await cached('stars')], [3, true]);
    await store.write((tx) => tx.updateTable('stars_given').set({ stars: 7 }).execute());
    assert.deepEqual([await cached('stars'), await shown()], [false, 7]);
    await extensions.deactivate('stars', {});
    assert.deepEqual([await cached('stars'), await shown(), await cached('')], [false, undefined, true]);
    await extensions.activate('stars', {});
    assert.equal(await shown(), 7);
  });

  test('a field whose order has the name of an order of the type stops the start with a sentence', async () => {
    const rank: AnyEntry = ({ t }) => ({
      name: 'rank',
      nouns: () => ({}),
      extends: {
        post: {
          fields: {
            relevance: {
              schema: t.fixed(t.string()),
              of: async () => new Map(),
              order: { table: 'ranks', key: 'post_id', value: 'rank' },
            },
          },
        },
      },
    });
    await assert.rejects(aSite(engine, { extensions: [core, rank] }), /order relevance/);
  });

  test('what an extension refuses leaves nothing of the write', async () => {
    const site = await aSite(engine, { extensions: [core, stars] });
    const editor = site.as('editor');
    const refused = await editor.post('/api/core/v2/posts', { title: 'Unlucky', status: 'publish', stars: 13 });
    assert.deepEqual([refused.status, refused.body.code], [400, 'stars_unlucky']);
    assert.deepEqual((await site.get('/api/core/v2/posts')).body, []);
    assert.equal((await editor.post('/api/core/v2/posts', { title: 'x', stars: -1 })).status, 400);
  });

  test('what it keeps of a record goes with the record, whoever deletes that and why', async () => {
    const clock = testClock();
    const site = await aSite(engine, { extensions: [core, stars], clock });
    const { store, jobs } = site.app.services;
    const [ada, editor] = [await site.user({ login: 'ada', roles: ['author'] }), site.as('editor')];
    const starry = async (by = editor): Promise<number> =>
      (await by.post('/api/core/v2/posts', { title: 'One', stars: 3 })).body.id;
    const left = async () => (await store.db.selectFrom('stars_given').selectAll().execute()).length;
    const deleted = await starry();
    const file = await sentPicture(site, 2);
    const trashed = await starry();
    await starry(site.asUser(ada));
    assert.equal(await left(), 4);
    await editor.delete(`/api/core/v2/posts/${deleted}?force=true`);
    assert.equal(await left(), 3);
    await editor.delete(`/api/core/v2/media/${file}?force=true`);
    assert.equal(await left(), 2);
    const gone = await site.as('administrator').delete(`/api/core/v2/users/${ada.id}?force=true&reassign=`);
    assert.deepEqual([gone.status, await left()], [200, 1]);
    await editor.delete(`/api/core/v2/posts/${trashed}`);
    clock.pass(31 * day);
    await jobs.settled();
    assert.equal(await left(), 0);
  });

  test('also while the extension is switched off', async () => {
    const deploys = (usual: Deployment) => ({ extensions: { ...usual.extensions, stars: false } });
    const site = await aSite(engine, { extensions: [core, stars], deploys });
    const { store } = site.app.services;
    const editor = site.as('editor');
    const { id } = (await editor.post('/api/core/v2/posts', { title: 'One' })).body;
    await store.write((tx) => tx.insertInto('stars_given').values({ post_id: id, stars: 1 }).execute());
    assert.equal((await editor.delete(`/api/core/v2/posts/${id}?force=true`)).status, 200);
    assert.deepEqual(await store.db.selectFrom('stars_given').selectAll().execute(), []);
  });

  test('what adds to a type that is not there stops the start with a sentence', async () => {
    const lost: AnyEntry = () => ({ name: 'lost', nouns: () => ({}), routes: {}, extends: { posts: {} } });
    const site = aSite(engine, { extensions: [core, lost] });
    await assert.rejects(site, /The extension lost adds to the type posts, which does not exist\./);
  });

  test('two extensions that add the same name stop the start with a sentence', async () => {
    const both = aSite(engine, { extensions: [core, ...named('one', 'other')] });
    await assert.rejects(both, /The extensions one and other both add stars to post\./);
  });
});

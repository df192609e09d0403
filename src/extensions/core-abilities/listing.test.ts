import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';

const all = [
  'core/get-site-info',
  'core/get-user-info',
  'core/get-environment-info',
  'content/find',
  'content/create-draft',
  'content/publish',
  'content/trash',
  'comments/moderate',
  'media/find-unused',
  'site/run-health-test',
];

const faces = { neutral: '/api/core-abilities/v1', classic: '/wp-json/wp-abilities/v1' };

eachEngine('The list of abilities', async (engine) => {
  const site = await aSite(engine);
  const reader = site.as('subscriber');

  for (const [face, root] of Object.entries(faces)) {
    const names = async (query: string) =>
      (await reader.get(`${root}/abilities?_fields=name&${query}`)).body.map((one: { name: string }) => one.name);

    test(`names all of them on the ${face} face`, async () => {
      const { status, body, headers } = await reader.get(`${root}/abilities`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.map(({ name }: { name: string }) => name),
        all,
      );
      assert.equal(headers.get('x-wp-total'), String(all.length));
      assert.equal(headers.get('allow'), 'GET');
    });

    test(`is turned by pages, and ends in nothing, on the ${face} face`, async () => {
      assert.deepEqual(await names('per_page=3&page=2'), all.slice(3, 6));
      assert.deepEqual(await names('page=9'), []);
      for (const wrong of ['per_page=101', 'per_page=0', 'page=0', 'context=all', 'meta=x'])
        assert.equal((await reader.get(`${root}/abilities?${wrong}`)).body.code, 'rest_invalid_param', wrong);
    });

    const filters: readonly [string, readonly string[]][] = [
      ['category=user', ['core/get-user-info']],
      ['category=none', []],
      ['namespace=comments', ['comments/moderate']],
      ['namespace=com', []],
      ['meta[annotations][destructive]=true', ['content/trash']],
      ['meta[annotations][readonly]=false&meta[annotations][idempotent]=0', ['content/create-draft']],
      ['meta[show_in_rest]=true&category=media', ['media/find-unused']],
      ['meta[show_in_rest]=false', []],
      ['meta[public]=1&category=user', ['core/get-user-info']],
      ['meta[annotations][constructor]=x', []],
      ['meta[nothing][of]=it', []],
    ];
    test(`is filtered on the ${face} face`, () =>
      checkRows(filters, async ([query, expected]) => assert.deepEqual(await names(query), expected)));

    test(`shows each with its addresses on the ${face} face`, async () => {
      const at = `http://site.test${root}/abilities`;
      const { body } = await reader.get(`${root}/abilities/content/trash`);
      assert.deepEqual(body._links.self, [{ targetHints: { allow: ['GET'] }, href: `${at}/content/trash` }]);
      assert.deepEqual(body._links.collection, [{ href: at }]);
      assert.deepEqual(body._links['wp:action-run'], [{ href: `${at}/content/trash/run` }]);
    });

    test(`is for those who are known on the ${face} face`, async () => {
      for (const path of [
        'abilities',
        'abilities/content/find',
        'abilities/none/there',
        'categories',
        'categories/site',
      ]) {
        const { status, body } = await site.get(`${root}/${path}`);
        assert.deepEqual([path, status, body.code], [path, 401, 'rest_forbidden']);
      }
    });
  }

  test('says no more than names where it is embedded', async () => {
    const { body } = await reader.get('/api/core-abilities/v1/abilities/content/find?context=embed');
    assert.ok('input_schema' in body, 'one ability is told in full: its address takes no context');
    const { body: some } = await reader.get('/api/core-abilities/v1/abilities?context=embed&category=user');
    assert.deepEqual(Object.keys(some[0]), ['name', 'label', 'category', '_links']);
  });

  test('describes what is sent as programs read it', async () => {
    const { body } = await reader.get('/api/core-abilities/v1/abilities/comments/moderate');
    assert.deepEqual(body.input_schema.required, ['id', 'action']);
    assert.deepEqual(body.input_schema.properties.action.enum, ['approve', 'hold', 'spam', 'trash']);
    assert.deepEqual(body.meta, {
      annotations: { readonly: false, destructive: false, idempotent: true },
      show_in_rest: true,
    });
    const find = await reader.get('/api/core-abilities/v1/abilities/content/find');
    assert.deepEqual([find.body.input_schema.required, find.body.input_schema.default], [undefined, {}]);
  });

  test('names the categories that something is in', async () => {
    const { body, headers } = await reader.get('/api/core-abilities/v1/categories');
    assert.deepEqual(
      body.map(({ slug }: { slug: string }) => slug),
      ['site', 'user', 'content', 'media'],
    );
    assert.equal(headers.get('x-wp-total'), '4');
    const { body: one } = await reader.get('/wp-json/wp-abilities/v1/categories/media');
    assert.deepEqual(one._links.abilities, [
      { href: 'http://site.test/wp-json/wp-abilities/v1/abilities?category=media' },
    ]);
  });

  test('refuses what is not there', async () => {
    for (const [path, code] of [
      ['abilities/none/there', 'rest_ability_not_found'],
      ['abilities/content', 'rest_ability_not_found'],
      ['abilities/constructor', 'rest_ability_not_found'],
      ['categories/none', 'rest_ability_category_not_found'],
      ['abilities/a_b/c', 'rest_no_route'],
    ]) {
      const { status, body } = await reader.get(`/api/core-abilities/v1/${path}`);
      assert.deepEqual([path, status, body.code], [path, 404, code]);
    }
  });
});

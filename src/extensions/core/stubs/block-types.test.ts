// The blocks that editors know.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import type { Made } from '#test/published.ts';
import { aSite, type TestSite } from '#test/site.ts';

const path = '/wp-json/wp/v2/block-types';
const names = (blocks: readonly Made[]): string[] => blocks.map(({ name }) => name);

eachEngine('Block types', (engine) => {
  let site: TestSite;
  let all: Made[];

  before(async () => {
    site = await aSite(engine);
    all = (await site.as('author').get(`${path}?context=edit`)).body;
  });

  test('are all that editors know, by name, each with what it supports', async () => {
    assert.ok(all.length >= 113 && all.length <= 120, `${all.length}`);
    assert.equal(new Set(names(all)).size, all.length);
    for (const name of ['paragraph', 'heading', 'list-item', 'image', 'cover', 'query', 'navigation', 'template-part'])
      assert.ok(names(all).includes(`core/${name}`), name);
    for (const { name, title, attributes, supports, api_version } of all) {
      assert.match(name, /^core\/[a-z][a-z0-9-]*$/);
      assert.deepEqual([typeof title, typeof supports, api_version], ['string', 'object', 3], name);
      for (const [key, { type }] of Object.entries<Made>(attributes)) assert.ok(type !== undefined, `${name} ${key}`);
    }
  });

  test('say which of them the site fills in, and what belongs where', async () => {
    const block = async (name: string) => (await site.as('author').get(`${path}/core/${name}`)).body;
    assert.deepEqual([(await block('latest-posts')).is_dynamic, (await block('paragraph')).is_dynamic], [true, false]);
    const item = await block('list-item');
    assert.deepEqual([item.parent, (await block('list')).parent], [['core/list'], null]);
    assert.equal((await block('paragraph')).attributes.content.type, 'rich-text');
    assert.equal((await site.as('author').get(`${path}/core/nonsense`)).body.code, 'rest_block_type_invalid');
    assert.deepEqual(names((await site.as('author').get(`${path}/core`)).body), names(all));
    assert.deepEqual((await site.as('author').get(`${path}/other`)).body, []);
    const { status, body } = await site.as('subscriber').get(path);
    assert.deepEqual([status, body.code], [403, 'rest_block_type_cannot_view']);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';

const names = [
  'date date_gmt slug status password title content excerpt author featured_media parent menu_order',
  'comment_status ping_status meta template format sticky categories tags wp_pattern_category',
].flatMap((some) => some.split(' '));

eachEngine('what is said to be null', (engine) => {
  test('is not said of any type', async () => {
    const site = await aSite(engine);
    const administrator = site.as('administrator');
    await checkRows(['posts', 'pages', 'blocks', 'navigation'], async (base) => {
      const path = `/api/core/v2/${base}`;
      const said = { title: 'A title', content: 'A text', meta: { footnotes: '[]' } };
      const plain = (await administrator.post(path, said)).body;
      for (const name of names) {
        const made = await administrator.post(path, { ...said, [name]: null });
        assert.equal(made.status, 201, `${name}: ${made.text}`);
        const changed = await administrator.post(`${path}/${plain.id}`, { [name]: null });
        assert.equal(changed.status, 200, `${name}: ${changed.text}`);
        const { _links: before, ...kept } = plain;
        const { _links: after, ...now } = changed.body;
        assert.deepEqual(now, kept, name);
      }
    });
  });
});

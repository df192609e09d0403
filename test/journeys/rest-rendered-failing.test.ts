// What an extension shows in texts fails for itself alone: no text, no list, no feed and no write fails with it.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { AnyEntry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { testRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { core } from '../../src/extensions/core/extension.ts';

const posts = '/api/core/v2/posts';

eachEngine('What an extension fails to show', (engine) => {
  let site: TestSite;
  let isWell = false;
  const orFail =
    <T>(found: T) =>
    (): T => {
      if (isWell) return found;
      throw new TypeError('Nothing but trouble');
    };
  const failing: AnyEntry = ({ live, Problem }) => ({
    name: 'failing',
    nouns: () => ({}),
    render: () => ({
      shortcodes: {
        book: live({
          find: async () => {
            if (isWell) return 'Moby';
            throw new Problem(404, 'books_invalid_id', 'There is no book with this id.');
          },
          write: (_, found) => `<i>${found}</i>`,
        }),
        torn: { write: orFail('<i>whole</i>') },
        knot: live({
          find: async () => {
            const knot: { self?: unknown } = {};
            knot.self = isWell ? 0 : knot;
            return knot;
          },
          write: () => '<i>untied</i>',
        }),
      },
      blocks: {
        'failing/found': live({ find: async () => orFail('found')(), write: (_, found) => `<i>${found}</i>` }),
        'failing/written': { write: orFail('<i>written</i>') },
        'failing/nothing': { write: () => (isWell ? '<i>text</i>' : (undefined as never)) },
      },
      addresses: [
        { knows: (url) => url.includes('known') && orFail(true)(), rests: [], find: async () => new Map() },
        {
          knows: (url) => url.includes('found'),
          rests: [],
          find: async (urls) => orFail(new Map(urls.map((url) => [url, '<i>page</i>'])))(),
        },
      ],
    }),
  });
  before(async () => {
    site = await aSite(engine, { extensions: [core, failing] });
  });

  const cases: [about: string, content: string, failed: string, shown: string][] = [
    ['a shortcode that refuses', 'A [book id="99"].', '<p>A [book id="99"].</p>\n', '<p>A <i>Moby</i>.</p>\n'],
    ['a shortcode that cannot be written', 'A [torn].', '<p>A [torn].</p>\n', '<p>A <i>whole</i>.</p>\n'],
    ['a shortcode that finds no data', 'A [knot].', '<p>A [knot].</p>\n', '<p>A <i>untied</i>.</p>\n'],
    ['a block that finds nothing', 'A<!-- wp:failing/found /-->', 'A', 'A<i>found</i>'],
    [
      'a block that cannot be written',
      'A<!-- wp:failing/written -->B<!-- /wp:failing/written -->',
      'AB',
      'A<i>written</i>',
    ],
    ['a block that is written as nothing', 'A<!-- wp:failing/nothing /-->', 'A', 'A<i>text</i>'],
    [
      'an address that may be known',
      'https://known.test/',
      '<p>https://known.test/</p>\n',
      '<p>https://known.test/</p>\n',
    ],
    ['an address that is looked up', 'https://found.test/', '<p>https://found.test/</p>\n', '<i>page</i>\n'],
  ];
  testRows('what fails stays as it was written, until it is well', cases, async ([, content, failed, shown]) => {
    isWell = false;
    const editor = site.as('editor');
    const { status, body } = await editor.post(posts, { title: 'T', status: 'publish', content });
    assert.equal(status, 201, JSON.stringify(body));
    const { pathname } = new URL(body.link);
    const all = async () => [
      (await site.get(`${posts}/${body.id}`)).body.content.rendered,
      (await site.get(posts)).body[0].content.rendered,
    ];
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(await all(), [failed, failed]);
      assert.deepEqual([(await site.get('/feed/')).status, (await site.get(pathname)).status], [200, 200]);
    }
    isWell = true;
    assert.deepEqual(await all(), [shown, shown]);
    isWell = false;
    assert.equal((await editor.put(`${posts}/${body.id}`, { title: 'U' })).status, 200);
    assert.equal((await editor.delete(`${posts}/${body.id}?force=true`)).status, 200);
    assert.equal((await site.get(`${posts}/${body.id}`)).status, 404);
  });

  test('is told to the log once', () => {
    const told = site.log.lines.filter((line) => JSON.stringify(line).includes('the shortcode [book]'));
    assert.equal(told.length, 1, JSON.stringify(told));
  });
});

// Texts of blocks that are made to take long, or to become very much, are shown at once or not.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { staysLinear } from '#test/doubling.ts';
import { inTime } from '#test/in-time.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { attributesOf, eachWritten, piecesOf } from '../blocks.ts';
import { asItStands } from '../written.ts';

describe('Blocks as they stand take as long as their text', () => {
  const pieces: Readonly<Record<string, string>> = {
    'nested groups': '<!-- wp:group --><div>',
    'nested lists': '<!-- wp:list --><ul><li>',
    'nested headings': '<!-- wp:heading --><h2>',
    'nested galleries': '<!-- wp:gallery --><figure><!-- wp:image {"id":1} --><figure><img src="a"/>',
    'nested images': '<!-- wp:image {"id":1} --><figure><img src="a"/>',
    'nested shortcodes': '<!-- wp:shortcode -->[a]\n\n',
    'ends without a beginning': '<!-- /wp:list -->',
    'marks that do not end': '<!-- wp:list {',
    'comments in marks': '<!-- wp:x <!-- ',
    'marks far apart': `<!-- wp:x${' '.repeat(50)}`,
  };
  test('whatever they repeat', () =>
    checkRows(Object.entries(pieces), ([, piece]) => staysLinear(piece, (text) => eachWritten(text, asItStands), 200)));

  test('a picture of a gallery that never ends', () => {
    const mark = (text: string) => `<!-- wp:gallery --><!-- wp:image {"id":1} -->${text} data-id=`;
    staysLinear('<img ', (text) => eachWritten(mark(text), asItStands), 200);
  });

  test('attributes without end', () => {
    const depth = (text: string) =>
      [...piecesOf(`<!-- wp:x {"a":${text}} /-->`)].map(({ mark }) => mark && attributesOf(mark));
    for (const piece of ['[', '{"a":', '"\\', '0,', '} ']) staysLinear(piece, depth, 200);
  });
});

const core = '/api/core/v2';

eachEngine('Blocks that become very much', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine);
    for (let number = 0; number < 30; number += 1)
      await add('posts', `${number} `.repeat(40), `${number} `.repeat(200));
  });

  const add = async (path: string, title: string, content: string): Promise<number> => {
    const { status, body } = await site
      .as('administrator')
      .post(`${core}/${path}`, { title, content, status: 'publish' });
    assert.equal(status, 201, JSON.stringify(body).slice(0, 300));
    return body.id;
  };
  const rendered = async (content: string): Promise<{ html: string; took: number }> => {
    const source = { key: 'post 1', content, of: undefined };
    const { rendering } = site.app.services.content;
    const start = performance.now();
    const [shown] = await rendering.contents([source]);
    return { html: shown!.html, took: performance.now() - start };
  };

  const texts: Readonly<Record<string, string>> = {
    'ten thousand lists of posts': '<!-- wp:latest-posts {"postsToShow":100,"displayPostContent":true} /-->'.repeat(
      10_000,
    ),
    'a thousand lists that differ': Array.from(
      { length: 1_000 },
      (_, at) => `<!-- wp:latest-posts {"postsToShow":100,"categories":[${at}]} /-->`,
    ).join(''),
    'a thousand lists that differ in nothing that is looked at': Array.from(
      { length: 1_000 },
      (_, at) => `<!-- wp:latest-posts {"postsToShow":100,"x":${at}} /-->`,
    ).join(''),
    'ten thousand blocks in each other': '<!-- wp:group --><div><!-- wp:latest-posts -->'.repeat(5_000),
    'a megabyte of attributes': `<!-- wp:latest-posts {"className":"${'a '.repeat(500_000)}"} /-->`,
    'a megabyte of numbers': `<!-- wp:latest-posts {"categories":[${'1,'.repeat(500_000)}1]} /-->`,
    'ten thousand fields': '<!-- wp:search {"label":"<b>"} /-->'.repeat(10_000),
  };
  for (const [what, text] of Object.entries(texts))
    test(what, async () => {
      const { html, took } = await rendered(text);
      assert.ok(html.length < 3_000_000, `${html.length}`);
      inTime(took, 1_000);
    });

  test('texts that show others that show others …', async () => {
    let ref = await add('blocks', 'Bomb', 'x'.repeat(50_000));
    for (let level = 0; level < 10; level += 1)
      ref = await add('blocks', 'Bomb', `<!-- wp:block {"ref":${ref}} /-->`.repeat(10));
    const { html, took } = await rendered(`<!-- wp:block {"ref":${ref}} /-->`);
    assert.ok(html.length < 10_000_000, `${html.length}`);
    inTime(took, 1_000);
  });

  test('a text that shows itself', async () => {
    const id = await add('posts', 'Itself', 'it <!-- wp:post-content /-->');
    const { body } = await site.get(`${core}/posts/${id}`);
    assert.equal(body.content.rendered.trim(), 'it');
  });
});

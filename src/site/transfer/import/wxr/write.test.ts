import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aFullSite, type FullSite } from '#test/full-site.ts';
import type { TestSite } from '#test/site.ts';
import type { Selection } from './selection.ts';
import { createExporting } from './write.ts';

async function written({ app }: TestSite, selection: Selection = {}): Promise<string> {
  let text = '';
  await createExporting(app.services).write(selection, async (pieces) => {
    for await (const piece of pieces) text += piece;
  });
  return text;
}

const numbersIn = (file: string): number[] =>
  [...file.matchAll(/<wp:post_id>(\d+)</g)].map(([, number]) => Number(number));

/** The text of one item. */
const itemIn = (file: string, id: number): string =>
  file.split('<item>').find((item) => item.includes(`<wp:post_id>${id}<`)) ?? '';

eachEngine('An export file', (engine: TestEngine) => {
  let site: FullSite;
  let all: string;
  before(async () => {
    site = await aFullSite(engine);
    all = await written(site);
  });

  test('holds every record, in the order of their numbers', () => {
    const numbers = numbersIn(all);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, other) => one - other),
    );
    const { ids } = site;
    for (const name of ['odd', 'future', 'floating', 'private', 'gone', 'grandchild', 'block', 'menu', 'large'])
      assert.ok(numbers.includes(ids[name]!), name);
  });

  test('names the site, who wrote, and what sorts, those above first', () => {
    assert.match(all, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<rss version="2\.0" xmlns:/);
    assert.match(all, /<wp:wxr_version>1\.2<\/wp:wxr_version>\n<wp:base_site_url><!\[CDATA\[http:\/\/site\.test\]\]>/);
    const logins = [...all.matchAll(/<wp:author_login><!\[CDATA\[(.*?)\]\]>/g)].map(([, login]) => login);
    assert.deepEqual(logins.sort(), ['ada', 'administrator', 'editor', 'sue'], 'also who only commented');
    const slugs = [...all.matchAll(/<wp:category_nicename><!\[CDATA\[(.*?)\]\]>/g)].map(([, slug]) => slug);
    assert.deepEqual(slugs, ['uncategorized', 'low', 'river', 'bank']);
    assert.match(all, /<wp:term_taxonomy><!\[CDATA\[wp_pattern_category\]\]>/);
  });

  test('says of a record what has no field of its own', () => {
    const { ids } = site;
    const meta = (id: number, key: string) =>
      new RegExp(
        `<wp:meta_key><!\\[CDATA\\[${key}\\]\\]></wp:meta_key>\\n<wp:meta_value><!\\[CDATA\\[(.*?)\\]\\]>`,
      ).exec(itemIn(all, id))?.[1];
    assert.equal(meta(ids.first!, '_thumbnail_id'), String(ids.photo));
    assert.equal(meta(ids.renamed!, '_wp_old_slug'), 'before');
    assert.equal(meta(ids.gone!, '_wp_trash_meta_status'), 'publish');
    assert.equal(meta(ids.gone!, '_wp_desired_post_slug'), 'gone');
    assert.equal(meta(ids.footnoted!, 'footnotes'), '[{"id":"a","content":"see \\"there\\""}]');
    assert.match(
      itemIn(all, ids.sticky!),
      /<wp:is_sticky>1<[\s\S]*<category domain="post_format" nicename="post-format-aside">/,
    );
    assert.match(itemIn(all, ids.floating!), /<pubDate><\/pubDate>[\s\S]*_gmt><!\[CDATA\[0000-00-00 00:00:00\]\]>/);
    assert.match(itemIn(all, ids.first!), /<category domain="category" nicename="river"><!\[CDATA\[River &amp; /);
  });

  test('names the file of a picture as it came', () => {
    const { ids } = site;
    assert.match(
      itemIn(all, ids.large!),
      /<wp:attachment_url><!\[CDATA\[http:\/\/site\.test\/wp-content\/uploads\/2026\/11\/Grosse-Karte\.png\]\]>/,
    );
  });

  test('holds what is said about a record, but for spam', () => {
    const { ids } = site;
    const item = itemIn(all, ids.first!);
    const states = [...item.matchAll(/<wp:comment_approved><!\[CDATA\[(.*?)\]\]>/g)].map(([, state]) => state);
    assert.deepEqual(states, ['1', '1', '1', '0', 'trash']);
    assert.match(item, new RegExp(`<wp:comment_parent>${ids.top}<`));
  });

  test('holds what was chosen alone', async () => {
    const { ids } = site;
    const numbers = async (selection: Selection) => numbersIn(await written(site, selection));
    assert.deepEqual(await numbers({ type: 'page', status: 'private' }), [ids.closedPage]);
    assert.deepEqual(await numbers({ type: 'post', status: 'draft' }), [ids.floating, ids.dated, ids.nameless]);
    assert.deepEqual(await numbers({ start: '2027-03', end: '2027-03' }), [ids.future]);
    assert.deepEqual(await numbers({ end: '2026-02' }), [ids.dated]);
    assert.deepEqual(await numbers({ status: 'trash' }), [ids.thrown, ids.gone]);
    const { id } = (await site.app.services.identity.users.named('ada'))!;
    const ofAda = await written(site, { author: id });
    assert.deepEqual(numbersIn(ofAda), [ids.own, ids.floating]);
    assert.equal(ofAda.match(/<wp:author>/g)?.length, 1);
    const category = (await site.app.services.content.terms.named('category', 'bank'))!.id;
    assert.deepEqual(await numbers({ category }), [ids.first]);
    assert.doesNotMatch(await written(site, { type: 'page' }), /<wp:category>/);
  });
});

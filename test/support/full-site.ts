// A site with some of everything that can be written, odd texts included: for whoever moves it elsewhere.
import assert from 'node:assert/strict';
import type { TestEngine } from './databases.ts';
import { aPaper, neutral, type Paper } from './paper.ts';
import { picture } from './pictures.ts';
import type { TestSite } from './site.ts';
import { send } from './uploads.ts';

export const oddTexts = {
  title: 'Rock ]]> & <em>Roll</em> 🎸 “q” é',
  content:
    '<!-- wp:paragraph -->\n<p>ends ]]> here\r\nand\rthere, \u0001\u000b \u2028 🎸 &amp; &nbsp;</p>\n<!-- /wp:paragraph -->',
  excerpt: '<![CDATA[in a section]]>\ttab',
};

export interface FullSite extends Paper {
  readonly ids: Readonly<Record<string, number>>;
}

export async function aFullSite(engine: TestEngine): Promise<FullSite> {
  const site = await aPaper(engine);
  await inItsZone(site);
  const ids: Record<string, number> = {};
  const add = async (name: string, base: string, said: object, by = site.editor): Promise<number> => {
    const { id } = await site.made(`${neutral}/${base}`, said, by);
    ids[name] = id;
    return id;
  };
  await addTerms(add, ids);
  // Below one that was made after it.
  await change(site, `categories/${ids.river}`, { parent: ids.low });
  await addFiles(site, ids);
  await addRecords(site, add, ids);
  await addComments(site, add, ids);
  return { ...site, ids };
}

/** East of the clock of the world, and an hour more in summer. */
export async function inItsZone(site: TestSite): Promise<void> {
  const { status, text } = await site.as('administrator').post(`${neutral}/settings`, { timezone: 'Europe/Berlin' });
  assert.equal(status, 200, text);
}

type Ids = Record<string, number>;
type Add = (name: string, base: string, said: object, by?: Paper['editor']) => Promise<number>;

async function addTerms(add: Add, ids: Ids): Promise<void> {
  await add('river', 'categories', { name: 'River & <b>sea</b>', description: 'What flows ]]> down', slug: 'river' });
  await add('low', 'categories', { name: 'Low', slug: 'low' });
  await add('bank', 'categories', { name: 'Bank', parent: ids.river });
  await add('word', 'tags', { name: 'Wörter', description: 'Of all kinds' });
  await add('unused', 'tags', { name: 'Unused' });
  await add('pattern', 'wp_pattern_category', { name: 'Headers' });
}

async function addFiles(site: Paper, ids: Ids): Promise<void> {
  const files = {
    photo: ['photo.jpg', await picture(1200, 900)],
    large: ['Große Karte.png', await picture(3000, 2000, 'png')],
    notes: ['notes.txt', 'Plain words'],
  } as const;
  for (const [key, [name, bytes]] of Object.entries(files)) {
    const { status, body, text } = await send(site, 'editor', name, bytes);
    assert.equal(status, 201, text);
    ids[key] = body.id;
  }
  const said = { alt_text: 'A photo ]]> "of" <it>', caption: 'By the river', description: 'Taken early' };
  await change(site, `media/${ids.photo}`, said);
}

const change = async (site: Paper, path: string, said: object): Promise<void> => {
  const { status, text } = await site.editor.post(`${neutral}/${path}`, said);
  assert.equal(status, 200, text);
};

async function addRecords(site: Paper, add: Add, ids: Ids): Promise<void> {
  const ada = site.asUser(
    await site.user({ login: 'ada', name: 'Ada L.', first_name: 'Ada', last_name: 'L<ovelace', roles: ['author'] }),
  );
  const administrator = site.as('administrator');
  const published = { status: 'publish', date: '2026-10-02T08:30:00' };
  const sorted = { categories: [ids.river, ids.bank], tags: [ids.word] };
  await add('first', 'posts', { ...published, ...sorted, title: 'First', content: 'One', featured_media: ids.photo });
  await add('odd', 'posts', { ...oddTexts, status: 'publish' }, administrator);
  await add('renamed', 'posts', { ...published, title: 'Before', content: 'x' });
  await change(site, `posts/${ids.renamed}`, { slug: 'after' });
  await add('empty', 'posts', { ...published, title: 'Nothing in it' });
  await add('sticky', 'posts', { ...published, title: 'Above all', sticky: true, format: 'aside' });
  await add('closed', 'posts', {
    ...published,
    title: 'Closed',
    content: 'hush',
    password: 'p<w d',
    comment_status: 'closed',
  });
  await add('own', 'posts', { ...published, title: 'By Ada', content: 'Her own', excerpt: 'Short' }, ada);
  await add('footnoted', 'posts', {
    ...published,
    title: 'Notes',
    content: 'a',
    meta: { footnotes: '[{"id":"a","content":"see \\"there\\""}]' },
  });
  await add('future', 'posts', { title: 'Later', content: 'x', status: 'future', date: '2027-03-01T09:00:00' });
  await add('floating', 'posts', { title: 'Floating', content: 'x', status: 'draft' }, ada);
  await add('dated', 'posts', { title: 'Dated draft', status: 'draft', date: '2026-01-05T10:00:00' });
  await add('pending', 'posts', { title: 'Pending', status: 'pending' });
  await add('private', 'posts', { ...published, title: 'Private', status: 'private' });
  await add('parent', 'pages', { title: 'About', status: 'publish', menu_order: 3, comment_status: 'open' });
  await add('child', 'pages', { title: 'People', status: 'publish', parent: ids.parent });
  await add('grandchild', 'pages', { title: 'Ada', status: 'draft', parent: ids.child, template: '' });
  await add('block', 'blocks', {
    title: 'Banner',
    content: '<!-- wp:paragraph --><p>Hi</p><!-- /wp:paragraph -->',
    status: 'publish',
    wp_pattern_category: [ids.pattern],
    meta: { wp_pattern_sync_status: 'unsynced' },
  });
  const menu = `<!-- wp:navigation-link {"label":"About","type":"page","id":${ids.parent},"url":"http://site.test/about/"} /-->`;
  await add('menu', 'navigation', { title: 'Main', content: menu, status: 'publish' }, administrator);
  const pictured = `<!-- wp:image {"id":${ids.photo}} --><figure><img class="wp-image-${ids.photo}" src="http://site.test/wp-content/uploads/photo.jpg"></figure><!-- /wp:image -->[gallery ids="${ids.photo},${ids.large}"]`;
  await add('pictured', 'posts', { ...published, title: 'Pictured', content: pictured });
  await change(site, `media/${ids.large}`, { post: ids.pictured });
  for (const name of ['twin', 'otherTwin'])
    await add(name, 'posts', { ...published, title: 'Twins', content: name, slug: 'twins' });
  await add('nameless', 'posts', { status: 'draft', content: 'No title', slug: 'chosen' });
  await add('summer', 'posts', { ...published, date: '2026-07-01T23:30:00', title: 'Summer' });
  await add('tiny', 'posts', { ...published, title: '0', content: '0', excerpt: '0' });
  await add('spaced', 'posts', { ...published, title: 'Spaced', content: '\n\n  within  \n\n', excerpt: ' e ' });
  await add('empty-cat', 'posts', { ...published, title: 'Sorted twice', categories: [ids.low], format: 'quote' });
  await add('closedPage', 'pages', { title: 'Closed', status: 'private', parent: ids.parent, comment_status: 'open' });
  await add('later', 'pages', { title: 'Closed', status: 'future', date: '2027-01-01T00:00:00', password: '' });
  await add('early', 'pages', { title: 'Same', status: 'publish' });
  await add('above', 'pages', { title: 'Above', status: 'publish' });
  await change(site, `pages/${ids.early}`, { parent: ids.above });
  const dated = { date: '2026-11-02T08:00:00', status: 'publish' };
  await add('same', 'pages', { ...dated, title: 'Same again', slug: 'same' });
  await add('below', 'pages', { title: 'Same', status: 'draft', slug: 'same', parent: ids.same });
  await change(site, `pages/${ids.below}`, { status: 'publish' });
  await add('thrown', 'pages', { title: 'Thrown away', status: 'publish', parent: ids.parent });
  await remove(site, `pages/${ids.thrown}`);
  await add('gone', 'posts', { ...published, title: 'Gone', content: 'x' });
}

async function addComments(site: Paper, add: Add, ids: Ids): Promise<void> {
  const say = async (name: string, post: number, said: object) => {
    const by = { author_name: 'Eve <b>', author_email: 'eve@example.org', author_url: 'http://example.org/?a=1&b=2' };
    const about = {
      post,
      content: `${name} says ]]&gt; 🎸 <b>so</b>`,
      ...by,
      author_user_agent: 'Agent/1.0 (x)',
      ...said,
    };
    await add(name, 'comments', about, site.as('administrator'));
  };
  await say('top', ids.first!, { date: '2026-10-03T08:00:00' });
  await say('answer', ids.first!, { parent: ids.top });
  await say('deeper', ids.first!, { parent: ids.answer, author: (await site.user({ login: 'sue' })).id });
  await say('held', ids.first!, { status: 'hold', author_ip: '192.0.2.7' });
  await say('spam', ids.first!, { status: 'spam' });
  await say('binned', ids.first!, {});
  await say('onGone', ids.gone!, {});
  await say('onFile', ids.photo!, {});
  await say('onPage', ids.parent!, { content: 'Lines\n\nand <a href="http://example.org/">links</a>' });
  // Of somebody who may write any HTML.
  const own = { post: ids.parent, content: 'Mine ]]> <script>say()</script>', date: '2026-10-04T08:00:00' };
  await add('own', 'comments', own, site.as('administrator'));
  await say('heldOnGone', ids.gone!, { status: 'hold' });
  for (const path of [`comments/${ids.binned}`, `posts/${ids.gone}`]) await remove(site, path);
}

async function remove(site: Paper, path: string): Promise<void> {
  const { status, text } = await site.as('administrator').delete(`${neutral}/${path}`);
  assert.equal(status, 200, text);
}

// Pages that are remembered as anybody gets them show at once what has become of what they list.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';

const core = '/api/core/v2';
const blocks = {
  posts: '<!-- wp:latest-posts {"displayAuthor":true,"displayPostDate":true} /-->',
  comments: '<!-- wp:latest-comments /-->',
  categories: '<!-- wp:categories {"showPostCounts":true} /-->',
  archives: '<!-- wp:archives {"showPostCounts":true} /-->',
  tags: '<!-- wp:tag-cloud /-->',
  pages: '<!-- wp:page-list /-->',
  site: '<!-- wp:site-title /-->',
};

eachEngine('What lists of blocks show', (engine) => {
  let site: TestSite;
  const hosts = new Map<string, number>();
  let post: number;
  let term: number;

  const add = async (path: string, said: object): Promise<number> => {
    const { status, body } = await site.as('administrator').post(`${core}/${path}`, said);
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  };
  const change = async (path: string, said: object): Promise<void> => {
    assert.equal((await site.as('administrator').put(`${core}/${path}`, said)).status, 200);
  };
  const erase = async (path: string): Promise<void> => {
    assert.equal((await site.as('administrator').delete(`${core}/${path}?force=true`)).status, 200);
  };

  before(async () => {
    site = await aSite(engine);
    term = await add('tags', { name: 'Choir' });
    post = await add('posts', { title: 'First', status: 'publish', tags: [term] });
    for (const [name, content] of Object.entries(blocks))
      hosts.set(name, await add('pages', { title: `Host of ${name}`, content, status: 'publish' }));
  });

  /** Alone, and in a list: each as it is remembered. */
  const seen = async (name: string): Promise<string> => {
    const id = hosts.get(name);
    const ask = async () => {
      const one = await site.get(`${core}/pages/${id}`);
      const list = await site.get(`${core}/pages?include=${id}&per_page=3`);
      assert.equal(list.body[0].content.rendered, one.body.content.rendered);
      return one.body.content.rendered as string;
    };
    const first = await ask();
    assert.equal(await ask(), first);
    return first;
  };

  interface Change {
    readonly block: keyof typeof blocks;
    readonly what: string;
    readonly deed: () => Promise<unknown>;
    readonly shows: RegExp;
  }
  const changes: readonly Change[] = [
    {
      block: 'posts',
      what: 'a post is new',
      shows: /Second/,
      deed: () => add('posts', { title: 'Second', status: 'publish' }),
    },
    {
      block: 'posts',
      what: 'one gets another title',
      shows: /Third/,
      deed: () => change(`posts/${post}`, { title: 'Third' }),
    },
    {
      block: 'posts',
      what: 'its author another name',
      shows: /by Ada/,
      deed: () => change('users/me', { name: 'Ada' }),
    },
    {
      block: 'posts',
      what: 'days are written otherwise',
      shows: />2026</,
      deed: () => change('settings', { date_format: 'Y' }),
    },
    {
      block: 'comments',
      what: 'somebody says something',
      shows: /Hear, hear/,
      deed: () => add('comments', { post, content: 'Hear, hear' }),
    },
    {
      block: 'tags',
      what: 'a tag is called otherwise',
      shows: /Bells/,
      deed: () => change(`tags/${term}`, { name: 'Bells' }),
    },
    { block: 'tags', what: 'a tag goes', shows: /^\s*$/, deed: () => erase(`tags/${term}`) },
    {
      block: 'categories',
      what: 'one more is in one',
      shows: /Uncategorized<\/a> \(3\)/,
      deed: () => add('posts', { title: 'Fourth', status: 'publish', date: '2025-01-01T00:00:00' }),
    },
    {
      block: 'archives',
      what: 'one goes into the trash',
      shows: /November 2026<\/a>&nbsp;\(1\)/,
      deed: () => site.as('administrator').delete(`${core}/posts/${post}`),
    },
    {
      block: 'pages',
      what: 'a page is new',
      shows: /Fresh/,
      deed: () => add('pages', { title: 'Fresh', status: 'publish' }),
    },
    {
      block: 'site',
      what: 'the site is called otherwise',
      shows: /Parish/,
      deed: () => change('settings', { title: 'Parish' }),
    },
  ];
  test('changes with each of its sources', () =>
    checkRows(changes, async ({ block, deed, shows }) => {
      assert.doesNotMatch(await seen(block), shows);
      await deed();
      assert.match(await seen(block), shows);
    }));
});

// Counts tell nothing of hidden content: every total of every list is the number of records that the caller gets.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { aPaper, neutral, type Paper, upload } from '#test/paper.ts';
import type { Client } from '#test/site.ts';

const secret = 'swordfish';
const statuses = ['draft', 'pending', 'private', 'future', 'trash', 'closed'];

/** Filters that each collection takes; `HOST` is a hidden record, `HOSTSLUG` its slug. */
const filters: Readonly<Record<string, readonly string[]>> = {
  posts: [
    `search=${secret}`,
    `search=${secret}&search_columns=post_content`,
    `search=${secret}&search_columns=post_excerpt`,
    `search=${secret}&orderby=relevance`,
    'search=sw',
    'include=HOST',
    'slug=HOSTSLUG',
    'author=AUTHOR',
    'orderby=title',
    'status=draft',
    'status=any',
    'status=private&slug=HOSTSLUG',
    `status=draft,pending,future,private,trash&search=${secret}`,
  ],
  pages: [`search=${secret}`, 'parent=HOST', 'orderby=slug', 'status=any', 'menu_order=0'],
  media: [
    `search=${secret}`,
    'parent=HOST',
    'slug=HOSTSLUG',
    'orderby=title',
    'author=AUTHOR',
    'media_type=text',
    'mime_type=text/plain',
    'after=2020-01-01T00:00:00',
    'status=inherit,private,trash',
  ],
  comments: [
    `search=${secret}`,
    'search=sw',
    'search=hidden-name',
    'search=hidden-url',
    'search=hidden-mail',
    'parent=COMMENT',
    'include=COMMENT',
    'after=2020-01-01T00:00:00',
    'orderby=post',
    'status=hold',
    'status=all',
    'status=trash',
    'status=spam',
    'type=all',
    'author=AUTHOR',
    'author_exclude=1',
    'author_email=hidden-mail@site.test',
    'offset=0',
  ],
  users: ['search=hidden', 'search=hidden-login', 'search=hidden-mail', 'search=@site.test', 'orderby=url'],
  categories: [`search=${secret}`, 'hide_empty=true', 'post=HOST', 'orderby=count'],
  tags: [`search=${secret}`, 'hide_empty=true', 'post=HOST'],
  wp_pattern_category: ['hide_empty=true'],
  blocks: [`search=${secret}`, 'status=draft', 'status=any'],
  navigation: [`search=${secret}`, 'status=draft', 'status=any'],
  search: [`search=${secret}`, 'include=HOST', `search=${secret}&type=term`, `search=${secret}&subtype=page`],
};

async function hide(site: Paper, status: string) {
  const { made, editor } = site;
  const text = { title: `A ${status}`, content: secret, excerpt: secret, comment_status: 'open' };
  const saying = { status: 'private', slug: `slug-${status}`, ...text };
  const host = await made(`${neutral}/posts`, saying);
  const page = await made(`${neutral}/pages`, saying);
  await made(`${neutral}/pages`, { ...saying, title: 'Below', parent: page.id });
  for (const type of ['blocks', 'navigation'])
    await site.as('administrator').post(`${neutral}/${type}`, { title: status, content: secret, status: 'draft' });
  const { body: file } = await upload(editor, `${neutral}/media?post=${host.id}`, `${secret}.txt`, 'Words');
  const by = {
    author_name: 'hidden-name',
    author_email: 'hidden-mail@site.test',
    author_url: 'http://hidden-url.test',
  };
  const comment = await made(`${neutral}/comments`, { post: host.id, content: `Of ${secret}`, ...by });
  await made(`${neutral}/comments`, { post: host.id, content: `An answer to ${secret}`, parent: comment.id });
  for (const [at, state] of ['hold', 'spam', 'trash'].entries())
    await made(`${neutral}/comments`, { post: host.id, content: `${secret} ${at}`, status: state });
  await made(`${neutral}/comments`, { post: file.id, content: `Of ${secret} as well` });
  const changes: Record<string, object> = {
    future: { status, date: '2030-01-01T00:00:00' },
    closed: { status: 'publish', password: 'sesame' },
  };
  for (const one of [`posts/${host.id}`, `pages/${page.id}`])
    if (status === 'trash') await editor.delete(`${neutral}/${one}`);
    else await editor.put(`${neutral}/${one}`, changes[status] ?? { status });
  return { host: host.id, slug: host.slug, comment: comment.id };
}

async function demandAllCounted(client: Client, path: string, who: string): Promise<void> {
  const { status, headers, body, text } = await client.get(`${neutral}/${path}`);
  const about = `${who}: ${path}: ${text.slice(0, 300)}`;
  assert.ok(status < 500, about);
  if (status !== 200) return;
  assert.equal(headers.get('x-wp-total'), String(body.length), about);
  assert.equal(headers.get('x-wp-totalpages'), body.length === 0 ? '0' : '1', about);
}

onBothStores('A list counts', (engine) => {
  let site: Paper;
  let author: number;
  const hidden: Awaited<ReturnType<typeof hide>>[] = [];
  const callers = new Map<string, Client>();

  before(async () => {
    site = await aPaper(engine);
    await site.made(`${neutral}/posts`, { title: 'Open', status: 'publish', comment_status: 'open' });
    for (const status of statuses) hidden.push(await hide(site, status));
    const own = await site.user({ login: 'ada', roles: ['author'] });
    await site.asUser(own).post(`${neutral}/posts`, { title: 'Mine', content: secret, status: 'draft' });
    const open = await site.made(`${neutral}/posts`, { title: 'Seen', status: 'publish', comment_status: 'open' });
    await site.made(`${neutral}/comments`, { post: open.id, content: 'Seen' });
    await upload(site.editor, `${neutral}/media?post=${open.id}`, 'seen.txt', 'Words');
    await upload(site.editor, `${neutral}/media`, 'alone.txt', 'Words');
    author = (await site.caller('editor')).id;
    const roles = ['subscriber', 'contributor', 'author', 'editor'];
    callers.set('a visitor', site).set('an owner of a draft', site.asUser(own));
    for (const role of roles) callers.set(role, site.as(role));
  });

  const filled = (query: string, { host, slug, comment }: (typeof hidden)[number]): string =>
    query.replace('HOSTSLUG', slug).replace('HOST', host).replace('AUTHOR', String(author)).replace('COMMENT', comment);

  for (const [collection, queries] of Object.entries(filters))
    test(`of ${collection} what its caller may read`, async () => {
      const asks = new Set(['', ...queries].flatMap((query) => hidden.map((one) => filled(query, one))));
      for (const [who, client] of callers)
        for (const filter of asks) await demandAllCounted(client, `${collection}?per_page=100&${filter}`, who);
    });

  test('of comments, however they are cut into pages', async () => {
    for (const client of callers.values()) {
      const all = await client.get(`${neutral}/comments?per_page=100&orderby=id`);
      const one = await client.get(`${neutral}/comments?per_page=1&page=2&orderby=id&_envelope`);
      const ids = all.body.map(({ id }: { id: number }) => id);
      assert.deepEqual(
        one.body.body.map(({ id }: { id: number }) => id),
        ids.slice(1, 2),
      );
      assert.equal(one.body.headers['X-WP-Total'], ids.length);
    }
  });

  test('of media, however they are cut into pages', async () => {
    for (const client of callers.values()) {
      const all = await client.get(`${neutral}/media?per_page=100&orderby=title`);
      const one = await client.get(`${neutral}/media?per_page=1&page=2&orderby=title`);
      assert.equal(one.body[0]?.id, all.body[1]?.id);
      assert.equal(one.headers.get('x-wp-total'), String(all.body.length));
    }
  });

  test('no user by a login or an email address that a visitor does not see', async () => {
    const login = 'hidden-login';
    const ada = await site.user({
      login,
      name: 'Ada',
      slug: 'ada-l',
      email: 'hidden-mail@site.test',
      roles: ['editor'],
    });
    await site.asUser(ada).post(`${neutral}/posts`, { title: 'By Ada', status: 'publish' });
    const found = async (client: Client, query: string) =>
      (await client.get(`${neutral}/users?${query}`)).headers.get('x-wp-total');
    for (const client of [site, site.as('subscriber'), site.as('editor')]) {
      for (const search of [login, 'hidden', 'hidden-mail', 'hidden-mail@site.test'])
        for (const columns of [
          '',
          '&search_columns=username',
          '&search_columns=email',
          '&search_columns=username,name',
        ])
          assert.equal(await found(client, `search=${search}${columns}`), '0', search + columns);
      for (const search of ['Ada', 'ada-l', String(ada.id)]) assert.equal(await found(client, `search=${search}`), '1');
    }
    assert.equal(await found(site.as('administrator'), `search=${login}`), '1');
  });

  test('what editors see, where they may see it', async () => {
    const total = async (path: string) =>
      Number((await site.editor.get(`${neutral}/${path}`)).headers.get('x-wp-total'));
    assert.equal(
      await total(`comments?search=${secret}`),
      16,
      '2 on each record and 1 on its file; not the 2 that went to the trash with their record',
    );
    assert.ok((await total(`comments?status=hold`)) >= 5);
    assert.equal(await total('media?search=alone'), 1);
  });
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type Client, noon, type TestSite } from '#test/site.ts';
import { ordered } from '#test/test-data.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';

const day = 86_400_000;
const today = Date.parse('2026-11-20T00:00:00Z');

const isBetween = (text: string, from: number, to: number): boolean => {
  const moment = Date.parse(text.endsWith('00:00') ? text : `${text}Z`);
  return moment >= from && moment < to;
};

interface Named {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly count: number;
  readonly parent: number;
  readonly description: string;
}

eachEngine('kinds of test data', (engine) => {
  let site: TestSite;
  let admin: Client;

  before(async () => {
    site = await aSite(engine, { extensions: [core, testData], env: { GATEHOUSE_DATAGEN_BATCH: '100' } });
    admin = site.as('administrator');
  });

  const list = async (path: string) => (await admin.get(`/api/core/v2/${path}`)).body;
  const made = async (kind: string, order: object): Promise<number[]> => {
    const { status, body } = await ordered(admin, kind, order);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.ids;
  };

  test('terms have names of their own, and some lie below others', async () => {
    const ids = await made('terms', { quantity: 40, seed: 'tree' });
    const terms = (await list('categories?per_page=100')).filter(({ id }: Named) => ids.includes(id)) as Named[];
    assert.equal(new Set(terms.map(({ name }) => name)).size, 40);
    assert.ok(terms.every(({ name, slug }) => /^[A-Z].*[^.]$/.test(name) && /^[a-z\d-]+$/.test(slug)));
    assert.ok(
      terms.every(({ description }) => description.split(' ').length >= 5 && description.split(' ').length <= 50),
    );
    const below = terms.filter(({ parent }) => parent !== 0);
    assert.ok(below.length >= 4 && below.length <= 24, `${below.length} lie below others`);
    assert.ok(below.every(({ parent }) => ids.includes(parent)));
    await made('terms', { quantity: 20, seed: 'words', taxonomy: 'post_tag' });
    assert.equal((await list('tags?per_page=100')).length, 20);
    const again = await made('terms', { quantity: 2, seed: 'tree' });
    const names = (await list(`categories?include=${again}`)).map(({ name }: Named) => name);
    assert.ok(
      names.every((name: string) => name.endsWith(' 2')),
      `${names}`,
    );
  });

  test('posts are blocks, have dates of the last month, and are found and counted as any', async () => {
    const ids = await made('posts', { quantity: 60, seed: 'many' });
    const posts = await list(`posts?context=edit&per_page=100&include=${ids}`);
    assert.equal(posts.length, 60);
    for (const { title, content, date_gmt, status } of posts) {
      assert.equal(status, 'publish');
      assert.match(title.raw, /^[A-Z][a-z]+( [a-z]+){3,5}$/);
      assert.ok(isBetween(date_gmt, today - 30 * day, today), date_gmt);
      const paragraphs = content.raw.match(/^<!-- wp:paragraph -->\n<p>[^<]+<\/p>\n<!-- \/wp:paragraph -->$/gm).length;
      assert.ok(paragraphs >= 5 && paragraphs <= 15, `${paragraphs} paragraphs`);
      assert.equal(content.raw.match(/<!-- wp:/g).length, content.raw.match(/<!-- \/wp:/g).length);
      assert.doesNotMatch(content.rendered, /wp:/);
    }
    const excerpts = posts.filter(({ excerpt }: { excerpt: { raw: string } }) => excerpt.raw !== '').length;
    assert.ok(excerpts > 20 && excerpts < 52, `${excerpts} have excerpts`);
    assert.deepEqual([...new Set(posts.map((post: { comment_status: string }) => post.comment_status))].sort(), [
      'closed',
      'open',
    ]);
    const [post] = posts;
    const found = await list(`posts?search=${encodeURIComponent(post.title.raw)}`);
    assert.ok(found.some(({ id }: Named) => id === post.id));
    const carried: number[] = posts.flatMap((one: { categories: number[]; tags: number[] }) => [
      ...one.categories,
      ...one.tags,
    ]);
    const terms: Named[] = [...(await list('categories?per_page=100')), ...(await list('tags?per_page=100'))];
    for (const { id, count } of terms) assert.equal(count, carried.filter((one) => one === id).length);
    assert.ok(posts.every((one: { categories: number[] }) => one.categories.length >= 1 && one.categories.length <= 3));
  });

  test('statuses are kept as they stand', async () => {
    const { db } = site.app.services.store;
    for (const post_status of [
      'future',
      'draft',
      'pending',
      'private',
      'trash',
      'auto-draft',
      'inherit',
      'request-failed',
    ]) {
      const ids = await made('posts', { quantity: 2, seed: post_status, post_status });
      const rows = await db
        .selectFrom('posts')
        .select(['status', 'date_gmt', 'slug', 'author'])
        .where('id', 'in', ids)
        .execute();
      assert.deepEqual(
        rows.map(({ status }) => status),
        [post_status, post_status],
      );
      const [from, to] = post_status === 'future' ? [1, 31] : [-30, 0];
      for (const { date_gmt } of rows) assert.ok(isBetween(date_gmt!, today + from! * day, today + to! * day));
    }
    const [trashed] = await list('posts?status=trash');
    const restored = await admin.post(`/api/core/v2/posts/${trashed.id}`, { status: 'publish' });
    assert.deepEqual([restored.status, restored.body.slug], [200, trashed.slug.replace('__trashed', '')]);
  });

  test('authors are those who are named and may be named', async () => {
    const [one, other] = [
      await site.user({ login: 'one', roles: ['author'] }),
      await site.user({ login: 'other', roles: ['author'] }),
    ];
    const authorsOf = async (client: Client, author_ids: number[]): Promise<number[]> => {
      const { body } = await ordered(client, 'posts', { quantity: 12, seed: 'authors', author_ids });
      const { body: posts } = await admin.get(`/api/core/v2/posts?include=${body.data.ids}&per_page=100`);
      return [...new Set<number>(posts.map(({ author }: { author: number }) => author))].sort((a, b) => a - b);
    };
    assert.deepEqual(await authorsOf(admin, [one.id, other.id, 99_999, -1]), [one.id, other.id]);
    assert.deepEqual(await authorsOf(site.asUser(one), [one.id, other.id]), [one.id]);
    assert.deepEqual(await authorsOf(site.asUser(one), [other.id]), [one.id]);
  });

  test('pages are made as well', async () => {
    const ids = await made('posts', { quantity: 3, seed: 'pages', post_type: 'page' });
    assert.equal((await list(`pages?include=${ids}`)).length, 3);
  });

  test('users are called as people are, and a name that is there gets a number', async () => {
    const ids = await made('users', { quantity: 5, seed: 'people', role: 'author' });
    const again = await made('users', { quantity: 5, seed: 'people' });
    const people = await list(`users?context=edit&per_page=100&orderby=id&include=${[...ids, ...again]}`);
    for (const [nth, user] of people.entries()) {
      assert.match(user.username, nth < 5 ? /^[a-z]+\.[a-z]+$/ : /^[a-z]+\.[a-z]+2$/);
      assert.match(user.email, new RegExp(`^${user.username}@example\\.(com|org|net)$`));
      assert.match(user.url, /^https:\/\/example\.(com|org|net)\//);
      assert.deepEqual([user.name, user.roles], [user.first_name, nth < 5 ? ['author'] : ['subscriber']]);
      assert.ok(isBetween(user.registered_date, today - day, noon.getTime()), user.registered_date);
      assert.notEqual(user.description, '');
    }
    const { password } = await site.app.services.store.db
      .selectFrom('users')
      .select('password')
      .where('id', '=', ids[0]!)
      .executeTakeFirstOrThrow();
    assert.match(password, /^\$argon2id\$/);
  });

  test('administrators are made where the operator allows it', async () => {
    const allowed = await aSite(engine, { extensions: [core, testData], env: { GATEHOUSE_DATAGEN_ALLOW_ADMIN: 'on' } });
    const { status, body } = await ordered(allowed.as('administrator'), 'users', {
      quantity: 1,
      role: 'administrator',
    });
    assert.deepEqual([status, body.data.generated], [200, 1]);
  });

  test('comments are about what is named, later than it, and by nobody', async () => {
    const [post] = await made('posts', { quantity: 1, seed: 'spoken of' });
    for (const [comment_status, status] of Object.entries({
      approve: 'approved',
      hold: 'hold',
      spam: 'spam',
      trash: 'trash',
    })) {
      const ids = await made('comments', {
        quantity: 6,
        seed: comment_status,
        comment_status,
        post_ids: [post, 99_999],
      });
      const comments = await list(`comments?context=edit&status=${comment_status}&include=${ids}`);
      assert.equal(comments.length, 6);
      const [{ date_gmt }] = await list(`posts?include=${post}`);
      for (const comment of comments) {
        assert.deepEqual([comment.post, comment.author, comment.status], [post, 0, status]);
        assert.match(comment.author_ip, /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/);
        assert.match(comment.author_email, /@example\.(com|org|net)$/);
        assert.match(comment.author_url, /^https:\/\/example\.org\//);
        assert.ok(isBetween(comment.date_gmt, Date.parse(`${date_gmt}Z`), noon.getTime()));
      }
    }
    const { headers } = await site.get(`/api/core/v2/comments?post=${post}`);
    assert.equal(headers.get('x-wp-total'), '6');
  });

  test('where no record is named, comments are about some that everybody may read', async () => {
    const ids = await made('comments', { quantity: 20, seed: 'anywhere' });
    const comments = await list(`comments?per_page=100&include=${ids}`);
    const about = new Set(comments.map(({ post }: { post: number }) => post));
    assert.ok(about.size > 5);
    const posts = site.app.services.store.db.selectFrom('posts').select('status');
    const rows = await posts.where('id', 'in', [...about] as number[]).execute();
    assert.ok(rows.every(({ status }) => status === 'publish'));
  });

  test('what a seed gives is the same on every machine', async () => {
    const [id] = await made('posts', { quantity: 1, seed: 's' });
    const { title, date_gmt } = await list(`posts/${id}?context=edit`);
    assert.deepEqual([title.raw, date_gmt], ['Succedo beneficium color auditor ullus', '2026-11-11T12:55:56']);
  });
});

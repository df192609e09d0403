import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { ordered, rowsOf, testDataOf, totalsIn } from '#test/test-data.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';
import { createRemoval } from './removal.ts';

/** Some of everything, by one seed. */
async function fill(site: TestSite, seed: string, author_ids: readonly number[] = []): Promise<void> {
  const admin = site.as('administrator');
  const orders: readonly [string, object][] = [
    ['terms', { quantity: 6 }],
    ['terms', { quantity: 4, taxonomy: 'post_tag' }],
    ['users', { quantity: 3, role: 'author' }],
    ['posts', { quantity: 8, author_ids }],
    ['posts', { quantity: 2, post_type: 'page', post_status: 'trash' }],
    ['posts', { quantity: 2, post_status: 'future' }],
    ['comments', { quantity: 6 }],
    ['comments', { quantity: 3, comment_status: 'trash' }],
    ['attachments', { quantity: 2, width: 60, height: 50 }],
  ];
  for (const [kind, order] of orders) {
    const { status, text } = await ordered(admin, kind, { ...order, seed });
    assert.equal(status, 200, text);
  }
}

/** A record of each kind that somebody made, each in touch with test data where it can be. */
async function furnish(site: TestSite) {
  const admin = site.as('administrator');
  const made = async (path: string, body: object) => (await admin.post(`/api/core/v2/${path}`, body)).body.id as number;
  const category = await made('categories', { name: 'Boats' });
  const post = await made('posts', {
    title: 'A real one',
    content: 'Words',
    status: 'publish',
    categories: [category],
  });
  const user = await made('users', {
    username: 'ada',
    email: 'ada@mail.example',
    password: 'a very long one',
    roles: ['author'],
  });
  const comment = await made('comments', { post, content: 'Well said' });
  return {
    [`posts/${post}`]: 'post',
    [`users/${user}`]: 'user',
    [`categories/${category}`]: 'term',
    [`comments/${comment}`]: 'comment',
  };
}

const filesIn = async ({ app }: TestSite): Promise<string[]> => {
  const found: string[] = [];
  for await (const { path } of app.services.files.list()) found.push(path);
  return found;
};

eachEngine('taking test data away', (engine) => {
  const open = () => aSite(engine, { extensions: [core, testData] });

  test('leaves the site as it was', async () => {
    const site = await open();
    const real = await furnish(site);
    const shown = () =>
      Promise.all(
        Object.keys(real).map(async (path) => (await site.as('administrator').get(`/api/core/v2/${path}`)).body),
      );
    const before = {
      rows: await rowsOf(site),
      totals: await totalsIn(site),
      shown: await shown(),
      files: await filesIn(site),
    };
    await fill(site, 'spring');
    const { removal } = testDataOf(site);
    assert.deepEqual(await removal.count(), { comments: 9, posts: 14, terms: 10, users: 3 });
    const steps: { done: number; total: number }[] = [];
    const { removed, stayed } = await removal.remove({ tell: (step) => void steps.push(step) });
    assert.deepEqual([removed, stayed], [{ comments: 9, posts: 14, terms: 10, users: 3 }, 0]);
    assert.deepEqual([steps.length, steps.at(-1)], [36, { done: 36, total: 36 }]);
    const after = {
      rows: await rowsOf(site),
      totals: await totalsIn(site),
      shown: await shown(),
      files: await filesIn(site),
    };
    assert.deepEqual(after, before);
    assert.deepEqual((await removal.remove()).removed, { comments: 0, posts: 0, terms: 0, users: 0 });
  });

  test('counts once what two take away at the same time', async () => {
    const site = await open();
    await fill(site, 'spring');
    const { removal } = testDataOf(site);
    const both = await Promise.all([removal.remove(), removal.remove()]);
    const sum = both.flatMap(({ removed }) => Object.values(removed)).reduce((one, other) => one + other, 0);
    assert.equal(sum, 36);
  });

  test('takes what one seed made, and leaves the rest', async () => {
    const site = await open();
    await fill(site, 'spring');
    await fill(site, 'autumn');
    const { removal } = testDataOf(site);
    await removal.remove({ run: 'spring' });
    assert.deepEqual(await removal.count('spring'), { comments: 0, posts: 0, terms: 0, users: 0 });
    const { users, terms, posts } = await removal.count();
    assert.deepEqual({ users, terms, posts }, { users: 3, terms: 10, posts: 14 });
  });

  test('leaves a user who has written something by now, and says so', async () => {
    const site = await open();
    const made = await ordered(site.as('administrator'), 'users', { quantity: 2, seed: 'people', role: 'author' });
    const [writer] = made.body.data.ids as number[];
    await site.as('editor').post('/api/core/v2/posts', { title: 'Mine', status: 'publish', author: writer });
    await ordered(site.as('administrator'), 'posts', { quantity: 3, seed: 'people', author_ids: [writer] });
    const { removed, stayed, kept } = await testDataOf(site).removal.remove();
    assert.deepEqual([removed.users, removed.posts, stayed], [1, 3, 1]);
    assert.deepEqual(
      kept.map(({ kind, id, code }) => ({ kind, id, code })),
      [{ kind: 'users', id: writer, code: 'user_owns_content' }],
    );
    assert.equal((await site.get('/api/core/v2/posts?search=Mine')).body.length, 1);
  });

  test('leaves what is chosen for the front at the last moment', async () => {
    const site = await open();
    const made = await ordered(site.as('administrator'), 'posts', { quantity: 1, seed: 'front', post_type: 'page' });
    const [page] = made.body.data.ids as number[];
    const { content, ...services } = site.app.services;
    const { posts } = content;
    const erase: typeof posts.erase = async (post, doing) => {
      await site.set('site', { show_on_front: 'page', page_on_front: page });
      return posts.erase(post, doing);
    };
    const removal = createRemoval({ ...services, content: { ...content, posts: { ...posts, erase } } });
    const { removed, kept } = await removal.remove();
    assert.deepEqual([removed.posts, kept.map(({ id, code }) => [id, code])], [0, [[page, 'chosen_since']]]);
    assert.equal((await site.get(`/api/core/v2/pages/${page}`)).status, 200);
  });

  test('can be stopped, and goes on where it was', async () => {
    const site = await open();
    await ordered(site.as('administrator'), 'terms', { quantity: 6, seed: 'tree' });
    const { removal } = testDataOf(site);
    const stop = new AbortController();
    const tell = ({ done }: { done: number }): void => void (done === 2 && stop.abort());
    await assert.rejects(removal.remove({ tell, signal: stop.signal }), { name: 'AbortError' });
    assert.equal((await removal.count()).terms, 4);
    assert.equal((await removal.remove()).removed.terms, 4);
  });

  test('who sits at the machine orders in the name of a user, and may what they may', async () => {
    const site = await open();
    const { orders, makers } = testDataOf(site);
    const author = await site.user({ login: 'grace', roles: ['author'] });
    const maker = makers.atTheMachine(author);
    const order = { quantity: 3, post_type: 'post', post_status: 'publish' };
    const { data } = await orders.generate('posts', order, maker);
    const { body } = await site.get(`/api/core/v2/posts/${data.ids[0]}`);
    assert.equal(body.author, author.id);
    const none = { code: 'insufficient_permissions' };
    await assert.rejects(orders.generate('terms', { taxonomy: 'category' }, maker), none);
    await assert.rejects(orders.generate('menus', {}, maker), { code: 'module_not_found' });
  });
});

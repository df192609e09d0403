import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { count, type TotalsTables, totalsOf } from '../../totals.ts';
import type { Post } from '../posts/post.ts';
import { findPost } from '../posts/rows.ts';
import { type ContentTables, totalTopics } from '../tables.ts';
import { createKinds } from '../types.ts';
import { createAuthors } from './authors.ts';
import { createParting } from './parting.ts';

const wall = '2026-11-20T12:00:00';

async function aParish(engine: TestEngine) {
  const { app } = await aSite(engine);
  const { jobs, identity } = app.services;
  const store: Store<ContentTables & TotalsTables> = app.services.store;
  const { users } = identity;
  const [ann, bea, zoe] = await Promise.all(
    ['ann', 'bea', 'zoe'].map((login) => users.add({ login, email: `${login}@example.test` })),
  );
  /** Records of one author, as if they had been written. */
  const wrote = async (author: number, type: string, status: string, many = 1) =>
    store.write(async (tx) => {
      const row = { type, status, author, parent: 0, menu_order: 0, slug: 'a', date: wall, date_gmt: wall };
      const more = { modified: wall, modified_gmt: wall, password: '', comment_status: 'open', ping_status: 'open' };
      const rest = {
        template: '',
        format: '',
        sticky: 0 as const,
        featured_media: 0,
        mime_type: '',
        guid: '',
        version: 1,
      };
      const texts = { title_key: '', title: '', excerpt: '', content: '' };
      const rows = Array.from({ length: many }, () => ({ ...row, ...more, ...rest, ...texts }));
      const added = await tx.insertInto('posts').values(rows).returning('id').execute();
      await count(tx, totalTopics.authors, { [`${author}/${type}/${status}`]: many });
      return added.map(({ id }) => id);
    });
  const erased: number[] = [];
  const erase = async (post: Post): Promise<Post> => {
    await store.write(async (tx) => {
      await tx.deleteFrom('revisions').where('post_id', '=', post.id).execute();
      await tx.deleteFrom('comments').where('post_id', '=', post.id).execute();
      await tx.deleteFrom('posts').where('id', '=', post.id).execute();
    });
    erased.push(post.id);
    return post;
  };
  const kinds = createKinds();
  const authors = createAuthors({ store, kinds });
  const posts = { find: (id: number) => findPost(store.db, id), erase };
  users.parting(createParting({ store, jobs, posts, media: { erase } }));
  const found = async (also: ReturnType<typeof authors.published>) =>
    (await users.list({ limit: 10, offset: 0, order: 'asc', orderBy: 'name', searchEmails: false, also })).items.map(
      ({ login }) => login,
    );
  const authorsNow = async () =>
    (await store.db.selectFrom('posts').select('author').distinct().orderBy('author').execute()).map(
      ({ author }) => author,
    );
  return { store, jobs, users, authors, wrote, erased, found, authorsNow, ann: ann!, bea: bea!, zoe: zoe! };
}

const revision = (post_id: number, author: number, autosave: 0 | 1) => ({
  post_id,
  author,
  autosave,
  ...{ date: wall, date_gmt: wall, meta: '{}', title: '', excerpt: '', content: '' },
});

eachEngine('authors', (engine) => {
  test('those who have published something are known, by type', async () => {
    const { authors, found, wrote, ann, bea, zoe } = await aParish(engine);
    await wrote(ann.id, 'post', 'publish', 3);
    await wrote(ann.id, 'page', 'draft');
    await wrote(bea.id, 'page', 'publish');
    await wrote(zoe.id, 'post', 'draft');
    await wrote(zoe.id, 'wp_block', 'publish');
    assert.deepEqual(await found(authors.published()), ['ann', 'bea']);
    assert.deepEqual(await found(authors.published(['page'])), ['bea']);
    assert.deepEqual(await found(authors.published(['post', 'page'])), ['ann', 'bea']);
    assert.deepEqual(await found(authors.published(['wp_block'])), ['zoe']);
    assert.deepEqual(await found(authors.publishedOpenly(['wp_block'])), []);
    assert.deepEqual(await found(authors.published(['wp_font_face'])), []);
    const has = await Promise.all([ann, bea, zoe].map(({ id }) => authors.hasPublished(id)));
    assert.deepEqual(has, [true, true, false]);
  });

  test('what was theirs goes to whom it is handed, history and totals with it', async () => {
    const { store, users, authors, wrote, erased, authorsNow, ann, bea } = await aParish(engine);
    const [own] = await wrote(ann.id, 'post', 'publish', 3);
    const [other] = await wrote(bea.id, 'post', 'publish');
    await store.write((tx) =>
      tx
        .insertInto('revisions')
        .values([revision(own!, ann.id, 0), revision(other!, ann.id, 1), revision(other!, bea.id, 1)])
        .execute(),
    );
    await users.erase(ann, bea.id);
    assert.deepEqual(await authorsNow(), [bea.id]);
    assert.deepEqual(erased, []);
    const kept = await store.db.selectFrom('revisions').select(['author', 'autosave']).orderBy('id').execute();
    const kind = kept.map(({ author, autosave }) => [author, autosave]);
    assert.deepEqual(kind, [
      [bea.id, 0],
      [bea.id, 1],
    ]);
    const totals = await totalsOf(store.db, totalTopics.authors);
    assert.equal(totals[`${bea.id}/post/publish`], 4);
    assert.equal(totals[`${ann.id}/post/publish`], 0);
    assert.equal(await authors.hasPublished(ann.id), false);
  });

  test('what nobody takes over is gone when the user is, and what others wrote stays', async () => {
    const { store, users, wrote, erased, authorsNow, ann, bea } = await aParish(engine);
    const own = await wrote(ann.id, 'post', 'draft', 2);
    const file = await wrote(ann.id, 'attachment', 'inherit');
    await wrote(bea.id, 'post', 'publish');
    await users.erase(ann, undefined);
    assert.deepEqual(erased, [...own, ...file]);
    assert.deepEqual(await authorsNow(), [bea.id]);
    assert.deepEqual(await store.db.selectFrom('revisions').select('id').execute(), []);
  });

  test('more than a write may hold is done by a job that the write adds', async () => {
    const { jobs, users, wrote, authorsNow, ann, bea, zoe } = await aParish(engine);
    await wrote(ann.id, 'post', 'publish', 1_200);
    await users.erase(ann, bea.id);
    assert.deepEqual(await authorsNow(), [ann.id, bea.id]);
    await jobs.settled();
    assert.deepEqual(await authorsNow(), [bea.id]);
    await users.erase(bea, undefined);
    await jobs.settled();
    assert.deepEqual(await authorsNow(), []);
    assert.equal(await users.find(zoe.id).then((user) => user?.login), 'zoe');
  });

  test('a refusal leaves everything where it is', async () => {
    const { users, wrote, authorsNow, ann } = await aParish(engine);
    await wrote(ann.id, 'post', 'publish');
    await assert.rejects(users.erase(ann, ann.id), { code: 'rest_user_invalid_reassign' });
    assert.deepEqual(await authorsNow(), [ann.id]);
  });
});

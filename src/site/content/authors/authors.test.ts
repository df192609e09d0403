import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { insertPostRows } from '#test/post-rows.ts';
import { aSite } from '#test/site.ts';
import { count, type TotalsTables, totalsOf } from '../../platform/totals.ts';
import { type ContentTables, totalTopics } from '../tables.ts';
import type { AuthorTables } from './tables.ts';

const wall = '2026-11-20T12:00:00';

async function aParish(engine: TestEngine) {
  const { app } = await aSite(engine);
  const { jobs, identity, events, content } = app.services;
  const store: Store<ContentTables & TotalsTables> = app.services.store;
  const { users } = identity;
  const [ann, bea, zoe] = await Promise.all(
    ['ann', 'bea', 'zoe'].map((login) => users.add({ login, email: `${login}@example.test` })),
  );
  /** Records of one author, as if they had been written. */
  const wrote = async (author: number, type: string, status: string, many = 1) =>
    store.write(async (tx) => {
      const added = await insertPostRows(tx, Array(many).fill({ type, status, author }));
      await count(tx, totalTopics.authors, { [`${author}/${type}/${status}`]: many });
      await count(tx, totalTopics.posts, { [`${type}/${status}`]: many });
      return added.map(({ id }) => id);
    });
  const erased: number[] = [];
  events.on('post.deleted', ({ post }) => void erased.push(post.id));
  const { authors } = content;
  const found = async (also: ReturnType<typeof authors.published>) =>
    (await users.list({ limit: 10, offset: 0, order: 'asc', orderBy: 'name', searchPrivate: false, also })).items.map(
      ({ login }) => login,
    );
  const authorsNow = async () =>
    (await store.db.selectFrom('posts').select('author').distinct().orderBy('author').execute()).map(
      ({ author }) => author,
    );
  return { app, store, jobs, users, authors, wrote, erased, found, authorsNow, ann: ann!, bea: bea!, zoe: zoe! };
}

const revision = (post_id: number, author: number, autosave: 0 | 1) => ({
  post_id,
  author,
  autosave,
  date: wall,
  date_gmt: wall,
  meta: '{}',
  title: '',
  excerpt: '',
  content: '',
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
    const { store, jobs, users, wrote, authorsNow, ann, bea, zoe } = await aParish(engine);
    await wrote(ann.id, 'post', 'publish', 1_200);
    await wrote(zoe.id, 'post', 'publish', 60);
    await users.erase(ann, bea.id);
    await users.erase(zoe, undefined);
    await jobs.settled();
    assert.deepEqual(await authorsNow(), [bea.id]);
    assert.equal((await totalsOf(store.db, totalTopics.posts))['post/publish'], 1_200);
  });

  test('what is on its way to somebody goes where theirs goes, when they are deleted before it came', async () => {
    const { app, store, jobs, users, wrote, authorsNow, ann, bea, zoe } = await aParish(engine);
    await wrote(ann.id, 'post', 'publish', 1_200);
    await wrote(bea.id, 'post', 'publish', 600);
    await users.erase(ann, bea.id);
    await users.erase(bea, zoe.id);
    await jobs.settled();
    assert.deepEqual(await authorsNow(), [zoe.id]);
    assert.equal((await totalsOf(store.db, totalTopics.authors))[`${zoe.id}/post/publish`], 1_800);
    assert.deepEqual(await app.services.store.db.selectFrom('estates').selectAll().execute(), []);
  });

  test('whoever was to inherit and is deleted meanwhile passes it on', async () => {
    const { app, users, ann, bea, zoe } = await aParish(engine);
    const estates: Store<AuthorTables> = app.services.store;
    const heirs = async () =>
      (await estates.db.selectFrom('estates').selectAll().execute()).map(({ author, heir }) => [author, heir]);
    await estates.write((tx) => tx.insertInto('estates').values({ author: ann.id, heir: bea.id }).execute());
    await users.erase(bea, zoe.id);
    assert.deepEqual(await heirs(), [[ann.id, zoe.id]]);
    await users.erase(zoe, undefined);
    assert.deepEqual(await heirs(), [[ann.id, null]]);
  });

  test('a refusal leaves everything where it is', async () => {
    const { users, wrote, authorsNow, ann } = await aParish(engine);
    await wrote(ann.id, 'post', 'publish');
    await assert.rejects(users.erase(ann, ann.id), { code: 'rest_user_invalid_reassign' });
    assert.deepEqual(await authorsNow(), [ann.id]);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { type Records, someRecords } from '#test/records.ts';
import { totalsOf } from '../../platform/totals.ts';
import type { Alongside, Post } from './post.ts';

/** Whatever is kept under the number of a record, or points at it. */
async function leftOf({ store: { db } }: Records, { id }: Post): Promise<unknown[]> {
  const of = (table: 'post_meta' | 'old_slugs' | 'post_terms' | 'revisions' | 'comments' | 'media') =>
    db.selectFrom(table).select('post_id').where('post_id', '=', id).execute();
  const tables = ['post_meta', 'old_slugs', 'post_terms', 'revisions', 'comments', 'media'] as const;
  const posts = db.selectFrom('posts').select('id');
  const pointing = posts.where((row) =>
    row.or([row('id', '=', id), row('parent', '=', id), row('featured_media', '=', id)]),
  );
  return [...(await Promise.all(tables.map(of))).flat(), ...(await pointing.execute())];
}

eachEngine('the trash', (engine) => {
  test('what lies in it gives its slug away, and comes back as it was', async () => {
    const { add, change, posts, told, terms } = await someRecords(engine);
    const tag = await terms.add('post_tag', { name: 'River' }, {});
    const said = { title: 'One', status: 'publish', date: '2026-05-01T10:00:00', terms: { post_tag: [tag.id] } };
    const post = await add(said);
    const count = async () => (await terms.get(tag.id, 'post_tag')).count;
    assert.equal(await count(), 1);
    const trashed = await posts.trash(post, {});
    assert.deepEqual(
      [trashed.status, trashed.slug, trashed.status_before, trashed.date],
      ['trash', 'one__trashed', 'publish', post.date],
    );
    assert.equal(await count(), 0);
    await assert.rejects(posts.trash(trashed, {}), { code: 'rest_already_trashed', status: 410 });
    const back = await change(trashed, { status: 'publish' });
    assert.deepEqual(
      { ...back, version: 0 },
      { ...post, modified: back.modified, modified_gmt: back.modified_gmt, version: 0 },
    );
    assert.equal(await count(), 1);
    const again = await posts.trash(back, {});
    assert.equal((await add({ title: 'One', status: 'publish' })).slug, 'one', 'it was free');
    assert.equal((await change(again, { status: 'publish' })).slug, 'one-2');
    const own = told.filter((line) => line.endsWith(` ${post.id}`)).map((line) => line.split(' ')[0]);
    assert.deepEqual(own.slice(0, 6), [
      'post.saved',
      'post.published',
      'post.trashed',
      'post.saved',
      'post.restored',
      'post.published',
    ]);
  });

  test('it gives a record its slug back also when the record is sent back whole, and another one when that is said', async () => {
    const { add, change, posts } = await someRecords(engine);
    const trashed = await posts.trash(await add({ title: 'One', status: 'publish' }), {});
    const back = await change(trashed, { slug: trashed.slug, title: trashed.title, status: 'publish' });
    assert.equal(back.slug, 'one');
    assert.equal((await change(await posts.trash(back, {}), { slug: 'two', status: 'publish' })).slug, 'two');
  });

  test('a draft that floats comes back as one', async () => {
    const { add, change, posts, clock } = await someRecords(engine);
    const trashed = await posts.trash(await add({ title: 'One' }), {});
    assert.deepEqual([trashed.slug, trashed.date_gmt], ['__trashed', null]);
    clock.pass(hour);
    const back = await change(trashed, { status: 'draft' });
    assert.deepEqual([back.slug, back.date, back.date_gmt], ['', '2026-11-20T13:00:00', null]);
  });

  test('it is emptied after thirty days', async () => {
    const records = await someRecords(engine);
    const { add, change, posts, jobs, clock } = records;
    await jobs.settled();
    const [old, young, restored] = [await add({ title: 'A' }), await add({ title: 'B' }), await add({ title: 'C' })];
    await posts.trash(old, {});
    const back = await posts.trash(restored, {});
    clock.pass(20 * day);
    await posts.trash(young, {});
    await change(back, { status: 'draft' });
    clock.pass(11 * day);
    await jobs.settled();
    assert.deepEqual(await leftOf(records, old), []);
    assert.equal((await posts.get(young.id)).status, 'trash');
    assert.equal((await posts.get(restored.id)).status, 'draft');
  });

  test('what somebody brings back while it is emptied stays', async () => {
    const ids: number[] = [];
    // Two are found to be emptied; while the first goes, the second comes back.
    const onErase: Alongside[] = [
      async (tx) => void (await tx.updateTable('posts').set({ status: 'draft' }).where('id', '=', ids[1]!).execute()),
    ];
    const { add, posts, jobs, clock } = await someRecords(engine, { needs: { onErase } });
    await jobs.settled();
    for (const title of ['Goes', 'Stays']) ids.push((await posts.trash(await add({ title }), {})).id);
    clock.pass(31 * day);
    await jobs.settled();
    assert.equal(await posts.find(ids[0]!), undefined);
    assert.equal((await posts.find(ids[1]!))?.status, 'draft');
  });

  test('what was brought back is as if it had never been there, and comes back the second time under its second name', async () => {
    const { add, change, posts, store } = await someRecords(engine);
    const back = await change(await posts.trash(await add({ title: 'One', status: 'publish' }), {}), {
      status: 'publish',
    });
    const kept = await store.db.selectFrom('posts').select(['status_before', 'slug_before', 'trashed_at']).execute();
    assert.deepEqual(Object.values(kept[0]!), [null, null, null]);
    const renamed = await change(back, { slug: 'second' });
    assert.equal((await change(await posts.trash(renamed, {}), { status: 'publish' })).slug, 'second');
  });

  test('what is put into it leaves no old address behind', async () => {
    const { add, posts, store } = await someRecords(engine);
    await posts.trash(await add({ title: 'One', status: 'publish' }), {});
    assert.deepEqual(await store.db.selectFrom('old_slugs').selectAll().execute(), []);
  });

  test('a site may do without one', async () => {
    const { add, posts } = await someRecords(engine, { needs: { trashDays: 0 } });
    const post = await add({ title: 'One' });
    await assert.rejects(posts.trash(post, {}), { code: 'rest_trash_not_supported', status: 501 });
  });
});

eachEngine('deleting for good', (engine) => {
  test('nothing of it is left, and nothing points at it', async () => {
    const records = await someRecords(engine);
    const { add, change, posts, terms, store, told } = records;
    const tag = await terms.add('post_tag', { name: 'River' }, {});
    const post = await add({ title: 'One', slug: 'one', status: 'publish', terms: { post_tag: [tag.id] } });
    await change(post, { title: 'Two', slug: 'two', meta: { footnotes: '[]' } });
    const picture = await add({ title: 'Picture', status: 'inherit', parent: post.id }, 'attachment');
    const other = await add({ title: 'Other', featured_media: picture.id });
    assert.equal(other.featured_media, picture.id);
    const erased = await posts.erase(post, {});
    assert.equal(erased.title, 'Two');
    assert.deepEqual(await leftOf(records, post), []);
    assert.equal((await posts.get(picture.id)).parent, 0);
    await posts.erase(picture, {});
    assert.deepEqual(await leftOf(records, picture), []);
    assert.ok((await posts.get(other.id)).version > other.version, 'what shows it has changed');
    await assert.rejects(posts.erase(post, {}), { code: 'rest_post_invalid_id', status: 404 });
    await posts.erase(other, {});
    const totals = await totalsOf(store.db, 'posts');
    assert.ok(
      Object.values(totals).every((total) => total === 0),
      JSON.stringify(totals),
    );
    assert.ok(told.includes(`post.deleted ${post.id}`));
    const found = await store.db
      .selectFrom('posts_search' as never)
      .select('rowid' as never)
      .execute();
    assert.deepEqual(found, []);
  });

  test('what lies below a page moves up, and gets another slug where its own is taken', async () => {
    const { add, posts } = await someRecords(engine);
    const page = (title: string, parent = 0) => add({ title, parent, status: 'publish' }, 'page');
    const top = await page('Top');
    const middle = await page('Middle', top.id);
    const [low, clash, lowest] = [
      await page('Low', middle.id),
      await page('Beside', middle.id),
      await page('Beside', top.id),
    ];
    const below = await page('Deep', low.id);
    await posts.erase(middle, {});
    const [moved, renamed] = [await posts.get(low.id), await posts.get(clash.id)];
    assert.deepEqual([moved.parent, moved.slug], [top.id, 'low']);
    assert.deepEqual([renamed.parent, renamed.slug, lowest.slug], [top.id, 'beside-2', 'beside']);
    assert.ok((await posts.get(below.id)).version > below.version, 'its address is another');
  });
});

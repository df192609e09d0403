import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { someRecords } from '#test/records.ts';
import type { Post } from './post.ts';

const prague = { timezone: 'Europe/Prague', offset: 0 };
const times = ({ date, date_gmt, modified, status }: Post) => ({ date, date_gmt, modified, status });

eachEngine('the dates of records', (engine) => {
  test('a draft floats until it is published, or given a date', async () => {
    const { add, change, clock } = await someRecords(engine, { zone: prague });
    const draft = await add({ title: 'One' });
    const at = { modified: '2026-11-20T13:00:00', status: 'draft' };
    assert.deepEqual(times(draft), { date: '2026-11-20T13:00:00', date_gmt: null, ...at });
    clock.pass(hour);
    const later = await change(draft, { excerpt: 'More', date: draft.date });
    assert.deepEqual([later.date, later.date_gmt], ['2026-11-20T14:00:00', null], 'what was shown says nothing new');
    clock.pass(hour);
    const published = await change(later, { status: 'publish' });
    assert.deepEqual([published.date, published.date_gmt], ['2026-11-20T15:00:00', '2026-11-20T14:00:00']);
    clock.pass(hour);
    const again = await change(published, { status: 'draft' });
    assert.deepEqual([again.date, again.date_gmt], ['2026-11-20T15:00:00', '2026-11-20T14:00:00'], 'it keeps it');
    const floating = await change(again, { date_gmt: null });
    assert.deepEqual([floating.date, floating.date_gmt], ['2026-11-20T16:00:00', null]);
    const fixed = await change(floating, { date: '2026-05-01T10:00:00' });
    assert.deepEqual([fixed.date, fixed.date_gmt], ['2026-05-01T10:00:00', '2026-05-01T08:00:00']);
    assert.equal((await change(fixed, { status: 'publish' })).date, '2026-05-01T10:00:00');
  });

  test('what is new was changed when it says it was written; what is changed, now', async () => {
    const { add, change } = await someRecords(engine);
    const post = await add({ title: 'One', status: 'publish', date: '2026-02-03T04:05:06+02:00' });
    assert.deepEqual(times(post), {
      date: '2026-02-03T02:05:06',
      date_gmt: '2026-02-03T02:05:06',
      modified: '2026-02-03T02:05:06',
      status: 'publish',
    });
    assert.equal((await change(post, { date_gmt: '2026-02-03T00:00:00' })).modified, '2026-11-20T12:00:00');
    assert.equal((await change(post, { date: null })).date, '2026-11-20T12:00:00');
  });

  test('the nights in which the clocks change', async () => {
    const { add } = await someRecords(engine, { zone: prague });
    for (const [said, date, date_gmt] of [
      [{ date: '2026-03-29T02:30:00' }, '2026-03-29T03:30:00', '2026-03-29T01:30:00'],
      [{ date_gmt: '2026-03-29T00:59:59' }, '2026-03-29T01:59:59', '2026-03-29T00:59:59'],
      [{ date_gmt: '2026-03-29T01:00:00' }, '2026-03-29T03:00:00', '2026-03-29T01:00:00'],
      [{ date: '2026-10-25T02:30:00' }, '2026-10-25T02:30:00', '2026-10-25T00:30:00'],
      [{ date_gmt: '2026-10-25T01:30:00' }, '2026-10-25T02:30:00', '2026-10-25T01:30:00'],
      [{ date: '2026-10-25T02:30:00+01:00' }, '2026-10-25T02:30:00', '2026-10-25T01:30:00'],
      [{ date: '2026-07-01T12:00:00', date_gmt: '2001-01-01T00:00:00' }, '2026-07-01T12:00:00', '2026-07-01T10:00:00'],
    ] as const) {
      const post = await add({ title: 'Night', ...said });
      assert.deepEqual([post.date, post.date_gmt], [date, date_gmt], JSON.stringify(said));
    }
  });

  test('what is no date is refused, and leaves no trace', async () => {
    const { add, store } = await someRecords(engine);
    for (const date of ['0000-00-00T00:00:00', 'tomorrow', '9999-12-31T23:59:59'])
      await assert.rejects(add({ title: 'Never', date }), { code: 'invalid_date', status: 400 }, date);
    assert.deepEqual(await store.db.selectFrom('posts').selectAll().execute(), []);
  });

  test('what is published in the future is scheduled, what is scheduled for the past is published', async () => {
    const { add, change } = await someRecords(engine);
    const [ahead, behind] = ['2031-01-01T00:00:00', '2020-01-01T00:00:00'];
    const post = await add({ title: 'Soon', status: 'publish', date: ahead });
    assert.deepEqual([post.status, post.date], ['future', ahead]);
    assert.equal((await add({ title: 'Past', status: 'future', date: behind })).status, 'publish');
    assert.equal((await add({ title: 'Now', status: 'future' })).status, 'publish');
    assert.equal((await change(post, { status: 'publish' })).status, 'future', 'its date is still ahead');
    const now = await change(post, { date: null, status: 'publish' });
    assert.equal(now.status, 'publish');
    assert.equal((await change(now, { date: ahead })).status, 'future');
    assert.equal((await change(now, { date: behind })).status, 'publish');
    assert.equal((await add({ title: 'Ours', status: 'private', date: ahead })).status, 'private');
  });
});

eachEngine('the schedule', (engine) => {
  test('what is due is published once, by one of two processes, and keeps its dates', async () => {
    const one = await someRecords(engine);
    const other = await one.another();
    const both = () => Promise.all([one.jobs.settled(), other.jobs.settled()]);
    await both();
    const said = { title: 'Soon', status: 'publish', date: '2026-11-20T12:10:00' };
    const [post, late] = [await one.add(said), await one.add({ ...said, date: '2026-11-20T12:20:00' })];
    one.clock.pass(9 * minute);
    await both();
    assert.equal((await one.posts.get(post.id)).status, 'future');
    one.clock.pass(2 * minute);
    await both();
    const { version, ...published } = await other.posts.get(post.id);
    assert.deepEqual(published, { ...published, ...times(post), status: 'publish' });
    assert.ok(version > post.version);
    assert.equal((await one.posts.get(late.id)).status, 'future');
    const told = [...one.told, ...other.told].filter((line) => line === `post.published ${post.id}`);
    assert.equal(told.length, 1);
    const { total } = await one.posts.list({
      types: ['post'],
      statuses: ['publish'],
      limit: 10,
      offset: 0,
      order: 'desc',
      orderBy: 'date',
    });
    assert.equal(total, 1);
  });

  test('what became due while nobody was at work is published at the next start', async () => {
    const before = await someRecords(engine);
    await before.jobs.settled();
    const said = { status: 'publish', date: '2026-11-21T00:00:00' };
    const posts = [await before.add({ title: 'One', ...said }), await before.add({ title: 'Two', ...said })];
    const taken = await before.change(posts[1]!, { status: 'draft' });
    await before.jobs.stop();
    before.clock.pass(30 * day);
    const after = await before.another();
    await after.jobs.settled();
    assert.equal((await after.posts.get(posts[0]!.id)).status, 'publish');
    assert.equal((await after.posts.get(taken.id)).status, 'draft', 'somebody thought better of it');
    assert.deepEqual(after.told, [`post.saved ${posts[0]!.id}`, `post.published ${posts[0]!.id}`]);
  });
});

// Records that are to be published later, by the clock of a site in Berlin: also in the nights in which that clock changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, minute } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aPaper, idsIn, neutral, outcome, type Paper } from '#test/paper.ts';
import { type TestClock, testClock } from '#test/queue.ts';
import { testRows } from '#test/rows.ts';
import { noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';

const posts = `${neutral}/posts`;
const secret = 'a secret that only this test knows of, long enough';
const [summer, winter] = ['2027-07-01T12:00:00', '2027-12-01T12:00:00'];

/** What is said of the date of a post that is to be published; what it has then by both clocks, or why not. */
const said: readonly [said: object, date: string, date_gmt: string, status?: string][] = [
  [{ date: summer }, summer, '2027-07-01T10:00:00', 'future'],
  [{ date: winter }, winter, '2027-12-01T11:00:00', 'future'],
  [{ date_gmt: summer }, '2027-07-01T14:00:00', summer, 'future'],
  [{ date: summer, date_gmt: winter }, summer, '2027-07-01T10:00:00', 'future'],
  [{ date: `${summer}Z` }, '2027-07-01T14:00:00', summer, 'future'],
  [{ date_gmt: `${summer}+02:00` }, summer, '2027-07-01T10:00:00', 'future'],
  [{ date: '2027-07-01 12:00:00.500' }, summer, '2027-07-01T10:00:00', 'future'],
  [{}, '2026-11-20T13:00:00', '2026-11-20T12:00:00', 'publish'],
  [{ date: null }, '2026-11-20T13:00:00', '2026-11-20T12:00:00', 'publish'],
  [{ date: null, date_gmt: null }, '2026-11-20T13:00:00', '2026-11-20T12:00:00', 'publish'],
  // An hour that the clock leaves out is as much later.
  [{ date: '2027-03-28T01:59:59' }, '2027-03-28T01:59:59', '2027-03-28T00:59:59', 'future'],
  [{ date: '2027-03-28T02:00:00' }, '2027-03-28T03:00:00', '2027-03-28T01:00:00', 'future'],
  [{ date: '2027-03-28T02:30:00' }, '2027-03-28T03:30:00', '2027-03-28T01:30:00', 'future'],
  [{ date_gmt: '2027-03-28T01:00:00' }, '2027-03-28T03:00:00', '2027-03-28T01:00:00', 'future'],
  // One that comes twice is the first, unless somebody says which.
  [{ date: '2027-10-31T02:30:00' }, '2027-10-31T02:30:00', '2027-10-31T00:30:00', 'future'],
  [{ date: '2027-10-31T02:30:00+01:00' }, '2027-10-31T02:30:00', '2027-10-31T01:30:00', 'future'],
  [{ date_gmt: '2027-10-31T01:30:00' }, '2027-10-31T02:30:00', '2027-10-31T01:30:00', 'future'],
  // A day that only leap years have.
  [{ date: '2024-02-29T08:00:00' }, '2024-02-29T08:00:00', '2024-02-29T07:00:00', 'publish'],
];

const impossible = [
  '',
  'tomorrow',
  '2027-07-01',
  '2027-13-01T00:00:00',
  '2027-07-32T00:00:00',
  '2027-02-30T08:00:00',
  '2027-07-01T25:00:00',
];

async function inBerlin(engine: TestEngine, clock: TestClock = testClock()): Promise<Paper> {
  const site = await aPaper(engine, { clock, env: { GATEHOUSE_SECRET: secret } });
  const { settings, siteGroup } = site.app.services;
  await settings.change(siteGroup, { timezone: 'Europe/Berlin' }, 0);
  return site;
}

const publishedIn = async (site: Paper): Promise<number[]> => idsIn(await site.get(`${posts}?orderby=id&order=asc`));

eachEngine('Dates in Berlin', async (engine) => {
  const site = await inBerlin(engine);
  const { made, editor } = site;

  testRows('a date that is sent becomes this date', said, async ([about, date, date_gmt, status]) => {
    const post = await made(posts, { title: 'Night', status: 'publish', ...about });
    assert.deepEqual([post.date, post.date_gmt, post.status], [date, date_gmt, status]);
    const draft = await made(posts, { title: 'Night', ...about });
    const changed = await editor.put(`${posts}/${draft.id}`, { status: 'publish' });
    assert.deepEqual([changed.body.date, changed.body.date_gmt, changed.body.status], [date, date_gmt, status]);
    const again = await editor.put(`${posts}/${post.id}`, changed.body);
    assert.deepEqual([again.body.date, again.body.date_gmt, again.body.status], [date, date_gmt, status]);
  });

  test('what is no date is refused, and leaves nothing behind', async () => {
    const total = async () => (await editor.get(`${posts}?status=any&per_page=1`)).headers.get('x-wp-total');
    const before = await total();
    for (const name of ['date', 'date_gmt'])
      for (const odd of impossible) {
        const answer = await editor.post(posts, { title: 'Never', [name]: odd });
        assert.deepEqual(
          [...outcome(answer), Object.keys(answer.body.data.details)],
          [400, 'rest_invalid_param', [name]],
        );
        assert.equal(answer.body.data.details[name].code, 'rest_invalid_date', odd);
      }
    assert.deepEqual(outcome(await editor.post(posts, { title: 'Never', date: '0000-01-01T00:00:00' })), [
      400,
      'invalid_date',
    ]);
    assert.equal(await total(), before);
  });

  test('lists go by the clock of the site, unless a moment is said', async () => {
    const night = await made(posts, { title: 'Night', date: '2025-03-01T00:30:00', status: 'publish' });
    const list = async (query: string) => idsIn(await site.get(`${posts}?include=${night.id}&${query}`)).length;
    assert.equal(await list('after=2025-03-01T00:00:00'), 1);
    assert.equal(await list('after=2025-03-01T00:00:00Z'), 0);
    assert.equal(await list('before=2025-03-01T00:00:00Z'), 1);
    assert.equal(await list('before=2025-03-01T00:30:00'), 0, 'exclusive');
    assert.equal(await list('after=2025-02-28T23:29:59Z'), 1);
  });
});

eachEngine('A draft in Berlin', (engine) => {
  test('floats until it is published, whatever of it is sent back', async () => {
    const clock = testClock();
    const { made, editor } = await inBerlin(engine, clock);
    const { id, date, date_gmt } = await made(posts, { title: 'Floating' });
    assert.deepEqual([date, date_gmt], ['2026-11-20T13:00:00', '2026-11-20T12:00:00']);
    let shown = { date, date_gmt };
    for (const back of [
      ({ date }: typeof shown) => ({ date }),
      ({ date_gmt }: typeof shown) => ({ date_gmt }),
      ({ date_gmt }: typeof shown) => ({ date_gmt: `${date_gmt}Z` }),
      ({ date, date_gmt }: typeof shown) => ({ date, date_gmt }),
    ]) {
      clock.pass(hour);
      const { body } = await editor.put(`${posts}/${id}`, { ...back(shown), content: 'Words' });
      assert.notEqual(body.date_gmt, shown.date_gmt, 'it floats on');
      shown = body;
    }
    clock.pass(day);
    const { body } = await editor.put(`${posts}/${id}`, { status: 'publish' });
    assert.deepEqual([body.date, body.date_gmt], ['2026-11-21T17:00:00', '2026-11-21T16:00:00']);
    const back = await editor.put(`${posts}/${id}`, { status: 'draft', date: null });
    clock.pass(hour);
    const later = await editor.put(`${posts}/${id}`, { status: 'publish' });
    assert.deepEqual([back.body.date, later.body.date], ['2026-11-21T17:00:00', '2026-11-21T18:00:00']);
  });
});

eachEngine('What is scheduled', (engine) => {
  const shared = async () => {
    const where = await engine.place();
    return { ...engine, place: async () => where };
  };

  test('is published once by one of two processes, within a minute, and seen by readers of both', async () => {
    const [one, clock] = [await shared(), testClock()];
    const sites = [await inBerlin(one, clock), await inBerlin(one, clock)] as const;
    const told: number[] = [];
    for (const { app } of sites) app.services.events.on('post.published', ({ post }) => void told.push(post.id));
    const settled = () => Promise.all(sites.map(({ app }) => app.services.jobs.settled()));
    await settled();
    const [site] = sites;
    // At half past two in the night by the clock of the site, which is an hour earlier by that of the world.
    const post = await site.made(posts, { title: 'Soon', status: 'publish', date: '2026-11-27T02:30:00', tags: [] });
    const { date, date_gmt, modified, slug, link } = post;
    assert.deepEqual([post.status, date_gmt, slug], ['future', '2026-11-27T01:30:00', 'soon']);
    assert.equal(link, `http://site.test/?p=${post.id}`);
    clock.pass(Date.parse(`${date_gmt}Z`) - noon.getTime() - 1_000);
    await settled();
    for (const each of sites) assert.deepEqual(await publishedIn(each), []);
    assert.deepEqual(outcome(await site.get(`${posts}/${post.id}`)), [401, 'rest_forbidden']);
    clock.pass(minute);
    await settled();
    await settled();
    for (const each of sites) await soon(async () => (await publishedIn(each)).join(), `${post.id}`);
    const { body } = await site.get(`${posts}/${post.id}`);
    assert.deepEqual([body.date, body.date_gmt, body.modified], [date, date_gmt, modified]);
    assert.equal(body.link, 'http://site.test/2026/11/27/soon/');
    assert.equal((await site.get(`${neutral}/categories/1`)).body.count, 1);
    clock.pass(hour);
    await settled();
    assert.deepEqual(told, [post.id]);
  });

  test('is published at the next start when nobody was at work, and not what somebody took back', async () => {
    const [one, clock] = [await shared(), testClock()];
    const before = await inBerlin(one, clock);
    await before.app.services.jobs.settled();
    const schedule = async (title: string, date: string): Promise<number> =>
      (await before.made(posts, { title, date, status: 'publish' })).id;
    const kept = [await schedule('One', '2026-11-21T00:00:00'), await schedule('Two', '2026-11-22T00:00:00')];
    const taken = await schedule('Three', '2026-11-21T00:00:00');
    const moved = await schedule('Four', '2026-11-21T00:00:00');
    const trashed = await schedule('Five', '2026-11-21T00:00:00');
    await before.editor.put(`${posts}/${taken}`, { status: 'draft' });
    await before.editor.put(`${posts}/${moved}`, { date: '2027-06-01T00:00:00' });
    await before.editor.delete(`${posts}/${trashed}`);
    await before.app.services.jobs.stop();
    clock.pass(10 * day);
    assert.deepEqual(await publishedIn(before), [], 'nobody is at work');
    const after = await inBerlin(one, clock);
    await after.app.services.jobs.settled();
    assert.deepEqual(await publishedIn(after), kept);
    const statuses = async () =>
      Promise.all([taken, moved, trashed].map(async (id) => (await after.app.services.content.posts.get(id)).status));
    assert.deepEqual(await statuses(), ['draft', 'future', 'trash']);
    // What comes back when its time has passed is published.
    const known = await before.credentials('editor');
    assert.equal((await after.put(`${posts}/${trashed}`, { status: 'future' }, known)).body.status, 'publish');
  });
});

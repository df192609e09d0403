import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IncomingRequest, withRequest } from '#kernel/request.ts';
import { minute } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { aSite, noon } from '#test/site.ts';
import { createRateLimits } from '../../platform/rate-limits.ts';
import { createPostPasswords } from './post-passwords.ts';

const password = 'a quiet river';

async function aClosedPost(engine: TestEngine) {
  const time = { now: noon.getTime() };
  const site = await aSite(engine, { clock: () => new Date(time.now) });
  const editor = site.as('editor');
  const said = { title: 'Closed', content: 'behind the door', status: 'publish', password };
  const { body: post } = await editor.post('/api/core/v2/posts', said);
  const comment = { post: post.id, content: 'Words', author_name: 'Ada', author_email: 'ada@example.org' };
  const { body: spoken } = await site.as('administrator').post('/api/core/v2/comments', comment);
  const from = (address: string) => {
    const { ask } = visitorFrom(site.port, address);
    const read = async (word: string) => ask(`/api/core/v2/posts/${post.id}?password=${encodeURIComponent(word)}`);
    return {
      ask,
      read,
      comments: (word: string) => ask(`/api/core/v2/comments?post=${post.id}&password=${encodeURIComponent(word)}`),
      comment: (word: string) => ask(`/wp-json/wp/v2/comments/${spoken.id}?password=${encodeURIComponent(word)}`),
      form: (word: string) =>
        ask('/wp-login.php?action=postpass', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: String(new URLSearchParams({ post_password: word, redirect_to: post.link })),
        }),
    };
  };
  return { site, time, post, from };
}

eachEngine('Guessing the password of a post', (engine) => {
  test('ends after ten wrong ones from an address, whichever way they come, the right one included', async () => {
    const { from, time } = await aClosedPost(engine);
    const mallory = from('127.0.0.20');
    const statuses: number[] = [];
    for (const way of ['read', 'comments', 'comment', 'form', 'read'] as const)
      for (const word of ['one', 'two']) statuses.push((await mallory[way](word)).status);
    assert.ok(!statuses.includes(429), String(statuses));
    for (const way of ['read', 'comments', 'comment', 'form'] as const)
      for (const word of ['three', password]) {
        const answer = await mallory[way](word);
        assert.equal(answer.status, 429, way);
        assert.equal(answer.headers['retry-after'], '300');
      }
    assert.equal((await mallory.read('x')).body.code, 'too_many_requests');
    assert.equal((await from('127.0.0.21').read(password)).status, 200, 'others are not met');
    time.now += 5 * minute;
    assert.equal((await mallory.read(password)).body.content.protected, true);
    assert.equal((await mallory.form(password)).status, 303);
  });

  test('is not quicker when many are sent at once', async () => {
    const { from } = await aClosedPost(engine);
    const mallory = from('127.0.0.22');
    const words = Array.from({ length: 60 }, (_, at) => (at === 50 ? password : `guess ${at}`));
    const statuses = (await Promise.all(words.map(mallory.read))).map(({ status }) => status);
    assert.ok(statuses.filter((status) => status === 403).length <= 10, String(statuses));
    assert.ok(!statuses.includes(200), String(statuses));
  });

  test('leaves those in who opened it before, and its editors', async () => {
    const { from, site, post } = await aClosedPost(engine);
    const ada = from('127.0.0.23');
    const cookie = String((await ada.form(password)).headers['set-cookie']).split(';')[0]!;
    for (let time = 0; time < 11; time++) await ada.read(`wrong ${time}`);
    assert.equal((await ada.form(password)).status, 429);
    const path = new URL(post.link).pathname;
    assert.match((await ada.ask(path, { headers: { cookie } })).text, /behind the door/);
    const headers = await site.credentials('editor');
    for (let time = 0; time < 12; time++)
      assert.equal((await ada.ask(`/api/core/v2/posts/${post.id}?password=no`, { headers })).status, 403);
  });

  test('is counted by all processes together, and forgotten when it no longer counts', async () => {
    const { site, post, time, from } = await aClosedPost(engine);
    const { store, clock, jobs } = site.app.services;
    const other = createPostPasswords({ rateLimits: createRateLimits({ store, clock }), clock });
    const guarded = { id: post.id, password };
    const at = <R>(address: string, work: () => R): R => withRequest({ address } as IncomingRequest, work);
    for (let guess = 0; guess < 10; guess++)
      assert.equal(await at('127.0.0.24', () => other.opens(guarded, `${guess}`)), false);
    assert.equal((await from('127.0.0.24').read(password)).status, 429);
    // Ten addresses of one IPv6 network are one address.
    for (let guess = 0; guess < 10; guess++) await at(`2001:db8:7::${guess}`, () => other.opens(guarded, `${guess}`));
    await assert.rejects(
      at('2001:db8:7::ffff', () => other.opens(guarded, password)),
      { status: 429 },
    );
    assert.equal(await at('2001:db8:7:1::1', () => other.opens(guarded, password)), true);
    const rows = async () => (await store.db.selectFrom('rate_limits').selectAll().execute()).length;
    assert.equal(await rows(), 5);
    time.now += 61 * minute;
    await jobs.settled();
    assert.equal(await rows(), 0);
  });

  test('of one post from very many addresses leaves each of them one guess', async () => {
    const { site, post } = await aClosedPost(engine);
    const { opens } = createPostPasswords(site.app.services);
    const guarded = { id: post.id, password };
    const guess = (address: number, word: string) =>
      withRequest({ address: `198.51.100.${address}` } as IncomingRequest, () => opens(guarded, word));
    for (let address = 0; address < 100; address++) assert.equal(await guess(address, 'wrong'), false);
    await assert.rejects(guess(0, password), { status: 429 });
    assert.equal(await guess(200, password), true, 'a reader who makes no mistake');
    assert.equal(await guess(201, 'wrong'), false);
    await assert.rejects(guess(201, password), { status: 429 });
  });
});

// Guards through the front door: what they are asked, when, and what comes of what they say.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { IncomingRequest } from '#kernel/request.ts';
import type { SentBody } from '#kernel/request-guard.ts';
import { html } from '#lib/html.ts';
import { eachEngine } from '#test/databases.ts';
import { guarded, refusal } from '#test/guards.ts';
import { aSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { extensions as bundled } from '../../extensions/all.ts';
import { secsuite } from '../../extensions/secsuite/extension.ts';
import type { AnyEntry } from '../extension.ts';
import type { Arrived } from '../identity/clients.ts';
import type { Guard, Known } from './guards.ts';

const posts = '/api/core/v2/posts';

eachEngine('A guard at the door', (engine) => {
  test('refuses before anything is looked at, answers that are kept included, in the form that was asked for', async () => {
    let isClosed = false;
    const site = await guarded(engine, { onConnect: () => (isClosed ? refusal('closed') : undefined) });
    for (const _ of [1, 2]) assert.equal((await site.get(posts)).status, 200);
    isClosed = true;
    const answer = await site.get(posts);
    assert.deepEqual([answer.status, answer.body.code, answer.body.data], [403, 'closed', { status: 403 }]);
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
    const page = await site.get('/');
    assert.equal(page.status, 403);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('cache-control') ?? '', /no-store/);
    assert.match(page.text, /Nobody comes in\./);
    assert.equal((await site.get('/', { accept: 'application/json' })).body.code, 'closed');
    assert.equal((await site.get('/healthz')).status, 403);
    isClosed = false;
    assert.equal((await site.get(posts)).status, 200);
  });

  test('may say it in words of its own, or lead elsewhere', async () => {
    const site = await guarded(engine, {
      onConnect: ({ url }) =>
        url.includes('away')
          ? refusal('elsewhere', { to: 'https://other.test/here' })
          : refusal('closed', { words: html`<p>Come back <b>tomorrow</b>.</p>` }),
    });
    assert.match((await site.get('/')).text, /Come back <b>tomorrow<\/b>\./);
    for (const path of ['/away', `${posts}?away=1`])
      assert.equal((await site.get(path)).headers.get('location'), 'https://other.test/here', path);
  });

  test('keeps a kept answer back, so that it is asked again once it is known who asks', async () => {
    const knew: number[] = [];
    let keeps = true;
    const site = await guarded(engine, { mayServeCached: () => keeps, onCaller: ({ user }) => void knew.push(user) });
    for (const _ of [1, 2, 3]) await site.get(posts);
    const before = knew.length;
    keeps = false;
    await site.get(posts);
    assert.equal(knew.length, before + 1);
  });

  test('never meets somebody whom nobody knows: who cuts the connection at once is not heard', async () => {
    const asked: string[] = [];
    const site = await guarded(engine, { onConnect: ({ url, address }) => void asked.push(`${url} ${address}`) });
    const cut = async (): Promise<void> => {
      const socket = connect(site.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('POST /login?cut HTTP/1.1\r\nHost: site.test\r\nContent-Length: 0\r\n\r\n');
      socket.resetAndDestroy();
    };
    for (const _ of [1, 2, 3]) await cut();
    await site.get('/healthz');
    await site.get('/healthz');
    assert.deepEqual(asked, ['/healthz 127.0.0.1', '/healthz 127.0.0.1']);
  });

  test('that does not know whether it is ready keeps everybody out', async () => {
    let isBroken = true;
    const site = await guarded(engine, {
      isReady() {
        if (isBroken) throw new Error('broken');
        return true;
      },
    });
    assert.equal((await site.get(posts)).status, 503);
    site.log.lines.length = 0;
    isBroken = false;
    assert.equal((await site.get(posts)).status, 200);
  });

  test('is waited for: until it is ready nobody is answered but who asks whether the process is alive', async () => {
    let isReady = false;
    const site = await guarded(engine, { isReady: () => isReady });
    assert.equal((await site.get('/healthz')).status, 200);
    for (const path of [posts, '/', '/readyz']) {
      const answer = await site.get(path);
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], path);
    }
    isReady = true;
    assert.equal((await site.get(posts)).status, 200);
  });

  test('of an extension that is switched on is ready before that is said to be done', async () => {
    let [isReady, ready] = [true, Promise.resolve()];
    const late: AnyEntry = () => ({
      name: 'late',
      nouns: () => ({}),
      guards: () => [{ whenFailing: 'closed', isReady: () => isReady, ready }],
    });
    const site = await aSite(engine, { extensions: [...bundled, late] });
    const { extensions } = site.app.services;
    await extensions.deactivate('late', {});
    const loading = Promise.withResolvers<void>();
    [isReady, ready] = [false, loading.promise];
    let isDone = false;
    const done = extensions.activate('late', {}).then(() => {
      isDone = true;
    });
    await soon(async () => (await site.get(posts)).status, 503);
    assert.equal(isDone, false);
    isReady = true;
    loading.resolve();
    await done;
    assert.equal((await site.get(posts)).status, 200);
  });
});

eachEngine('Who does not know whose request it is', (engine) => {
  test('has that one refused, and no other', async () => {
    let isBroken = true;
    const finding: AnyEntry = () => ({
      name: 'finding',
      nouns: () => ({}),
      client: () => (arrived: Arrived) => {
        if (isBroken) throw new Error('broken');
        return arrived.own();
      },
    });
    const site = await aSite(engine, { extensions: [...bundled.filter((one) => one !== secsuite), finding] });
    assert.equal((await site.get(posts)).status, 500);
    assert.equal(site.log.lines.splice(0).filter(({ level }) => level === 'error').length, 1);
    isBroken = false;
    assert.equal((await site.get(posts)).status, 200);
  });
});

eachEngine('A guard that reads', (engine) => {
  const attack = { content: 'an attack' };
  const holds = (sent: SentBody) =>
    Buffer.from(sent.bytes ?? []).includes('attack') || String(sent.form?.content).includes('attack');
  const reading: Partial<Guard> = {
    needsBody: () => true,
    onBody: (_, sent) => (holds(sent) ? refusal('attacked') : undefined),
  };

  test('sees a body before anybody is known, at any address, and whoever comes after it sees it too', async () => {
    const site = await guarded(engine, reading);
    const wrong = { authorization: `Basic ${Buffer.from('nobody:wrong').toString('base64')}` };
    assert.equal((await site.post(posts, attack, wrong)).body.code, 'attacked');
    assert.equal((await site.post('/api/no/such/route', attack)).body.code, 'attacked');
    assert.equal((await site.request('POST', '/no/such/page', { body: attack })).status, 403);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.equal((await site.request('POST', '/login', { headers: form, body: 'content=attack' })).status, 403);
    assert.equal((await site.request('POST', posts, { headers: form, body: 'content=attack' })).body.code, 'attacked');
    const made = await site.as('administrator').post(posts, { title: 'Peace', status: 'publish' });
    assert.deepEqual([made.status, made.body.title.raw], [201, 'Peace']);
  });

  test('sees what cannot be understood, which is refused as ever where it lets it pass', async () => {
    const site = await guarded(engine, reading);
    const headers = { 'content-type': 'application/json' };
    assert.equal((await site.request('POST', posts, { headers, body: '{"content": "attack' })).body.code, 'attacked');
    assert.equal(
      (await site.request('POST', posts, { headers, body: '{"content": "' })).body.code,
      'rest_invalid_json',
    );
  });

  test('has nothing of an upload read before it is known whether it may come', async () => {
    const seen: (Uint8Array | undefined)[] = [];
    const site = await guarded(engine, { needsBody: () => true, onBody: (_, { bytes }) => void seen.push(bytes) });
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename=a.png' };
    assert.equal(
      (await site.request('POST', '/api/core/v2/media', { headers, body: Buffer.from('attack') })).status,
      401,
    );
    assert.deepEqual(seen, [undefined]);
  });
});

eachEngine('A guard that knows who asks', (engine) => {
  test('is told so, with what was asked of which route', async () => {
    const knew: (readonly [string | undefined, Known['asked']])[] = [];
    const site = await guarded(engine, { onCaller: (_, { user, asked }) => void knew.push([user?.login, asked]) });
    await site.as('editor').post(`${posts}?context=edit`, { title: 'One' });
    await site.get('/api/no/such/route?x=1');
    assert.deepEqual(knew, [
      ['editor', { route: '/core/v2/posts', method: 'POST', params: { context: 'edit', title: 'One' } }],
      [undefined, { route: undefined, method: 'GET', params: { x: '1' } }],
    ]);
  });

  test('refuses a batch as a whole for one of its requests, and nothing of it is done', async () => {
    const guard: Partial<Guard> = {
      onCaller: (_, { asked }) => (asked?.params.title === 'attack' ? refusal('attacked') : undefined),
    };
    const site = await guarded(engine, guard);
    const requests = ['peace', 'attack'].map((title) => ({
      path: '/core/v2/posts',
      body: { title, status: 'publish' },
    }));
    const answer = await site.as('administrator').post('/api/batch/v1', { requests });
    assert.deepEqual([answer.status, answer.body.code], [403, 'attacked']);
    assert.deepEqual((await site.get(posts)).body, []);
  });

  test('ends the session of a browser with its refusal', async () => {
    const site = await guarded(engine, {
      onCaller: ({ url }: IncomingRequest, { user }) =>
        user !== undefined && url.startsWith('/account') ? refusal('out', { endsSession: true }) : undefined,
    });
    const { user, credentials } = await signedIn(site);
    assert.equal(user, 'ada');
    const answer = await site.get('/account', credentials);
    assert.equal(answer.status, 403);
    assert.match(answer.headers.get('set-cookie') ?? '', /=; .*Max-Age=0/);
    assert.equal((await site.get('/login', credentials)).status, 200);
  });
});

async function signedIn(site: Awaited<ReturnType<typeof aSite>>) {
  const ada = await site.user({ login: 'ada', password: 'the right one', roles: ['author'] });
  const body = new URLSearchParams({ log: 'ada', pwd: 'the right one' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { headers: got } = await site.request('POST', '/login', { headers, body });
  return { user: ada.login, credentials: { cookie: String(got.get('set-cookie')).split(';', 1)[0]! } };
}

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { after, describe, test } from 'node:test';
import { hour, minute } from '#lib/spans.ts';
import { guard } from '#test/guarded.ts';
import { aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import type { Event } from '../../logs/entry.ts';
import { createBreached } from './breached.ts';

const noon = Date.parse('2026-11-20T12:00:00Z');
const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const filler = (times: number) =>
  Array.from({ length: times }, (_, at) => `${at.toString(16).padStart(35, '0')}:${at}`);

const answering =
  (body: string, status = 200, type = 'text/plain'): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'Content-Type': type }).end(body);

/** A service that knows these, each so many times. */
const knowing =
  (passwords: Readonly<Record<string, number>>): RequestListener =>
  (request, response) => {
    const prefix = request.url?.split('/').at(-1) ?? '';
    const theirs = Object.entries(passwords)
      .filter(([password]) => hashOf(password).startsWith(prefix))
      .map(([password, times]) => `${hashOf(password).slice(5)}:${times}`);
    answering([...filler(800), ...theirs].join('\r\n'))(request, response);
  };

async function serviceOf(answer: RequestListener) {
  const service = await aRemote(answer);
  after(() => service.close());
  return service;
}

async function asking(answer: RequestListener) {
  const service = await serviceOf(answer);
  const { outgoing } = guard(service);
  const logged: Event[] = [];
  let now = noon;
  const breached = createBreached({
    outgoing,
    clock: () => new Date(now),
    base: `${service.url}/`,
    log: (event) => void logged.push(event),
  });
  const later = (milliseconds: number) => {
    now += milliseconds;
  };
  return { breached, service, logged, later };
}

describe('Whether a password has become known', () => {
  test('is looked up by five signs of its fingerprint, and nothing else leaves', async () => {
    const { breached, service } = await asking(knowing({ 'correct horse': 3 }));
    assert.equal(await breached.has('correct horse'), true);
    assert.equal(await breached.has('hollow teapot'), false);
    assert.deepEqual(
      service.asked.map(({ method, url }) => [method, url]),
      [
        ['GET', `/range/${hashOf('correct horse').slice(0, 5)}`],
        ['GET', `/range/${hashOf('hollow teapot').slice(0, 5)}`],
      ],
    );
    const sent = JSON.stringify(service.asked.map(({ url, rawHeaders }) => [url, rawHeaders]));
    for (const password of ['correct horse', 'hollow teapot']) assert.ok(!sent.includes(hashOf(password).slice(5, 12)));
    assert.equal(service.asked[0]?.headers['add-padding'], 'true');
    assert.equal(service.asked[0]?.headers.authorization, undefined);
  });

  test('is not said of what was only added to make the list longer', async () => {
    const { breached } = await asking(knowing({ 'correct horse': 0 }));
    assert.equal(await breached.has('correct horse'), false);
  });

  test('is remembered for an hour', async () => {
    const { breached, service, later } = await asking(knowing({ 'correct horse': 3 }));
    await breached.has('correct horse');
    later(hour - 1);
    assert.equal(await breached.has('correct horse'), true);
    assert.equal(service.asked.length, 1);
    later(1);
    assert.equal(await breached.has('correct horse'), true);
    assert.equal(service.asked.length, 2);
  });

  const senseless: readonly (readonly [what: string, answer: RequestListener])[] = [
    ['an error', answering('', 503)],
    ['a page', answering('<h1>Please sign in to this network</h1>', 200, 'text/html')],
    ['no list', answering('Please sign in to this network')],
    ['too much', answering(`${'0'.repeat(35)}:1\r\n`.repeat(10_000))],
    ['another address', (_, response) => void response.writeHead(302, { Location: 'http://192.0.2.1/' }).end()],
  ];
  test('is not known when the service answers nonsense, and the service is not asked again within the next minute', () =>
    checkRows(senseless, async ([, answer]) => {
      const { breached, service, logged, later } = await asking(answer);
      assert.equal(await breached.has('correct horse'), undefined);
      assert.equal(breached.trouble, 'unreachable');
      later(minute - 1);
      assert.equal(await breached.has('correct horse'), undefined);
      assert.equal(service.asked.length, 1);
      assert.deepEqual(
        logged.map(({ module, code, type }) => [module, code, type]),
        [['password_requirements', 'breached-not-asked', 'warning']],
      );
      assert.ok(!JSON.stringify(logged).includes(hashOf('correct horse').slice(0, 5)));
      later(1);
      await breached.has('correct horse');
      assert.equal(service.asked.length, 2);
      assert.equal(logged.length, 2);
    }));

  test('is not known to all who asked at once where the service is away, which is said once', async () => {
    const { breached, logged } = await asking((_, response) => void response.destroy());
    const asked = ['one', 'two', 'three', 'four'].map((password) => breached.has(password));
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([undefined]));
    assert.equal(logged.length, 1);
  });

  test('is not known where nobody may be asked, which is said once in an hour', async () => {
    const logged: Event[] = [];
    const breached = createBreached({
      outgoing: { fetch: () => assert.fail('Somebody was asked.') },
      clock: () => new Date(noon),
      base: undefined,
      log: (event) => void logged.push(event),
    });
    for (let times = 0; times < 3; times += 1) assert.equal(await breached.has('correct horse'), undefined);
    assert.deepEqual([logged.length, breached.trouble], [1, 'nobody']);
  });

  test('is not asked of an address that is not public', async () => {
    const { outgoing } = guard(await serviceOf(knowing({})));
    const logged: Event[] = [];
    const breached = createBreached({
      outgoing,
      clock: () => new Date(noon),
      base: 'http://169.254.169.254',
      log: (event) => void logged.push(event),
    });
    assert.equal(await breached.has('correct horse'), undefined);
    assert.equal(logged.length, 1);
  });
});

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { createAnswers } from './answers.ts';
import type { Composed } from './compose.ts';

describe('A kept answer', () => {
  const engine = testEngine('sqlite');

  test('is byte for byte what was made first, short or long, in each encoding', () =>
    checkRows(
      [
        ['short', 1],
        ['long', 60],
      ] as const,
      ([what, many]) =>
        checkRows(['identity', 'gzip', 'br'], async (encoding) => {
          const site = await aSite(engine);
          for (let said = 0; said < many; said++) await greet(site, `Grüß Gott, 世界 👋 ${'é'.repeat(180)}`);
          const path = `${greetings}?per_page=100`;
          const made = await site.get(path, { 'accept-encoding': encoding, cookie: 'site_session=1' });
          const told = [];
          for (let time = 0; time < 4; time++) told.push(await site.get(path, { 'accept-encoding': encoding }));
          for (const { text, headers } of told) {
            assert.equal(text, made.text);
            assert.equal(headers.get('x-wp-total'), String(many));
          }
          assert.equal(told[0]!.text.length > 16 * 1024, what === 'long');
        }),
    ));
});

describe('Cookies', () => {
  const engine = testEngine('sqlite');
  const path = '/api/probe/v1/red';
  const askedWith = async (site: TestSite, cookie: string) => (await site.get(path, { cookie })).body.calls;

  test('of other programs keep nobody from kept answers, and the one that makes a browser known does', async () => {
    const site = await aSite(engine, withProbe());
    await site.get(path);
    assert.equal(await askedWith(site, 'seen=1; theme=dark'), 1);
    assert.equal(await askedWith(site, 'seen=1; site_session=x'), 2);
    assert.equal(await askedWith(site, 'site_session='), 3);
    assert.equal(await askedWith(site, 'seen=1'), 1, 'and what it was answered is kept for nobody');
  });

  test('of other programs lead to an answer that is kept for all', async () => {
    const site = await aSite(engine, withProbe());
    assert.deepEqual([await askedWith(site, 'seen=1'), (await site.get(path)).body.calls], [1, 1]);
  });
});

describe('An answer that was under way while something was written', () => {
  const request = (url: string) => ({ url, method: 'GET', headers: {} }) as unknown as IncomingMessage;
  const composed = {
    status: 200,
    head: [],
    body: Buffer.from('{"rows":0}'),
    etag: '"x"',
    compressible: false,
  } as unknown as Composed;

  /** Answers, and how to tell them of a write. */
  function keeping() {
    const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
    const tracking = { watch: (one: (typeof listeners)[number]) => void listeners.push(one), isCurrent: true };
    const answers = createAnswers({ tracking, credentialCookie: 'key', now: () => 0 });
    const isKept = (url: string): boolean => {
      const response = { writeHead: () => response, end: () => response } as unknown as ServerResponse;
      return answers.serve(request(url), response, 'id');
    };
    return { answers, isKept, written: (topic: string) => listeners.forEach((tell) => void tell(new Set([topic]))) };
  }

  test('is not kept when it read what was written, whenever that was told', () => {
    const { answers, isKept, written } = keeping();
    const since = answers.moment();
    written('posts');
    written('terms');
    answers.keep('/posts', composed, { topics: new Set(['users', 'posts']), since });
    assert.equal(isKept('/posts'), false);
  });

  test('is kept when it read something else, or began after the write', () => {
    const { answers, isKept, written } = keeping();
    const since = answers.moment();
    written('posts');
    answers.keep('/terms', composed, { topics: new Set(['terms']), since });
    answers.keep('/posts', composed, { topics: new Set(['posts']), since: answers.moment() });
    assert.deepEqual([isKept('/terms'), isKept('/posts')], [true, true]);
  });
});

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { createAhead, createAnswers } from './answers.ts';
import type { Composed } from './compose.ts';

const request = (url: string) => ({ url, method: 'GET', headers: {} }) as unknown as IncomingMessage;
const response = { writeHead: () => response, end: () => response } as unknown as ServerResponse;
const composed = { status: 200, head: [], body: Buffer.from('{}'), etag: '"x"', compressible: false } as Composed;

/** Answers that all rest on one topic, and are made again ahead as soon as it moves. */
function site() {
  const listeners: ((topics: ReadonlySet<string>) => void)[] = [];
  const tracking = { watch: (one: (typeof listeners)[number]) => void listeners.push(one), isCurrent: true };
  const answers = createAnswers({ tracking, credentialCookie: 'key', now: () => 0 });
  const made: string[] = [];
  const reading = () => ({ topics: new Set(['posts']), since: answers.moment() });
  const ahead = createAhead(async (url) => {
    made.push(url);
    answers.keep(url, composed, reading(), 'ahead');
  });
  answers.outdated(ahead.ready);
  return {
    made,
    ahead,
    /** Whether it was met, and not made. */
    ask(url: string): boolean {
      const isKept = answers.serve(request(url), response, 'id');
      if (!isKept) answers.keep(url, composed, reading());
      return isKept;
    },
    async change(): Promise<void> {
      for (const tell of listeners) tell(new Set(['posts']));
      await ahead.settled();
    },
  };
}

describe('An answer that somebody asked for', () => {
  test('is ready again after a change, before the next who asks', async () => {
    const { ask, change, made } = site();
    assert.equal(ask('/a'), false);
    await change();
    assert.deepEqual(made, ['/a']);
    assert.equal(ask('/a'), true);
  });

  test('is made ahead no more often than it was asked for', async () => {
    const { ask, change, made } = site();
    ask('/a');
    for (let time = 0; time < 5; time++) await change();
    assert.deepEqual(made, ['/a']);
    ask('/a');
    for (let time = 0; time < 5; time++) await change();
    assert.deepEqual(made, ['/a', '/a']);
  });

  test('goes before those that were asked for earlier, and the others wait for a reader', async () => {
    const { ask, change, made } = site();
    const all = Array.from({ length: 20 }, (_, at) => `/${at}`);
    for (const url of all) ask(url);
    ask('/3');
    await change();
    assert.deepEqual(made, ['/3', '/19', '/18', '/17', '/16', '/15', '/14', '/13']);
  });

  test('is not made once the site stops', async () => {
    const { ask, change, made, ahead } = site();
    ask('/a');
    await ahead.stop();
    await change();
    assert.deepEqual(made, []);
  });
});

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { QueryResult } from 'kysely';
import { Unavailable } from '#lib/failures.ts';
import { pinging } from './store.ts';

test('A database that hangs is said to be away after two seconds, and is not asked again meanwhile', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const answers: PromiseWithResolvers<QueryResult<unknown>>[] = [];
  const ping = pinging({
    read: () => {
      const answer = Promise.withResolvers<QueryResult<unknown>>();
      answers.push(answer);
      return answer.promise;
    },
  });
  const first = assert.rejects(ping(), Unavailable);
  mock.timers.tick(2000);
  await first;
  const second = assert.rejects(ping(), Unavailable);
  mock.timers.tick(2000);
  await second;
  assert.equal(answers.length, 1);
  answers[0]?.resolve({ rows: [] });
  await new Promise(setImmediate);
  const third = ping();
  assert.equal(answers.length, 2);
  answers[1]?.resolve({ rows: [] });
  await third;
});

test('A database whose connections are all in use is there as long as it answers on any of them', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  let isAnswering = true;
  const ping = pinging({ read: () => new Promise(() => {}), hasAnsweredSince: () => isAnswering });
  const busy = ping();
  mock.timers.tick(2000);
  await busy;
  isAnswering = false;
  const silent = assert.rejects(ping(), Unavailable);
  mock.timers.tick(2000);
  await silent;
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptLog } from '#test/databases.ts';
import { counted } from './counted.ts';
import { createOutgoing } from './guard.ts';
import { Upstream } from './upstream.ts';

const purpose = { name: 'embed', types: ['text/html'], most: 100 };

test('what the guard refuses, and what the other side does wrong, is counted by what it was for', async () => {
  const outgoing = counted(createOutgoing({ allowHosts: [], version: '1.2.3', log: keptLog() }));
  for (const url of ['http://127.0.0.1/', 'http://[::1]/', 'file:///etc/passwd'])
    await assert.rejects(outgoing.fetch(url, purpose), { code: 'unsafe_url' });
  await assert.rejects(outgoing.vet('http://127.0.0.1/', purpose), { code: 'unsafe_url' });
  assert.deepEqual(outgoing.figures(), [{ purpose: 'embed', outcome: 'refused', requests: 4 }]);
});

test('an answer, a fault of the other side and one of ours are told apart', async () => {
  const outcomes = [undefined, new Upstream('late', 'Too late.'), new Error('a bug')];
  const outgoing = counted({
    fetch: async () => {
      const next = outcomes.shift();
      if (next !== undefined) throw next;
      return {} as never;
    },
    vet: async () => {},
  });
  await outgoing.fetch('https://example.org/', purpose);
  await assert.rejects(outgoing.fetch('https://example.org/', purpose), Upstream);
  await assert.rejects(outgoing.fetch('https://example.org/', purpose), /a bug/);
  assert.deepEqual(
    outgoing.figures().map(({ outcome, requests }) => [outcome, requests]),
    [
      ['answered', 1],
      ['late', 1],
      ['failed', 1],
    ],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClients } from '#site/identity/clients.ts';
import { processorTime } from '#test/turns.ts';
import { addressBy } from './detector.ts';

test('the address of a visitor is found at once in a header of any length', () => {
  const clients = createClients([]);
  const peer = '10.0.0.1';
  const long = `${'8.8.8.8,'.repeat(2_000)}${' ,'.repeat(4_000)}`;
  const headers = { 'x-forwarded-for': long, forwarded: long };
  const begun = processorTime();
  for (let time = 0; time < 100; time++)
    addressBy({ name: 'x-forwarded-for' }, { peer, headers, own: () => clients.own(peer, headers) }, clients);
  assert.ok(processorTime() - begun < 1_000);
});

// How a server finds out under which addresses it is reached.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncomingRequest } from '#kernel/request.ts';
import { createGuards } from '#site/hooks/guards.ts';
import type { Purpose } from '#site/outgoing/outgoing.ts';
import { type AddressNeeds, createMirror, serverAddresses } from './part.ts';

const code = 'secsuite.tool.identify-server-ips';

function aServer(needs: Partial<AddressNeeds>, before: readonly string[] = []) {
  const global = { server_ips: before };
  const settings = {
    keep: async (_: string, change: (before: object) => object) => Object.assign(global, change(global)),
  } as unknown as AddressNeeds['settings'];
  const found = serverAddresses({ settings, named: async () => [], seen: async () => undefined, ...needs });
  return { found, global };
}

const fails = async (): Promise<never> => {
  throw new Error('No.');
};

test('what its name leads to and where it is seen is added to what was known, each once', async () => {
  const { found, global } = aServer(
    { named: async () => ['203.0.113.7', '2001:db8::7'], seen: async () => '203.0.113.7' },
    ['203.0.113.6'],
  );
  const all = ['203.0.113.6', '203.0.113.7', '2001:db8::7'];
  assert.deepEqual(await found, { data: all, warning: [] });
  assert.deepEqual(global.server_ips, all);
});

test('one way that fails is a warning, both are an error, and no address is another', async () => {
  const { data, warning } = await aServer({ named: async () => ['203.0.113.7'], seen: fails }).found;
  assert.deepEqual([data, warning?.length], [['203.0.113.7'], 1]);
  assert.equal((await aServer({ named: fails, seen: async () => '203.0.113.7' }).found).warning?.length, 1);
  await assert.rejects(aServer({ named: fails, seen: fails }).found, { status: 500, code: `${code}.failed` });
  await assert.rejects(aServer({}).found, { status: 500, code: `${code}.no-ips` });
});

test('it is seen by the request it makes itself, and by no other that says so', async () => {
  const requests: IncomingRequest[] = [];
  const guards = createGuards();
  const arrives = (request: IncomingRequest) => guards.at('onConnect').map((guard) => guard.onConnect?.(request));
  const incoming = (word: string, peer: string): IncomingRequest =>
    ({ headers: { 'x-gatehouse-mirror': word }, peer }) as unknown as IncomingRequest;
  const own = {
    async fetch(url: string, { headers }: Purpose) {
      assert.equal(url, 'http://site.test/healthz');
      const word = headers?.['x-gatehouse-mirror'] ?? '';
      requests.push(incoming(word, '192.0.2.66'));
      arrives(incoming('guessed', '192.0.2.66'));
      arrives(incoming(word, '203.0.113.7'));
      return { bytes: async () => new Uint8Array() } as never;
    },
  };
  const mirror = createMirror(own, 'http://site.test', guards);
  assert.equal(await mirror.look(), '203.0.113.7');
  // Heard afterwards, the word means nothing any more.
  arrives(requests[0]!);
  assert.equal(await mirror.look(), '203.0.113.7');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IncomingRequest, noSources, type Request, requestFor, WatchedRequest } from './request.ts';

const incoming = { id: 'one', address: '192.0.2.1' } as IncomingRequest;
const sources = async () => noSources;
const outer: Request = {
  id: 'one',
  face: 'neutral',
  method: 'POST',
  path: '/batch/v1',
  query: '',
  headers: { cookie: 'a=b' },
  address: '192.0.2.1',
  incoming,
  hasLeft: () => true,
  sources,
};
const inner = { method: 'GET', path: '/', query: '', headers: {}, sources };

test('a request that is made for another comes from its client, also where a handler made it', () => {
  for (const one of [outer, new WatchedRequest(outer)]) {
    const { id, address, incoming: came, headers, hasLeft } = requestFor(one, inner);
    assert.deepEqual([id, address, came, headers, hasLeft?.()], ['one', '192.0.2.1', incoming, {}, true]);
  }
});

test('a handler that asks for anything but the address of a request is known by it', () => {
  const request = new WatchedRequest(outer);
  assert.deepEqual([request.path, request.hasLeft(), request.wasLookedAt], ['/batch/v1', true, false]);
  for (const look of ['id', 'headers', 'address', 'incoming'] as const) {
    const other = new WatchedRequest(outer);
    assert.deepEqual([other[look], other.wasLookedAt], [outer[look], true]);
  }
  void request.sources(1);
  assert.equal(request.wasLookedAt, true);
});

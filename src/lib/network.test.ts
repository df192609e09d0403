import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

for (const [address, network] of [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8:1:2::9', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0'],
  ['command line', 'command line'],
] as const)
  test(`${address} belongs to ${network}`, () => assert.equal(networkOf(address), network));

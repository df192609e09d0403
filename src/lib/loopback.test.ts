import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { isLoopback } from './ip-address.ts';

describe('The machine itself is', () => {
  test('by its names and loopback addresses', () =>
    checkRows(['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'], (name) =>
      assert.equal(isLoopback(name), true),
    ));
  test('not by names and addresses that only look like them', () =>
    checkRows(
      ['', 'localhost.evil.test', '127.0.0.1.evil.test', '127.evil.test', '128.0.0.1', '::2', '0.0.0.0'],
      (name) => assert.equal(isLoopback(name), false),
    ));
});

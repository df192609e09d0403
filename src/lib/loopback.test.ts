import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isLoopback } from './ip-address.ts';

describe('The machine itself is', () => {
  for (const name of ['localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])
    test(name, () => assert.equal(isLoopback(name), true));
  for (const name of ['', 'localhost.evil.test', '127.0.0.1.evil.test', '127.evil.test', '128.0.0.1', '::2', '0.0.0.0'])
    test(`not ${name || 'nothing'}`, () => assert.equal(isLoopback(name), false));
});

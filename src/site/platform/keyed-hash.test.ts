import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSame, keyedHash } from './keys.ts';

test('what lets somebody in is kept as a hash that the key decides', () => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  assert.match(keyedHash(one, 'x'), /^[\da-f]{64}$/);
  assert.notEqual(keyedHash(one, 'x'), keyedHash(other, 'x'));
});

test('hashes are compared with texts of any length and any letters', () => {
  assert.deepEqual(
    [isSame('abc', 'abc'), isSame('abc', 'abd'), isSame('abc', 'ab'), isSame('é', 'e')],
    [true, false, false, false],
  );
});

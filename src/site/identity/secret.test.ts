import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bare, inGroups, isSame, keyedHash, looksSecret, newSecret } from './secret.ts';
import { shownLogin } from './shown-login.ts';
import type { User } from './users/user.ts';

describe('A secret', () => {
  test('is 24 letters and digits, and never the same twice', () => {
    const secrets = Array.from({ length: 500 }, newSecret);
    for (const secret of secrets) assert.match(secret, /^[A-Za-z0-9]{24}$/);
    assert.equal(new Set(secrets).size, secrets.length);
  });

  test('uses every sign about as often as any other', () => {
    const counts = Map.groupBy(Array.from({ length: 2_000 }, newSecret).join(''), (sign) => sign);
    const mean = (2_000 * 24) / 62;
    assert.equal(counts.size, 62);
    for (const [sign, { length }] of counts) assert.ok(Math.abs(length - mean) < mean / 4, `${sign}: ${length}`);
  });

  test('is shown in groups of four, and read whatever comes between them', () => {
    assert.equal(inGroups('abcdEFGH1234ijklMNOP5678'), 'abcd EFGH 1234 ijkl MNOP 5678');
    assert.equal(bare(' abcd-EFGH\t1234 ijkl\u00a0MNOP “5678”\n'), 'abcdEFGH1234ijklMNOP5678');
  });

  test('is kept as a hash that the key decides', () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    assert.match(keyedHash(one, 'x'), /^[\da-f]{64}$/);
    assert.notEqual(keyedHash(one, 'x'), keyedHash(other, 'x'));
  });

  test('is compared with texts of any length and any letters', () => {
    assert.deepEqual(
      [isSame('abc', 'abc'), isSame('abc', 'abd'), isSame('abc', 'ab'), isSame('é', 'e')],
      [true, false, false, false],
    );
  });
});

describe('What somebody gave as their name is written down', () => {
  const somebody = {} as User;

  for (const [login, shown] of [
    ['editor', 'editor'],
    ['a@site.test', 'a@site.test'],
    ['edi\r\ntor\u0000\u009b', 'editor'],
    ['x'.repeat(80), 'x'.repeat(60)],
    ['abcd EFGH 1234 ijkl MNOP 5678', 'abcd…'],
    ['abcdEFGH1234ijklMNOP5678', 'abcd…'],
    ['abcd-EFGH-1234-ijkl-MNOP-5678', 'abcd-EFGH-1234-ijkl-MNOP-5678'],
  ] as const) {
    test(`${JSON.stringify(login).slice(0, 40)} as ${shown.slice(0, 40)}`, () => {
      assert.equal(shownLogin(login, undefined), shown);
    });
  }

  test('whole, when it is the name of somebody and merely looks like a secret', () => {
    const login = 'schoolboardadministrator';
    assert.equal(looksSecret(login), true);
    assert.equal(shownLogin(login, somebody), login);
  });
});

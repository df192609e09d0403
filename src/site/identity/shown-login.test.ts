import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { looksMade } from './application-passwords/application-passwords.ts';
import { shownLogin } from './shown-login.ts';
import type { User } from './users/user.ts';

describe('What somebody gave as their name is written down', () => {
  const somebody = {} as User;

  test('without control characters and secrets', () =>
    checkRows(
      [
        ['editor', 'editor'],
        ['a@site.test', 'a@site.test'],
        ['edi\r\ntor\u0000\u009b', 'editor'],
        ['x'.repeat(80), 'x'.repeat(60)],
        ['abcd EFGH 1234 ijkl MNOP 5678', 'abcd…'],
        ['abcdEFGH1234ijklMNOP5678', 'abcd…'],
        ['abcd-EFGH-1234-ijkl-MNOP-5678', 'abcd-EFGH-1234-ijkl-MNOP-5678'],
      ] as const,
      ([login, shown]) => {
        assert.equal(shownLogin(login, undefined), shown);
      },
    ));

  test('whole, when it is the name of somebody and merely looks like a password of the site', () => {
    const login = 'schoolboardadministrator';
    assert.equal(looksMade(login), true);
    assert.equal(shownLogin(login, somebody), login);
  });
});

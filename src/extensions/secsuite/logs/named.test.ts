import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folded } from '../parts.ts';
import { typeName } from './named.ts';

const { logNames } = folded;

const cases: readonly (readonly [module: string, code: string, name: string])[] = [
  ['brute_force', 'invalid-login', 'Wrong sign-in'],
  ['brute_force', 'invalid-login::user-7', 'Wrong sign-in of user 7'],
  ['brute_force', 'invalid-login::username-a,b', 'Wrong sign-in as "a,b"'],
  ['lockout', 'username-lockout::a,b', '"a,b" is locked out'],
  ['firewall', 'BLOCK::4', 'Request blocked by rule 4'],
  ['firewall', 'rule-left-out::4', 'Rule 4 cannot be run, and is left out'],
  ['password_requirements', 'new-password-asked::age,9', 'User 9 must choose a new password'],
  ['recaptcha', 'not-judged', 'A CAPTCHA could not be checked, and the request was allowed'],
  ['user_logging', 'plugin-activated::geolocation,', 'Turned on: geolocation'],
  ['user_logging', 'user-logged-in::3,two_factor,totp', 'User 3 signed in with two-factor authentication (totp)'],
  ['firewall', 'toString', 'toString'],
  ['__proto__', 'constructor::1', 'constructor::1'],
];

test('Entries are called by what happened, and what is unknown by its whole code', () => {
  for (const [module, code, name] of cases) assert.equal(logNames.code(module, code), name, code);
  assert.deepEqual(
    [logNames.module('password_requirements'), logNames.module('toString')],
    ['Password requirements', 'toString'],
  );
  assert.equal(typeName('process-stop'), 'Process, ended');
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { readConfig } from '../../config.ts';
import { applicationPasswords, avatars } from './accounts.ts';
import type { Seen } from './check.ts';

describe('application passwords', () => {
  const cases: readonly [string, Record<string, string>, Seen['state']][] = [
    ['are taken on the machine itself', {}, 'ok'],
    ['are taken over https', { GATEHOUSE_URL: 'https://example.org' }, 'ok'],
    ['are not taken without https', { GATEHOUSE_URL: 'http://example.org' }, 'warning'],
    [
      'can be listened to where they are allowed without https',
      { GATEHOUSE_URL: 'http://example.org', GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'on' },
      'warning',
    ],
  ];
  test('are reported as they are configured', () =>
    checkRows(cases, ([, env, state]) => assert.equal(applicationPasswords(readConfig({ env })).state, state)));
});

test('where pictures of users come from is noted, unless there are none', () => {
  assert.match(avatars(readConfig({})).finding, /secure\.gravatar\.com/);
  assert.equal(avatars(readConfig({ env: { GATEHOUSE_AVATARS: 'off' } })).state, 'ok');
});

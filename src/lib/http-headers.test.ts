import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { cookieOf, cookieText } from './http-headers.ts';

describe('The cookie of a name', () => {
  test('is read from the Cookie header', () =>
    checkRows(
      [
        [undefined, undefined],
        ['', undefined],
        ['key=1', '1'],
        ['a=b; key=1', '1'],
        ['a=b;key=1;c=d', '1'],
        ['key=1; key=2', '1'],
        ['key=', ''],
        ['key==a=', '=a='],
        ['a=key', undefined],
        ['monkey=1; keyring=2', undefined],
        ['KEY=1', undefined],
        ['key', undefined],
        ['=key; ;;', undefined],
        [`${';'.repeat(5_000)}key=1`, '1'],
      ] as const,
      ([header, value]) => {
        assert.equal(cookieOf(header, 'key'), value);
      },
    ));
});

describe('A cookie that is given out', () => {
  test('is out of reach of scripts and of forms on other sites', () => {
    assert.equal(cookieText('key', 'x', { path: '/', secure: false }), 'key=x; Path=/; HttpOnly; SameSite=Lax');
  });

  test('may last, keep to HTTPS and to a folder', () => {
    const text = cookieText('key', 'x', { path: '/blog', maxAge: 60, secure: true });
    assert.equal(text, 'key=x; Path=/blog; Max-Age=60; HttpOnly; SameSite=Lax; Secure');
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseUrl } from './addresses.ts';

test('an address below which others are found ends without a slash', () => {
  assert.equal(parseBaseUrl('https://hub.example'), 'https://hub.example');
  assert.equal(parseBaseUrl('https://hub.example/'), 'https://hub.example');
  assert.equal(parseBaseUrl('HTTPS://Hub.example:443/api/hub/v1//'), 'https://hub.example/api/hub/v1');
});

test('what carries a password, a query or another scheme is none', () => {
  for (const text of [
    '',
    'hub.example',
    'ftp://hub.example',
    'file:///etc/passwd',
    'https://me:word@hub.example',
    'https://hub.example/?a=b',
    'https://hub.example/#a',
    'https://hub.example/a b',
    'https:\\\\hub.example',
    'https:hub.example',
  ])
    assert.equal(parseBaseUrl(text), undefined, text);
});

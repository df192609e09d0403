import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { readTarget, withArguments } from './grant.ts';

const taken: readonly (readonly [text: string, shown: string])[] = [
  ['https://app.test/back', 'app.test'],
  ['https://app.test:8443/back?a=1#b', 'app.test:8443'],
  ['HTTPS://App.Test/', 'app.test'],
  ['https://bücher.test/', 'xn--bcher-kva.test'],
  ['http://127.0.0.1:5000/back', '127.0.0.1:5000'],
  ['http://[::1]:5000/back', '[::1]:5000'],
  ['gatehouse-app://signed-in', 'gatehouse-app:'],
  ['com.example.app:/signed-in', 'com.example.app:'],
  ['MyApp:signed-in', 'myapp:'],
];

const refused: readonly string[] = [
  '',
  'app.test',
  '/back',
  '//app.test/back',
  'https:',
  'https://',
  'https:app.test',
  'https:/app.test',
  'https:///app.test',
  'https:\\\\app.test',
  'http://app.test/back',
  'http://localhost:5000/back',
  'http://127.0.0.2/back',
  'http://127.0.0.1.evil.test/back',
  'http://127.0.0.1@evil.test/back',
  'https://site.test@evil.test/',
  'https://person:word@app.test/',
  'myapp://person@host/',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,x',
  'DATA:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://app.test/1',
  'about:blank',
  'mailto:thief@evil.test',
  'tel:1',
  'sms:123',
  'intent://evil.test/#Intent;scheme=https;end',
  'ms-settings:x',
  'microsoft-edge:https://evil.test/?',
  'x-safari-https://evil.test/',
  'someapp:https://evil.test/',
  'someapp://open?url=https://evil.test/',
  'feed:javascript:alert(1)',
  'filesystem:https://app.test/x',
  'view-source:https://app.test/',
  'https://app.test/a b',
  'https://app.test/\r\nSet-Cookie: x',
  '1app:back',
  `https://app.test/${'a'.repeat(2000)}`,
];

describe('A credential may go', () => {
  test('to addresses of apps', () =>
    checkRows(taken, ([text, shown]) => assert.equal(readTarget(text, false)?.shown, shown)));
  test('not to addresses that are unsafe or unreadable', () =>
    checkRows(refused, (text) => assert.equal(readTarget(text, false), undefined)));

  test('to any host over plain HTTP while the site is on the machine itself', () => {
    assert.equal(readTarget('http://localhost:5000/back', true)?.shown, 'localhost:5000');
    assert.equal(readTarget('javascript:alert(1)', true), undefined);
  });

  test('to no address with letters that a header cannot take', () => {
    for (const text of ['https://app.test/grüße?ü=ü#ü', 'myapp://ü/ü?ü', 'myapp:ü'])
      assert.match(readTarget(text, false)!.href, /^[\x21-\x7e]+$/);
  });
});

describe('What a program is told goes', () => {
  const cases: readonly (readonly [href: string, wanted: string])[] = [
    ['https://app.test/back', 'https://app.test/back?a=1%262&b=%C3%BC'],
    ['https://app.test/back?x=1', 'https://app.test/back?x=1&a=1%262&b=%C3%BC'],
    ['https://app.test/back?', 'https://app.test/back?a=1%262&b=%C3%BC'],
    ['https://app.test/back?x=1&', 'https://app.test/back?x=1&a=1%262&b=%C3%BC'],
    ['https://app.test/back#part?x', 'https://app.test/back?a=1%262&b=%C3%BC#part?x'],
    ['myapp:back', 'myapp:back?a=1%262&b=%C3%BC'],
  ];
  test('into the query of its address', () =>
    checkRows(cases, ([href, wanted]) =>
      assert.equal(withArguments(readTarget(href, false)!, { a: '1&2', b: 'ü' }), wanted),
    ));
});

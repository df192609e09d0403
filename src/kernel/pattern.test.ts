import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern, fillPattern, withoutTrailingSlash } from './table.ts';

const groupsOf = (pattern: string, path: string) => {
  const found = compilePattern(pattern).regex.exec(path);
  return found === null ? undefined : { ...found.groups };
};

test('a pattern is anchored and matched in any letter case', () => {
  assert.deepEqual(groupsOf('/a/b', '/A/b'), {});
  for (const path of ['/a/bc', '/x/a/b', '/a/b/', '/a/b\n', '\n/a/b'])
    assert.equal(groupsOf('/a/b', path), undefined, path);
});

test('groups are what the path says, as it says it', () => {
  const cases: [string, string, object | undefined][] = [
    ['/posts/(?P<id>[\\d]+)', '/posts/012', { id: '012' }],
    ['/posts/(?P<id>[\\d]+)', '/posts/x', undefined],
    ['/users/(?P<user_id>(?:[\\d]+|me))/keys', '/users/me/keys', { user_id: 'me' }],
    ['/plugins/(?P<plugin>[^.\\/]+(?:\\/[^.\\/]+)?)', '/plugins/a/b', { plugin: 'a/b' }],
    [
      '/templates/(?P<id>([^\\/:<>\\*\\?"\\|]+(?:\\/[^\\/:<>\\*\\?"\\|]+)?)[\\/\\w%-]+)',
      '/templates/theme//home',
      { id: 'theme//home' },
    ],
    ['/bans/(?P<source>database)/(?P<id>\\d+)', '/bans/Database/7', { source: 'Database', id: '7' }],
  ];
  for (const [pattern, path, wanted] of cases) assert.deepEqual(groupsOf(pattern, path), wanted, `${pattern} ${path}`);
});

test('the head is the literal beginning in whole segments', () => {
  const heads: [string, string][] = [
    ['/core/v2/Posts', '/core/v2/posts'],
    ['/core/v2/posts/(?P<id>[\\d]+)', '/core/v2/posts'],
    ['/core/v2/posts/(?P<id>[\\d]+)/revisions', '/core/v2/posts'],
    ['/files/prefix-(?P<name>\\w+)', '/files'],
    ['/(?P<any>.*)', ''],
  ];
  for (const [pattern, head] of heads) assert.equal(compilePattern(pattern).head, head, pattern);
});

test('the names are those of the groups in order', () => {
  assert.deepEqual(compilePattern('/a/(?P<one>\\d+)/(?:b|c)/(?P<two>\\w+)').names, ['one', 'two']);
  assert.deepEqual(compilePattern('/a').names, []);
});

test('one slash at the end goes; the root keeps its own, and two are not the root', () => {
  const cases: [string, string][] = [
    ['/', '/'],
    ['//', '//'],
    ['/a', '/a'],
    ['/a/', '/a'],
    ['/a//', '/a/'],
  ];
  for (const [path, wanted] of cases) assert.equal(withoutTrailingSlash(path), wanted, path);
});

test('a filled pattern is the path of the request again', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['/posts/(?P<id>[\\d]+)', { id: '7' }, '/posts/7'],
    ['/posts/(?P<id>[\\d]+)/x', { id: '7' }, '/posts/7/x'],
    ['/users/(?P<id>(?:[\\d]+|me))/keys/(?P<key>[^/)]+)', { id: 'me', key: 'a b' }, '/users/me/keys/a%20b'],
    ['/plugins/(?P<plugin>[^.\\/]+(?:\\/[^.\\/]+)?)', { plugin: 'a/ü' }, '/plugins/a/%C3%BC'],
    ['/odd/(?P<one>[)(\\]]+\\))/end', { one: '>' }, '/odd/%3E/end'],
    ['/plain', {}, '/plain'],
  ];
  for (const [pattern, values, wanted] of cases) assert.equal(fillPattern(compilePattern(pattern), values), wanted);
});

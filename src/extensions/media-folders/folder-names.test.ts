import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanFolderName } from './folder-names.ts';

describe('The name of a folder', () => {
  test('is cleaned by one rule', () => {
    const cases: readonly (readonly [raw: string, name: string])[] = [
      ['  a \t\n b ', 'a b'],
      ['=1+1', '1+1'],
      ['--x', 'x'],
      ['@', ''],
      ['| = \t+ a', 'a'],
      ['a\u0000b\u202e', 'ab'],
      ['\u200f=x', 'x'],
      ['\u061ca\u200db', 'a\u200db'],
      ['\u200b \u3164', ''],
      ['<script>x</script>y', 'y'],
      ['<b>=1</b>', '1'],
      ['e\u0301', '\u00e9'],
      ['\ud800a', '\ufffda'],
    ];
    assert.deepEqual(
      cases.filter(([raw, name]) => cleanFolderName(raw) !== name).map(([raw]) => [raw, cleanFolderName(raw)]),
      [],
    );
  });
});

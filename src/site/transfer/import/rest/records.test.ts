import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { recordOf } from './records.ts';

const nobody = { author: '', terms: [] };

describe('A record as another site shows it', () => {
  const cases: [about: string, content: string, excerpt: string, kept: string][] = [
    ['the beginning of its text', '<p>Text and more of it</p>', '<p>Text and</p>', ''],
    [
      'marked where it breaks off',
      '<figure>A picture</figure><p>Text and more</p>',
      '<p>Text and [&hellip;]</p>\n',
      '',
    ],
    ['written', '<p>Text</p>', '<p>Written by hand&hellip;</p>', '<p>Written by hand&hellip;</p>'],
  ];
  test('has the excerpt that its author wrote, and no other', () =>
    checkRows(cases, ([, content, excerpt, kept]) => {
      const shown = { id: 1, content: { rendered: content }, excerpt: { rendered: excerpt } };
      assert.equal(recordOf(shown, { name: 'post' }, nobody).excerpt, kept);
    }));

  test('has an excerpt as it was written, where that is shown', () => {
    const shown = { id: 1, content: { raw: 'Text' }, excerpt: { raw: 'Text [&hellip;]' } };
    assert.equal(recordOf(shown, { name: 'post' }, nobody).excerpt, 'Text [&hellip;]');
  });
});

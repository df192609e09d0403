import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetaKeys } from '../meta.ts';
import { createKinds } from '../types.ts';
import { prepared } from './prepared.ts';

function setting() {
  const filtered: string[] = [];
  const needs = {
    kinds: createKinds(),
    metaKeys: createMetaKeys(),
    filter: (html: string) => {
      filtered.push(html);
      return html.toUpperCase();
    },
    zone: () => ({ timezone: '', offset: 0 }),
    clock: () => new Date('2026-11-22T12:00:00Z'),
  };
  return { filtered, prepare: (said: object) => prepared(needs, 'post', said, { unfiltered: false }) };
}

const notes = (content: string): string => JSON.stringify([{ id: 'a', content }]);

test('all that is filtered is filtered once, before the write begins', async () => {
  const { filtered, prepare } = setting();
  const { said, metaKept } = await prepare({ title: 'one', content: 'two', meta: { footnotes: notes('three') } });
  assert.deepEqual(filtered, ['one', 'two', 'three']);
  assert.deepEqual([said.title, metaKept(), metaKept()], ['ONE', { footnotes: notes('THREE') }, metaKept()]);
  assert.equal(filtered.length, 3);
});

test('what is wrong with meta is known before, and said last', async () => {
  const { filtered, prepare } = setting();
  const { metaKept } = await prepare({ meta: { footnotes: notes('x'.repeat(1024 * 1024)) } });
  assert.throws(metaKept, { status: 400, code: 'rest_too_long' });
  assert.deepEqual(filtered, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iptcSays } from './iptc.ts';

const [title, keyword] = [5, 25];

const written = (words: readonly (readonly [set: number, word: string])[]): Buffer =>
  Buffer.concat(
    words.map(([set, word]) =>
      Buffer.concat([Buffer.from([0x1c, 2, set, 0, Buffer.byteLength(word)]), Buffer.from(word)]),
    ),
  );

test('the first of two of one name counts, but of keywords all do', () => {
  const said = iptcSays(
    written([
      [title, 'One'],
      [keyword, 'a'],
      [title, 'Two'],
      [keyword, 'b'],
    ]),
  );
  assert.deepEqual(said, { ObjectName: 'One', Keywords: ['a', 'b'] });
});

test('a hundred keywords are read, and what stands behind the others', () => {
  const many = Array.from({ length: 150 }, (_, at) => [keyword, `${at}`] as const);
  const { Keywords, ObjectName } = iptcSays(written([...many, [title, 'One']]));
  assert.deepEqual([Keywords?.length, Keywords?.at(-1), ObjectName], [100, '99', 'One']);
});

test('what is longer than an editor writes says nothing', () => {
  const said = written([[title, 'One']]);
  const longer = (length: number): Buffer => Buffer.concat([said, Buffer.alloc(length - said.length)]);
  assert.deepEqual(iptcSays(longer(64 * 1024)), { ObjectName: 'One' });
  assert.deepEqual(iptcSays(longer(64 * 1024 + 1)), {});
});

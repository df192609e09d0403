import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '#test/doubling.ts';
import { Problem } from '../problem.ts';
import { type TSchema, t } from '../schema.ts';
import { readJson } from './json.ts';
import { compile } from './validate.ts';

const settle = (schema: TSchema, value: unknown): unknown => {
  const settler = compile(schema as never);
  return settler.check(value, 'p')?.message ?? settler.coerce(value);
};

/** Refuses to be looked at: whoever counts first never asks it. */
const untouchable = Object.defineProperty({}, 'a', {
  enumerable: true,
  get: () => assert.fail('an item was looked at'),
});

describe('A value with too much in it', () => {
  it('is refused by its number before anything in it is looked at', () => {
    const items = t.object({ a: t.integer() });
    assert.equal(settle(t.list(items, { maxItems: 1 }), [untouchable, untouchable]), 'p must have at most 1 item.');
    const members = Object.defineProperties(
      {},
      {
        a: { enumerable: true, get: () => assert.fail('a member was looked at') },
        b: { enumerable: true, value: 1 },
      },
    );
    assert.equal(settle(t.map(t.integer(), { maxProperties: 1 }), members), 'p must have at most 1 member.');
  });

  it('is refused as text with more than ten thousand items, whatever its schema allows', () => {
    const text = (items: number): string => ` ,${'7,'.repeat(items)}`;
    const wide = t.list(t.integer(), { maxItems: 1_000_000 });
    for (const schema of [wide, t.list(t.integer())]) {
      assert.equal((settle(schema, text(10_000)) as unknown[]).length, 10_000);
      assert.equal(settle(schema, text(10_001)), 'p must have at most 10000 items.');
    }
    assert.equal((settle(wide, Array(10_001).fill(7)) as unknown[]).length, 10_001, 'a list is no text');
  });

  it('names what is wrong from the outside in', () => {
    const schema = t.list(t.map(t.list(t.integer())));
    assert.equal(settle(schema, [{}, { k: [1, 2, 'x'] }]), 'p[1][k][2] must be a whole number.');
  });

  const eightMegabytes = (head: string, one: string, tail: string): Uint8Array =>
    Buffer.from(head + one.repeat((8 * 2 ** 20) / one.length) + tail);
  const refused = (bytes: Uint8Array): void =>
    assert.throws(
      () => readJson(bytes),
      (error) => error instanceof Problem && error.status === 413,
    );

  it('is refused as JSON of more than a hundred thousand values', () => {
    assert.equal((readJson(Buffer.from(`[${'1,'.repeat(99_998)}1]`)) as unknown[]).length, 99_999);
    refused(Buffer.from(`[${'1,'.repeat(100_000)}1]`));
    for (const one of ['1,', '[],', '{},', '"",', '{"a":1},']) refused(eightMegabytes('{"p":[', one, '1]}'));
    const commas = eightMegabytes('{"p":"', ',', '"}');
    assert.equal((readJson(commas) as { p: string }).p.length, 8 * 2 ** 20, 'text may hold what it will');
  });

  it('keeps nobody waiting', () => {
    const bytes = eightMegabytes('{"p":"', '1,', '"}');
    const schema = t.list(t.integer(), { maxItems: 100 });
    withinProcessorTime(300, () => {
      const { p } = readJson(bytes) as { p: string };
      assert.equal(settle(schema, p), 'p must have at most 100 items.');
    });
  });
});

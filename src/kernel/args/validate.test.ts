import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import type { Schema } from '../schema.ts';
import type { Failure } from './checks.ts';
import { compile } from './validate.ts';

interface Vector {
  schema: Schema;
  value: unknown;
  ok?: unknown;
  error?: string;
  data?: Failure['data'];
}

const recorded = new URL('../../../test/spec/recorded/schema-vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(recorded, 'utf8')) as { vectors: Vector[] };

const rolledOver = '2025-02-30T00:00:00';
const dated = vectors.find(({ value }) => value === rolledOver)!;

describe('a compiled schema', () => {
  it('finds all recorded vectors', () => assert.equal(vectors.length, 522));

  it('refuses days that no month has, which the recorded service rolls over', () =>
    assert.equal(compile(dated.schema).check(rolledOver, 'p')?.code, 'rest_invalid_date'));

  const others = vectors.filter(({ value }) => value !== rolledOver);
  it('accepts and refuses every other vector as recorded', () =>
    checkRows(others, ({ schema, value, ok, error, data }) => {
      const settler = compile(schema);
      const wrong = settler.check(value, 'p');
      if (error === undefined) {
        assert.equal(wrong, undefined);
        assert.deepStrictEqual(settler.coerce(value), ok);
        return;
      }
      assert.equal(wrong?.code, error);
      if (data !== undefined) assert.deepStrictEqual(wrong?.data, data);
    }));
});

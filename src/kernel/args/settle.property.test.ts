// Whatever the schema and whatever is sent: a settled request or a Problem, and nothing else.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import '#test/seeded.ts';
import { Problem } from '../problem.ts';
import type { Schema, TProperties } from '../schema.ts';
import { readJson } from './json.ts';
import { parseQuery } from './query.ts';
import { compileArgs } from './settle.ts';
import { compile } from './validate.ts';

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'] as const;
const small = fc.integer({ min: 0, max: 4 });
const names = fc.constantFrom('a', 'b', '0', 'constructor', 'toString');

/** Limits of every kind; those of another type mean nothing. */
const limits = fc.record<Schema>(
  {
    minimum: small,
    maximum: fc.integer({ min: 4, max: 9 }),
    exclusiveMinimum: fc.boolean(),
    exclusiveMaximum: fc.boolean(),
    multipleOf: fc.integer({ min: 1, max: 3 }),
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom('^[0-9]+$', '.*\\S.*', '[\\w\\-]+'),
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    minProperties: small,
    maxProperties: small,
    required: fc.array(names, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

const formats = fc.constantFrom('date-time', 'date', 'email', 'ip', 'uuid', 'hex-color', 'nothing');

const { schema: anySchema } = fc.letrec<{ schema: Schema; plain: Schema }>((tie) => ({
  plain: fc
    .tuple(
      fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 })),
      limits,
      fc.option(formats, { nil: undefined }),
      fc.option(tie('schema'), { nil: undefined, depthIdentifier: 'schema' }),
      fc.option(fc.dictionary(names, tie('schema'), { maxKeys: 2, depthIdentifier: 'schema' }), { nil: undefined }),
      fc.constantFrom(undefined, true, false),
    )
    .map(([type, limit, format, items, properties, additionalProperties]) => ({
      ...limit,
      type,
      format,
      items,
      properties,
      additionalProperties,
    })),
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    tie('plain'),
    fc.array(tie('plain'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.array(tie('plain'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
}));

const words = fc.constantFrom(
  '',
  '5',
  '-0',
  '1e3',
  'true',
  'a,b',
  ' ',
  '2025-01-01',
  '1.2.3.4',
  '#fff',
  '\ud800',
  '\0',
);
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    words,
    fc.string(),
    fc.constantFrom(null, true, false, 0, -0, 5, 5.5, Number.POSITIVE_INFINITY, Number.NaN),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(names, fc.constant('__proto__')), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const nobody = { id: 0, can: () => false };
const runs = { numRuns: 500 };

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freeze(member);
}

describe('settling', () => {
  it('answers or refuses, and never fails', () => {
    const query = fc.string({ unit: fc.constantFrom(...'pab0[]=&%+,5 \0'), maxLength: 40 });
    fc.assert(
      fc.property(anySchema, anyValue, query, (schema, value, text) => {
        const settle = compileArgs({ p: schema } as unknown as TProperties, {
          methods: ['GET'],
          pathNames: [],
          strictDates: true,
        });
        try {
          const { args } = settle({ path: {}, json: { p: value }, query: parseQuery(text) }, nobody);
          assert.ok(Object.keys(args).every((name) => name === 'p'));
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          assert.ok(['rest_invalid_param', 'rest_missing_callback_param'].includes(error.code));
          assert.ok(error.message.length > 0);
        }
      }),
      runs,
    );
  });

  it('changes nothing the second time, where a value has one type', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        // "0.0" is a whole number to ["boolean", "integer"], and 0 is false.
        if (/"type":\[|"oneOf"|"anyOf"/.test(JSON.stringify(schema))) return;
        const settler = compile(schema, { strictDates: true });
        if (settler.check(value, 'p')) return;
        const once = settler.coerce(value);
        assert.equal(settler.check(once, 'p'), undefined);
        assert.deepStrictEqual(settler.coerce(once), once);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves what was sent as it was', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const settler = compile(schema);
        freeze(value); // touching it would throw
        if (!settler.check(value, 'p')) settler.coerce(value);
      }),
      runs,
    );
  });

  it('gives objects no member named __proto__, and their own prototype', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (inner) => {
        const body = `{"p":{"__proto__":${JSON.stringify(inner)},"a":{"__proto__":{"x":1}}}}`;
        const { p } = readJson(new TextEncoder().encode(body)) as { p: unknown };
        const settled = compile({ type: 'object' }).coerce(p) as { a: object };
        assert.deepEqual(Reflect.ownKeys(settled), ['a']);
        assert.equal(Object.getPrototypeOf(settled), Object.prototype);
        assert.equal(Object.getPrototypeOf(settled.a), Object.prototype);
      }),
    );
  });
});

/** The dialects agree on values that need no coercion, once the draft-4 spellings are translated. */
function modern(schema: Schema): Record<string, unknown> {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, items, properties, format: _format, ...rest } = schema;
  return JSON.parse(
    JSON.stringify({
      ...rest,
      ...(exclusiveMinimum ? { exclusiveMinimum: minimum } : { minimum }),
      ...(exclusiveMaximum ? { exclusiveMaximum: maximum } : { maximum }),
      items: items && modern(items),
      properties:
        properties && Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, modern(inner)])),
      oneOf: schema.oneOf?.map(modern),
      anyOf: schema.anyOf?.map(modern),
    }),
  ) as Record<string, unknown>;
}

describe('a settled value', () => {
  const ajv = new Ajv({ strict: false, logger: false, unicodeRegExp: false });
  const scalar = fc.constantFrom<Schema['type']>('string', 'integer', 'number', 'boolean');
  const leaf = fc.tuple(scalar, limits).map(([type, limit]): Schema => ({ ...limit, type, required: undefined }));
  const list = fc
    .tuple(leaf, limits)
    .map(([items, limit]): Schema => ({ ...limit, type: 'array', items, required: undefined }));
  const object = fc
    .tuple(fc.dictionary(fc.constantFrom('a', 'b'), leaf), limits, fc.constantFrom(undefined, false))
    .map(
      ([properties, limit, additionalProperties]): Schema => ({
        ...limit,
        type: 'object',
        properties,
        additionalProperties,
      }),
    );

  it('satisfies its schema in the eyes of an independent validator, and a refused one does not', () => {
    let settledOnce = 0;
    let refusedOnce = 0;
    fc.assert(
      fc.property(fc.oneof(leaf, list, object), anyValue, (schema, value) => {
        const settler = compile(schema);
        const judge = ajv.compile(modern(schema));
        if (settler.check(value, 'p')) {
          refusedOnce++;
          const needsNoCoercion = typeof value !== 'object' || schema.type === 'array';
          if (needsNoCoercion && !/null|NaN/.test(JSON.stringify(value) ?? '')) assert.equal(judge(value), false);
          return;
        }
        if (schema.type === 'object' && Array.isArray(value) && value.length > 0) return; // a list stays a list
        settledOnce++;
        assert.equal(judge(settler.coerce(value)), true, JSON.stringify({ schema, value, errors: judge.errors }));
      }),
      { numRuns: 1500 },
    );
    assert.ok(settledOnce > 50 && refusedOnce > 50);
  });
});

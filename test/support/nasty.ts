// Arguments as an honest and as a hostile client would make them up, from what the index says of them.
import fc from 'fast-check';
import type { Schema } from '#kernel/schema.ts';
import { sample } from './sample.ts';

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '\u202e',
  '👩‍👩‍👧‍👦',
  'ﬃ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' OR '1'='1",
  '"; DROP TABLE hello_greetings; --',
  '$1',
  '?',
  ':id',
  '%',
  '_',
  '\\',
  '%\\',
  '%%%%%%%%_%%%%%%%%_',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\r\nX-Poison: yes\r\n\r\n',
  '-1',
  '0',
  '01',
  '-0',
  '1.5',
  '1e3',
  '1e309',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999999999999999999999999',
  'NaN',
  'Infinity',
  '0x10',
  ' 5 ',
  '٣',
  '1,2,3',
  ',,,',
  '[]',
  '{}',
  'null',
  'true',
  'FALSE',
  '2026-02-30T25:61:61',
  '0000-00-00T00:00:00',
  '+275760-09-13T00:00:00Z',
  'http://[::1',
  'javascript:alert(1)',
  'a@b',
  '[a]',
  'a[b][]',
  '(((((((((((((((((((((((((a+)+)+)+)+)+)+$',
];
const long = ['a', 'é', '👩', '%', '_', '\\', ','].flatMap((text) => [text.repeat(3_000), text.repeat(70_000)]);
const numbers = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  -1e21,
  5e-324,
  1.7e308,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  -(2 ** 63),
  2 ** 64,
];

export const nastyText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.constantFrom(...long) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

const deep = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
};

const traps = [
  JSON.parse('{"__proto__":{"admin":true,"text":"x"}}'),
  JSON.parse('{"constructor":{"prototype":{"text":"x"}}}'),
  { toString: 'x', valueOf: 'y', toJSON: 'z', length: -1 },
  { $ne: null },
  deep(100, (inner) => [inner]),
  deep(100, (inner) => ({ a: inner })),
  deep(509, (inner) => [inner]),
  Array.from({ length: 2_000 }, (_, at) => at),
  Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, at])),
];

/** What has broken such interfaces before; each argument is tried with each of these. */
export const worst: readonly unknown[] = [
  '\0',
  '\ud800',
  'a'.repeat(70_000),
  '%_\\'.repeat(25_000),
  'a,'.repeat(35_000),
  '99999999999999999999999999999999',
  '1e308',
  2 ** 53 + 2,
  -(2 ** 63),
  1.7e308,
  5e-324,
  null,
  ...traps,
];

/** Any JSON value, the unkind ones first. */
export const nastyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nastyText },
  { weight: 2, arbitrary: fc.constantFrom(...numbers) },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 2, arbitrary: fc.constantFrom(...traps) },
  { weight: 1, arbitrary: fc.array(nastyText, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(nastyText, nastyText, { maxKeys: 4 }) },
);

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return fc.oneof(...branches.map(fitting));
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(...types.map((type) => fittingType(type, schema)));
}

function fittingType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 10_000, items = {}, properties = {}, minLength = 0, maxLength = 50 } = schema;
  if (type === 'integer') return fc.integer({ min: minimum, max: Math.max(minimum, maximum) });
  if (type === 'number') return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(argument(items), { maxLength: 4 });
  if (type === 'object')
    return fc.record(Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, argument(member)])), {
      requiredKeys: [],
    });
  if (schema.format !== undefined || schema.pattern !== undefined) return fc.constant(sample(schema));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 50)) });
}

/** A value for an argument: more often one that fits than one that does not. */
export const argument = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fitting(schema) }, { weight: 2, arbitrary: nastyJson });

// Every way to write an address that is not public, and not one of them is ever connected to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { Problem } from '#kernel/problem.ts';
import { keptLog } from '#test/databases.ts';
import { createOutgoing } from './guard.ts';

type Number4 = readonly [number, number, number, number];

const inside4 = fc.oneof(
  ...(
    [
      [0],
      [10],
      [127],
      [169, 254],
      [192, 168],
      [192, 0, 0],
      [192, 0, 2],
      [198, 51, 100],
      [203, 0, 113],
      [255, 255, 255],
    ] as const
  ).map((known) =>
    fc.tuple(...[0, 1, 2, 3].map((at) => (known[at] === undefined ? fc.nat(255) : fc.constant(known[at])))),
  ),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
) as fc.Arbitrary<Number4>;

const bases = [
  (part: number) => `${part}`,
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `000${part.toString(8)}`,
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X00${part.toString(16).toUpperCase()}`,
];

/** The last part of an address may stand for several. */
const shortened = ([a, b, c, d]: Number4, parts: number): number[] =>
  [[((a * 256 + b) * 256 + c) * 256 + d], [a, (b * 256 + c) * 256 + d], [a, b, c * 256 + d], [a, b, c, d]][parts - 1]!;

const disguises = [
  (text: string) => text,
  (text: string) => text.replace(/[\da-f]/gi, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
  (text: string) => text.replaceAll('.', '%2E'),
  (text: string) => text.replaceAll('.', '。'),
  (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  (text: string) => `${text}.`,
  (text: string) => `\u00ad${text}`,
  (text: string) => `${text.slice(0, 1)}\t${text.slice(1)}`,
];

const spelt4 = fc
  .tuple(
    inside4,
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.constantFrom(...bases), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(...disguises),
  )
  .map(([address, parts, base, disguise]) =>
    disguise(
      shortened(address, parts)
        .map((part, at) => base[at]!(part))
        .join('.'),
    ),
  );

const hex = (high: number, low: number): string => (high * 256 + low).toString(16);

const spelt6 = fc
  .tuple(
    inside4,
    fc.constantFrom(
      ([a, b, c, d]: Number4) => `::ffff:${a}.${b}.${c}.${d}`,
      ([a, b, c, d]: Number4) => `0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}`,
      ([a, b, c, d]: Number4) => `::${a}.${b}.${c}.${d}`,
      ([a, b, c, d]: Number4) => `64:ff9b::${hex(a, b)}:${hex(c, d)}`,
      ([a, b, c, d]: Number4) => `0064:ff9b:0001:0:0:0:${a}.${b}.${c}.${d}`,
      ([a, b, c, d]: Number4) => `2002:${hex(a, b)}:${hex(c, d)}::1`,
      ([a, b, c, d]: Number4) => `2001:0:${hex(a, b)}:${hex(c, d)}::1`,
      ([a, b, c, d]: Number4) => `fe80::${hex(a, b)}:${hex(c, d)}%25eth0`,
      ([a, b, c, d]: Number4) => `fd${hex(0, a).padStart(2, '0')}::${hex(b, c)}:${hex(0, d)}`,
      ([, b, c, d]: Number4) => `fec0::${hex(b, c)}:${hex(0, d)}`,
      ([, b, c, d]: Number4) => `ff02::${hex(b, c)}:${hex(0, d)}`,
      () => '::1',
      () => '0000:0000:0000:0000:0000:0000:0000:0001',
      () => '::',
    ),
  )
  .map(([address, form]) => `[${form(address)}]`);

const around = fc.constantFrom(
  (host: string) => `http://${host}/`,
  (host: string) => `https://${host}`,
  (host: string) => `HTTP:\\\\${host}\\`,
  (host: string) => `http:${host}`,
  (host: string) => `http:////${host}:8080/?a#b`,
  (host: string) => `  http://${host}:80/a@93.184.216.34/`,
  (host: string) => `http://93.184.216.34@${host}/`,
);

test('no address that is not public is ever connected to or looked up, however it is spelt', async () => {
  const reached: string[] = [];
  const outgoing = createOutgoing({
    allowHosts: [],
    version: '1',
    log: keptLog(),
    lookup: async (name) => {
      reached.push(name);
      return [];
    },
    connect: async ({ address }) => {
      reached.push(address);
      throw new Error('connected');
    },
  });
  const addresses = fc.tuple(around, fc.oneof(spelt4, spelt6)).map(([form, host]) => form(host));
  const refused = fc.asyncProperty(addresses, async (url) => {
    const refusal = await outgoing.fetch(url, { name: 'test', types: ['*'], most: 1 }).catch((error) => error);
    assert.ok(refusal instanceof Problem && refusal.code === 'unsafe_url', `${url}: ${refusal}`);
    assert.deepEqual(reached, [], url);
  });
  await fc.assert(refused, { numRuns: 3000 });
});

test('and no name that has one among its addresses', async () => {
  let [mixed, connected]: [string[], number] = [[], 0];
  const outgoing = createOutgoing({
    allowHosts: [],
    version: '1',
    log: keptLog(),
    lookup: async () => mixed,
    connect: async () => {
      connected += 1;
      throw new Error('connected');
    },
  });
  const beside = fc.array(fc.constantFrom<string[]>('93.184.216.34', '8.8.8.8', '2606:4700::1111'), { maxLength: 4 });
  const refused = fc.asyncProperty(beside, inside4, fc.nat(4), async (others, address, at) => {
    mixed = others.toSpliced(at, 0, address.join('.'));
    const refusal = await outgoing
      .fetch('http://site.test/', { name: 'test', types: ['*'], most: 1 })
      .catch((error) => error);
    assert.ok(refusal instanceof Problem, mixed.join());
    assert.equal(connected, 0);
  });
  await fc.assert(refused, { numRuns: 500 });
});

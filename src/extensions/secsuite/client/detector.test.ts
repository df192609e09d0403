import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createClients } from '#site/identity/clients.ts';
import { checkRows } from '#test/rows.ts';
import { addressOf } from '../addresses/block.ts';
import { addressBy, foundIn, headerName, isOutside, placeOf, type Sent, type Source, sourceOf } from './detector.ts';

const xff = { name: 'x-forwarded-for' } as const;

function seen(source: Source, peer: string, headers: Sent, trusted: string[] = []): string {
  const clients = createClients(trusted);
  return addressBy(source, { peer, headers, own: () => clients.own(peer, headers) }, clients);
}

describe('The address of a visitor', () => {
  const cases: [about: string, source: Source, peer: string, headers: Sent, trusted: string[], address: string][] = [
    ['is the last one outside', xff, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 8.8.8.8, 10.0.0.7' }, [], '8.8.8.8'],
    [
      'is the peer before a header that names nobody outside',
      xff,
      '8.8.4.4',
      { 'x-forwarded-for': '10.0.0.7' },
      [],
      '8.8.4.4',
    ],
    [
      'is somebody within where nobody is outside',
      xff,
      '10.0.0.1',
      { 'x-forwarded-for': '10.0.0.6, 10.0.0.7' },
      [],
      '10.0.0.7',
    ],
    ['is the peer where the header is missing', xff, '10.0.0.1', {}, [], '10.0.0.1'],
    ['is nobody’s where nothing is known', xff, '', {}, [], '127.0.0.1'],
    [
      'is never what is no address',
      xff,
      '10.0.0.1',
      { 'x-forwarded-for': "unknown, ' or 1, 999.1.1.1, 8.8.8.8/8" },
      [],
      '10.0.0.1',
    ],
    ['is told in one way', xff, '10.0.0.1', { 'x-forwarded-for': '2001:DB8:0:0::1' }, [], '2001:db8::1'],
    ['is the IPv4 address within', xff, '10.0.0.1', { 'x-forwarded-for': '::ffff:8.8.8.8' }, [], '8.8.8.8'],
    ['is told without a port', xff, '10.0.0.1', { 'x-forwarded-for': '8.8.8.8:4711' }, [], '8.8.8.8'],
    ['is told by a trusted proxy alone', xff, '10.0.0.2', { 'x-forwarded-for': '8.8.8.8' }, ['10.0.0.1'], '10.0.0.2'],
    ['is told by a trusted proxy', xff, '10.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, ['10.0.0.1'], '8.8.8.8'],
    [
      'is none of the trusted proxies',
      xff,
      '10.0.0.1',
      { 'x-forwarded-for': '8.8.8.8, 9.9.9.9' },
      ['10.0.0.1', '9.9.9.9'],
      '8.8.8.8',
    ],
    [
      'is counted from the right',
      { ...xff, position: 1 },
      '10.0.0.1',
      { 'x-forwarded-for': '1.1.1.1, 8.8.8.8 9.9.9.9' },
      [],
      '8.8.8.8',
    ],
    [
      'is the peer where the list is too short',
      { ...xff, position: 3 },
      '10.0.0.1',
      { 'x-forwarded-for': '8.8.8.8' },
      [],
      '10.0.0.1',
    ],
    [
      'is read from the standard header',
      { name: 'forwarded', position: 1 },
      '10.0.0.1',
      { forwarded: 'for="[2606:4700::1]:80";proto=http;by=10.0.0.1, For=9.9.9.9' },
      [],
      '2606:4700::1',
    ],
    [
      'is the peer alone, where that is set',
      'peer',
      '10.0.0.1',
      { 'x-forwarded-for': '8.8.8.8' },
      ['10.0.0.1'],
      '10.0.0.1',
    ],
    [
      'is what the house says, where no header is named',
      'house',
      '10.0.0.1',
      { 'x-forwarded-for': '8.8.8.8' },
      ['10.0.0.1'],
      '8.8.8.8',
    ],
    [
      'is the peer for the house, where no proxy is trusted',
      'house',
      '10.0.0.1',
      { 'x-forwarded-for': '8.8.8.8' },
      [],
      '10.0.0.1',
    ],
  ];
  test('is found by headers, positions and trusted proxies', () =>
    checkRows(cases, ([, source, peer, headers, trusted, address]) =>
      assert.equal(seen(source, peer, headers, trusted), address),
    ));

  test('is the peer when a very long header ends in empty entries', () => {
    const long = `${'8.8.8.8,'.repeat(2_000)}${' ,'.repeat(4_000)}`;
    assert.equal(seen(xff, '10.0.0.1', { 'x-forwarded-for': long, forwarded: long }), '10.0.0.1');
  });

  test('is an address, whatever headers say', () => {
    const text = fc.array(fc.constantFrom(...'019af:.,[]"; for=')).map((signs) => signs.join(''));
    fc.assert(
      fc.property(
        text,
        fc.option(fc.nat(3)),
        fc.constantFrom('x-forwarded-for', 'forwarded'),
        (value, position, name) => {
          const place = { name, ...(position !== null && { position }) };
          assert.match(seen(place, '10.0.0.1', { [name]: value }), /^[\d.]+$|^[\da-f:]+$/);
        },
      ),
      { numRuns: 2_000, seed: 20_261_120 },
    );
  });
});

describe('Where it is looked for', () => {
  const nothing = { name: '', position_from_end: -1 };
  const found = { name: 'HTTP_X_REAL_IP', position_from_end: 0 };
  const cases: [object, object, Source][] = [
    [{ proxy: 'automatic' }, found, 'house'],
    [{ proxy: 'disabled' }, found, 'peer'],
    [{ proxy: 'security-check' }, found, { name: 'x-real-ip', position: 0, isFound: true }],
    [{ proxy: 'security-check' }, nothing, 'house'],
    [{ proxy: 'manual', proxy_header: 'HTTP_CF_CONNECTING_IP' }, found, { name: 'cf-connecting-ip' }],
    [{ proxy: 'manual', proxy_header: 'HTTP_COOKIE' }, found, 'house'],
  ];
  test('is the source that the settings name', () =>
    checkRows(cases, ([global, kept, source]) => assert.deepEqual(sourceOf(global as never, kept as never), source)));

  test('a header that nobody knows is none', () =>
    assert.equal(placeOf({ name: 'constructor', position_from_end: 0 }), 'house'));

  test('headers are known as settings spell them and as they are sent', () => {
    for (const text of ['HTTP_X_FORWARDED_FOR', 'X-Forwarded-For', 'x-forwarded-for'])
      assert.equal(headerName(text), 'x-forwarded-for');
    for (const text of ['Host', 'HTTP_HTTP_CLIENT_IP', '', '__proto__']) assert.equal(headerName(text), undefined);
  });
});

describe('In which header it stands', () => {
  const found = (peer: string, headers: Sent, trusted: string[] = []) => foundIn(peer, headers, createClients(trusted));
  const none = { name: '', position_from_end: -1 };
  const cases: [about: string, peer: string, headers: Sent, trusted: string[], object | undefined][] = [
    ['in none where nobody stands between', '8.8.8.8', { 'x-forwarded-for': '1.1.1.1' }, [], none],
    ['in none where there are no headers', '127.0.0.1', {}, [], none],
    [
      'in the first with one address outside',
      '127.0.0.1',
      { 'x-forwarded-for': '8.8.8.8, 10.1.1.1' },
      [],
      { name: 'HTTP_X_FORWARDED_FOR', position_from_end: 1 },
    ],
    [
      'in the next where the first has two',
      '127.0.0.1',
      { 'x-forwarded-for': '1.1.1.1, 8.8.8.8', 'x-real-ip': '8.8.8.8' },
      [],
      { name: 'HTTP_X_REAL_IP', position_from_end: 0 },
    ],
    [
      'besides trusted proxies',
      '9.9.9.9',
      { 'x-forwarded-for': '8.8.8.8, 9.9.9.8' },
      ['9.9.9.0/24'],
      { name: 'HTTP_X_FORWARDED_FOR', position_from_end: 1 },
    ],
    ['in none that nobody believes', '127.0.0.1', { 'x-forwarded-for': '8.8.8.8' }, ['10.0.0.1'], none],
    ['it cannot be told where all name several', '127.0.0.1', { 'x-forwarded-for': '1.1.1.1, 8.8.8.8' }, [], undefined],
    [
      'in the standard header before others',
      '127.0.0.1',
      { forwarded: 'for=8.8.8.8', 'x-real-ip': '1.1.1.1' },
      [],
      { name: 'HTTP_FORWARDED', position_from_end: 0 },
    ],
  ];
  test('is the header that names the visitor', () =>
    checkRows(cases, ([, peer, headers, trusted, expected]) =>
      assert.deepEqual(found(peer, headers, trusted), expected),
    ));
});

test('networks within are not outside', () => {
  for (const text of [
    '10.1.2.3',
    '127.0.0.1',
    '100.64.0.1',
    '192.168.1.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '255.255.255.255',
    'x',
    '',
  ])
    assert.equal(isOutside(addressOf(text)), false, text);
  for (const text of ['8.8.8.8', '203.0.113.7', '2001:db8::1', '172.32.0.1'])
    assert.equal(isOutside(addressOf(text)), true, text);
});

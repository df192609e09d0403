import assert from 'node:assert/strict';
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkRows } from '#test/rows.ts';
import { addressOf, around, type Block, blockOf, covers, intersects, isRange, masked, written } from './block.ts';

const block = (text: string): Block => {
  const found = blockOf(text);
  assert.ok(found, `${text} is a block`);
  return found;
};

describe('What people write where they name addresses', () => {
  const accepted: readonly [string, string][] = [
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.128/25', '203.0.113.128/25'],
    ['203.0.113.200/25', '203.0.113.128/25'],
    ['203.0.113.5/32', '203.0.113.5'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['198.51.100.*', '198.51.100.0/24'],
    ['10.*.*.*', '10.0.0.0/8'],
    ['*.*.*.*', '0.0.0.0/0'],
    ['*.1.2.3', '0.1.2.3'],
    ['10.*.3.*', '10.0.3.0/24'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:1::/48', '2001:db8:1::/48'],
    ['2001:db8:1::7/48', '2001:db8:1::/48'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:*:*:*:*:*:*', '2001:db8::/32'],
    ['2001:db8::*', '2001:db8::/112'],
    ['2001:*:1:2:3:4:5:6', '2001:0:1:2:3:4:5:6'],
    ['::', '::'],
    ['::/0', '::/0'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['1:0:2:0:3:0:4:0', '1:0:2:0:3:0:4:0'],
    ['1::2:0:0:3', '1::2:0:0:3'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::ffff:192.0.2.9/120', '192.0.2.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
  ];
  test('is read in every usual form', () =>
    checkRows(accepted, ([text, shown]) => {
      assert.equal(written(block(text)), shown);
      assert.deepEqual(block(shown), block(text));
    }));

  const refused = [
    ...['', ' ', '5', 'nope', ' 203.0.113.99 ', '203.0.113.1-203.0.113.9', '203.0.113', '203.0.113.1.2', '203.0.113.'],
    ...[
      '.203.0.113',
      '1..2.3',
      '256.1.1.1',
      '01.2.3.4',
      '1.2.3.04',
      '0x1.2.3.4',
      '1.2.3.4/33',
      '1.2.3.4/',
      '1.2.3.4/-1',
    ],
    ...[
      '1.2.3.4/ 8',
      '1.2.3.4/8/8',
      '1.2.3.4/255.0.0.0',
      '1.2.3.4/0008',
      '1.2.3.*/24',
      '1.2.3.*5',
      '1.2.*',
      '*',
      '*.*',
    ],
    ...[
      '::/129',
      ':',
      ':::',
      '1:::2',
      '1::2::3',
      '1:2',
      '1:2:3:4:5:6:7:8:9',
      '1:2:3:4:5:6:7::8',
      '::12345',
      'g::',
      '1:',
      ':1',
    ],
    ...['fe80::1%eth0', '[::1]', '::1:', '1.2.3.4::', '::1.2.3', '::1.2.3.4.5', '1:2:3:4:5:6:7:1.2.3.4', '::1.2.3.4:5'],
    ...['::ffff:1.2.3.*', '2001:db8:*', '1.2.3.4\n', '１.2.3.4', `${'0'.repeat(60)}::1`, '1'.repeat(100_000)],
  ];
  test('is refused in any other form', () => checkRows(refused, (text) => assert.equal(blockOf(text), undefined)));

  test('a wildcard or a network is no single address', () => {
    assert.equal(addressOf('1.2.3.*'), undefined);
    assert.equal(addressOf('1.2.3.4/8'), undefined);
    assert.equal(isRange(block('1.2.3.4/31')), true);
    assert.equal(isRange(block('1.2.3.4')), false);
  });

  test('signs at random are an address where the system says so', () => {
    const like = fc.array(fc.constantFrom(...'0019af:.:.*/ %'), { maxLength: 20 }).map((signs) => signs.join(''));
    fc.assert(
      fc.property(fc.oneof(like, fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const known = isIPv4(text) || (isIPv6(text) && !text.includes('%'));
        assert.equal(addressOf(text) !== undefined, known);
      }),
      { numRuns: 20_000, seed: 20_261_120 },
    );
  });

  test('an address is read and written as the system does it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.ipV4()), (text) => {
        const { address } = new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' });
        assert.deepEqual(block(address), block(text));
        // It writes some as if they had an IPv4 address at their end.
        if (!address.includes(':') || !address.includes('.')) assert.equal(written(block(text)), address);
      }),
      { numRuns: 5_000, seed: 20_261_120 },
    );
  });
});

describe('Blocks', () => {
  const together: readonly [string, string][] = [
    ['10.0.0.0/8', '10.1.2.3'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '255.255.255.255'],
    ['2001:db8::/33', '2001:db8:7fff::1'],
    ['::/0', '2001:db8::/32'],
  ];
  test('of which one contains the other meet', () =>
    checkRows(together, ([outer, inner]) => {
      assert.equal(covers(block(outer), block(inner)), true);
      assert.equal(intersects(block(inner), block(outer)), true);
    }));

  const apart: readonly [string, string][] = [
    ['10.0.0.0/8', '11.0.0.0'],
    ['10.0.0.0/9', '10.128.0.0/9'],
    ['::/0', '1.2.3.4'],
    ['2001:db8::/33', '2001:db8:8000::'],
    ['1.2.3.4', '1.2.3.5'],
  ];
  test('that are apart do not meet', () =>
    checkRows(apart, ([one, other]) => {
      assert.equal(covers(block(one), block(other)), false);
      assert.equal(intersects(block(one), block(other)), false);
    }));

  test('a network covers its addresses, and none of them covers it', () => {
    assert.equal(covers(block('10.1.2.3'), block('10.0.0.0/8')), false);
    assert.equal(intersects(block('10.1.2.3'), block('10.0.0.0/8')), true);
  });

  test('those around one are all that cover it, from itself to everything', () => {
    const texts = around(block('10.0.0.0/8')).map(written);
    assert.deepEqual(texts.slice(0, 3), ['10.0.0.0/8', '10.0.0.0/7', '8.0.0.0/6']);
    assert.equal(texts.at(-1), '0.0.0.0/0');
    assert.equal(around(block('2001:db8::1')).length, 129);
    assert.ok(around(block('2001:db8::1')).every((outer) => covers(outer, block('2001:db8::1'))));
  });

  test('what is masked keeps its first bits alone', () => {
    assert.equal(written(masked(6, block('2001:db8:ffff::1').words, 40)), '2001:db8:ff00::/40');
  });
});

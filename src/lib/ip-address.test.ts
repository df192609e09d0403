import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { isPublicIp, networkOf } from './ip-address.ts';

test('an address belongs to its network', () =>
  checkRows(
    [
      ['192.0.2.7', '192.0.2.7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
      ['2001:db8:1:2::9', '2001:db8:1'],
      ['2001:db8::1', '2001:db8:0'],
      ['command line', 'command line'],
    ] as const,
    ([address, network]) => assert.equal(networkOf(address), network),
  ));

/** Both ends of what is not public, and its neighbours; nothing where the neighbour is not public for a reason of its own. */
const ranges: readonly (readonly [before: string, first: string, last: string, after: string])[] = [
  ['', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
  ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
  ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
  ['168.63.129.15', '168.63.129.16', '168.63.129.16', '168.63.129.17'],
  ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
  ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
  ['192.88.98.255', '192.88.99.0', '192.88.99.255', '192.88.100.0'],
  ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
  ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
  ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
  ['223.255.255.255', '224.0.0.0', '255.255.255.255', ''],
  ['', '::', '::fffe:ffff:ffff', ''],
  ['', '::1:0:0:0', '64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff', ''],
  ['', '64:ff9b::1:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  ['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
  ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ''],
];

test('both ends of a range are not public, its neighbours are', () =>
  checkRows(ranges, ([before, first, last, after]) => {
    for (const address of [first, last]) assert.equal(isPublicIp(address), false, address);
    for (const address of [before, after].filter(Boolean)) assert.equal(isPublicIp(address), true, address);
  }));

test('the same holds for IPv4 ranges written as IPv6', () =>
  checkRows(
    ranges.filter(([, first]) => first.includes('.')),
    ([before, first, last, after]) => {
      for (const prefix of ['::ffff:', '64:ff9b::']) {
        for (const address of [first, last]) assert.equal(isPublicIp(prefix + address), false, prefix + address);
        for (const address of [before, after].filter(Boolean))
          assert.equal(isPublicIp(prefix + address), true, address);
      }
    },
  ));

const kinds: readonly (readonly [kind: string, address: string])[] = [
  ['loopback', '::1'],
  ['compatible with IPv4, even with a public one', '::8.8.8.8'],
  ['mapped in hexadecimal', '::ffff:7f00:1'],
  ['translated for one network alone', '64:ff9b:1::808:808'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['unique-local', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with its zone', 'fe80::1%eth0'],
  ['public with a zone', '2a00:1450::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['discard only', '100::1'],
  ['segment routing', '5f00::1'],
];

test('addresses of special networks are not public', () =>
  checkRows(kinds, ([, address]) => assert.equal(isPublicIp(address), false)));

test('text of another form is not an IP address', () =>
  checkRows(
    ['', 'localhost', '8.8.8', '134744072', '0x8.8.8.8', '010.8.8.8', '8.8.8.8/32', '[2a00:1450::1]', '8.8.8.8 '],
    (text) => assert.equal(isPublicIp(text), false),
  ));

test('addresses of the internet are public', () =>
  checkRows(['8.8.8.8', '1.1.1.1', '2a00:1450:4001:80b::200e', '2606:4700:4700::1111', '64:ff9b::808:808'], (address) =>
    assert.equal(isPublicIp(address), true),
  ));

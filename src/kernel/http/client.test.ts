import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { clientAddresses } from './client.ts';

const client = (trusted: string[], peer: string, forwarded?: string) =>
  clientAddresses(trusted)({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

const ten = Array.from({ length: 10 }, (_, at) => `198.51.100.${at}`).join(', ');
const long = `${'198.51.100.1, '.repeat(600)}203.0.113.9`;

test('the client is the peer, unless a trusted proxy saw another', () => {
  const near = ['10.0.0.0/8', '::1'];
  const cases: [trusted: string[], peer: string, forwarded: string | undefined, wanted: string][] = [
    [[], '192.0.2.1', undefined, '192.0.2.1'],
    [[], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [near, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    [near, '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    [near, '10.0.0.1', '198.51.100.7, 203.0.113.9', '203.0.113.9'],
    [near, '10.0.0.1', '198.51.100.7, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    [near, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    [near, '10.0.0.1', 'nonsense', '10.0.0.1'],
    [near, '10.0.0.1', '203.0.113.9, nonsense', '10.0.0.1'],
    [near, '10.0.0.1', '', '10.0.0.1'],
    [near, '::1', '2001:DB8::1', '2001:db8::1'],
    [near, '::ffff:10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    [[], 'fe80::1%eth0', undefined, 'fe80::1'],
    [['fe80::/10'], 'fe80::1%br-lan.2', '203.0.113.9', '203.0.113.9'],
    [['10.0.0.1'], '10.0.0.2', '203.0.113.9', '10.0.0.2'],
    [['loopback'], '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    [['loopback'], '127.8.9.10', '2001:db8::9', '2001:db8::9'],
    [['loopback'], '::1', `${ten}, 203.0.113.9`, '203.0.113.9'],
    [['loopback'], '::ffff:127.0.0.1', long, '203.0.113.9'],
    [['loopback'], '127.0.0.1', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
    [['loopback'], '127.0.0.1', '203.0.113.9, 10.0.0.1', '10.0.0.1'],
    [['loopback', '10.0.0.1'], '127.0.0.1', '203.0.113.9, 10.0.0.1', '203.0.113.9'],
    [['loopback'], '10.0.0.1', '203.0.113.9', '10.0.0.1'],
    [['loopback'], '192.0.2.1', '127.0.0.1', '192.0.2.1'],
    [near, '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    [near, '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    [near, '10.0.0.1', '203.0.113.9, 1', '10.0.0.1'],
    [near, '10.0.0.1', '203.0.113.9, 0x7f.1', '10.0.0.1'],
    [near, '10.0.0.1', '203.0.113.9, 127.0.0.1, unknown', '10.0.0.1'],
  ];
  for (const [trusted, peer, forwarded, wanted] of cases) {
    assert.equal(client(trusted, peer, forwarded), wanted, `${peer} ${forwarded}`);
  }
});

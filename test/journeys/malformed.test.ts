import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import {
  close,
  host,
  index,
  latin1,
  malformed,
  reading,
  type Storm,
  speakTo,
  unharmed,
  weather,
  writing,
} from '#test/storms.ts';
import { describeAsync } from '#test/suites.ts';
import { written } from '#test/wire.ts';

const lines: readonly Storm[] = [
  malformed('HTTP/0.9', 'GET /api/\r\n\r\n'),
  malformed('HTTP/1.9', `GET /api/ HTTP/1.9\r\n${host}\r\n\r\n`),
  malformed('HTTP/2.0 in words', `GET /api/ HTTP/2.0\r\n${host}\r\n\r\n`),
  malformed('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  malformed('no Host', written(index, [close])),
  malformed('bytes above ASCII in the address', latin1(reading([], 'GET /api/\xff\xfe HTTP/1.1'))),
  malformed('a NUL in the address', reading([], 'GET /api/\0 HTTP/1.1')),
  malformed('a bare word for an address', reading([], 'GET api HTTP/1.1')),
  { name: 'a TLS handshake', send: [Buffer.from([22, 3, 1, 0, 165, 1, 0, 0, 161, 3, 3])], statuses: [404] },
  { name: 'an unknown method', send: [reading([], 'FROB /api/ HTTP/1.1')], statuses: [404], code: 'rest_no_route' },
  {
    name: 'a method in small letters',
    send: [reading([], 'get /api/ HTTP/1.1')],
    statuses: [404],
    code: 'rest_no_route',
  },
  { name: 'CONNECT', send: [reading([], 'CONNECT evil.test:443 HTTP/1.1')], statuses: [404], code: 'rest_no_route' },
  {
    name: 'TRACE',
    send: [reading(['X-Secret: echo'], 'TRACE /api/ HTTP/1.1')],
    statuses: [404],
    code: 'rest_no_route',
  },
  { name: 'OPTIONS *', send: [reading([], 'OPTIONS * HTTP/1.1')], statuses: [404] },
  { name: 'HTTP/1.0 without a host', send: ['GET /api/?_fields=name HTTP/1.0\r\n\r\n'], statuses: [200] },
  {
    name: 'an address for a proxy',
    send: [reading([], 'GET http://evil.test/api/?_fields=name HTTP/1.1')],
    statuses: [200],
  },
  { name: 'another host in the path', send: [reading([], 'GET //evil.test/api/ HTTP/1.1')], statuses: [404] },
  {
    name: 'an expectation nobody meets',
    send: [writing(['Expect: a miracle', close, 'Content-Length: 2'], '{}')],
    statuses: [417],
    code: 'rest_expectation_failed',
  },
  {
    name: 'a long address',
    send: [reading([], `GET /api/?${'a'.repeat(9_000)} HTTP/1.1`)],
    statuses: [414],
    code: 'rest_uri_too_long',
  },
  {
    name: 'an endless address',
    send: [reading([], `GET /api/?${'a'.repeat(20_000)} HTTP/1.1`)],
    statuses: [431],
    code: 'rest_headers_too_large',
  },
  {
    name: 'an endless header',
    send: [reading([`X-One: ${'a'.repeat(20_000)}`])],
    statuses: [431],
    code: 'rest_headers_too_large',
  },
  {
    name: 'very many headers',
    send: [reading(Array.from({ length: 3_000 }, (_, at) => `X-${at}: a`))],
    statuses: [431],
    code: 'rest_headers_too_large',
  },
  { name: 'a path that is not well encoded', send: [reading([], 'GET /api/%zz%00%ff HTTP/1.1')], statuses: [404] },
  { name: 'a page that is not well encoded', send: [reading([], 'GET /%zz%00%ff HTTP/1.1')], statuses: [400] },
  {
    name: 'a query that is not UTF-8',
    send: [reading([], 'GET /api/hello/v1/greetings?search=%ff%00%c0%ae HTTP/1.1')],
    statuses: [200],
  },
  {
    name: 'more arguments than are read',
    send: [reading([], `GET /api/?${'a&'.repeat(1_001)} HTTP/1.1`)],
    statuses: [400],
    code: 'rest_invalid_param',
  },
  {
    name: 'arguments nested without end',
    send: [reading([], `GET /api/?a${'[b]'.repeat(200)}=1 HTTP/1.1`)],
    statuses: [400],
    code: 'rest_invalid_param',
  },
];

describeAsync('A first line or a header that is none', async () => {
  const site = await aSite(testEngine('sqlite'));
  unharmed(site);
  weather(site, lines);

  test('an upgrade is not made, and the connection goes on as before', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const asking = written(index, [host, 'Connection: Upgrade', `Upgrade: ${protocol}`]);
      const heard = await speakTo(site, [asking, { heard: /\r\n\r\n\{/ }, reading([])]);
      assert.deepEqual(heard.statuses, [200, 200]);
    }
  });
});

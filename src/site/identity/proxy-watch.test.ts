import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day, hour } from '#lib/spans.ts';
import { checkRows } from '#test/rows.ts';
import { noon } from '#test/site.ts';
import { createClients } from './clients.ts';
import { adviceIn, adviceLines, adviceOn, type ProxyFault } from './proxy-advice.ts';
import { createProxyWatch } from './proxy-watch.ts';

type Headers = Readonly<Record<string, string>>;

const site = { host: 'example.org' };
const named = { ...site, 'x-forwarded-for': '203.0.113.9' };
const local = { host: '127.0.0.1:8080' };

function watched(trusted: readonly string[] = ['loopback'], url = 'https://example.org') {
  const time = { now: noon.getTime() };
  const logged: { message: string; details: object }[] = [];
  const log = { warn: (details: object, message: string) => void logged.push({ message, details }) };
  const clients = createClients(
    trusted,
    createProxyWatch({ url, clock: () => new Date(time.now), trusted, log: log as never }),
  );
  const ask = (peer: string, headers: Headers, path = '/') =>
    clients.of({ headers, url: path, socket: { remoteAddress: peer } });
  return { time, logged, clients, ask };
}

describe('A proxy on this machine', () => {
  test('is believed by default when it asks for the public host name, and by nobody else', () => {
    const rows: readonly (readonly [about: string, peer: string, headers: Headers, client: string])[] = [
      ['the public host name', '127.0.0.1', named, '203.0.113.9'],
      ['IPv6', '::1', named, '203.0.113.9'],
      [
        'another name of the site, or a typing error in its URL',
        '127.0.0.1',
        { ...named, host: 'www.example.net' },
        '203.0.113.9',
      ],
      ['from outside', '192.0.2.1', named, '192.0.2.1'],
      ['from outside, as this machine', '192.0.2.1', { ...site, 'x-forwarded-for': '127.0.0.1' }, '192.0.2.1'],
      ['from the private network', '10.0.0.2', named, '10.0.0.2'],
      ['through a proxy that passes on what clients send', '127.0.0.1', { ...named, ...local }, '127.0.0.1'],
      ['the same with the name of a server group', '127.0.0.1', { ...named, host: 'gatehouse' }, '127.0.0.1'],
      ['the same with another IP address', '127.0.0.1', { ...named, host: '192.0.2.1' }, '127.0.0.1'],
      ['without Host', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'],
      [
        'other headers',
        '127.0.0.1',
        { ...site, 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' },
        '127.0.0.1',
      ],
      [
        'a forged hop before the true one',
        '127.0.0.1',
        { ...site, 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
        '203.0.113.9',
      ],
    ];
    return checkRows(rows, ([, peer, headers, client]) => assert.equal(watched().ask(peer, headers), client));
  });

  test('that names its clients is believed whatever host a client asks for', () => {
    const { ask, clients } = watched();
    ask('127.0.0.1', named);
    for (let each = 0; each < 30; each += 1)
      for (const host of ['localhost', '127.0.0.1', '192.0.2.1', 'gatehouse', ''])
        assert.equal(ask('127.0.0.1', { ...named, host }), '203.0.113.9', host);
    assert.equal(clients.proxyAdvice, undefined);
  });

  test('is not believed once it passed on a request that names no client, until a day has passed', () => {
    const { ask, time } = watched();
    assert.equal(ask('127.0.0.1', named), '203.0.113.9');
    for (const path of ['/healthz', '/readyz?a=b', '/metrics']) ask('127.0.0.1', site, path);
    ask('127.0.0.1', local);
    assert.equal(ask('127.0.0.1', named), '203.0.113.9', 'monitors ask directly');
    ask('127.0.0.1', site);
    assert.equal(ask('127.0.0.1', named), '127.0.0.1');
    assert.equal(ask('::1', named), '::1', 'the same proxy by IPv6');
    time.now += day + hour;
    assert.equal(ask('127.0.0.1', named), '203.0.113.9');
    ask('127.0.0.1', { ...site, 'x-gatehouse-mirror': 'word' }, '/healthz');
    assert.equal(ask('127.0.0.1', named), '127.0.0.1', 'the site asked itself');
  });

  test('is always believed if its IP address is listed, and never with "none"', () => {
    for (const [trusted, client] of [
      [['127.0.0.1'], '203.0.113.9'],
      [[], '127.0.0.1'],
      [['10.0.0.1'], '127.0.0.1'],
    ] as const) {
      const { ask } = watched(trusted);
      ask('127.0.0.1', site);
      assert.equal(ask('127.0.0.1', named), client, trusted.join());
    }
    assert.equal(watched(['127.0.0.1']).ask('127.0.0.1', { ...named, ...local }), '203.0.113.9');
  });
});

test('A proxy that names no visitors is told from visitors, and the log says what to set', () => {
  const browser = { ...local, 'sec-fetch-dest': 'document' };
  const rows: readonly (readonly [
    about: string,
    trusted: readonly string[],
    asked: readonly (readonly [peer: string, headers: Headers])[],
    fault: ProxyFault | undefined,
    said: RegExp,
  ])[] = [
    [
      'no header',
      ['loopback'],
      [['127.0.0.1', site]],
      { kind: 'nameless', address: '127.0.0.1' },
      /^(?!.*TRUST_PROXY)/,
    ],
    [
      'in another container',
      ['loopback'],
      [['172.18.0.2', site]],
      { kind: 'nameless', address: '172.18.0.2' },
      /=loopback,172\.18\.0\.2 /,
    ],
    [
      'not trusted',
      ['loopback'],
      [['172.18.0.2', named]],
      { kind: 'untrusted', address: '172.18.0.2' },
      /=loopback,172\.18\.0\.2 /,
    ],
    ['none is trusted', [], [['127.0.0.1', named]], { kind: 'untrusted', address: '127.0.0.1' }, /=loopback /],
    [
      'garbage',
      ['loopback'],
      [['127.0.0.1', { ...site, 'x-forwarded-for': 'unknown' }]],
      { kind: 'nameless', address: '127.0.0.1' },
      /Add the line/,
    ],
    [
      'two in a row',
      ['loopback'],
      [['127.0.0.1', { ...site, 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }]],
      { kind: 'untrusted', address: '10.0.0.1' },
      /=loopback,10\.0\.0\.1 /,
    ],
    [
      'Host rewritten',
      ['loopback'],
      [['127.0.0.1', { ...named, ...local }]],
      { kind: 'rewritten', address: '127.0.0.1' },
      /instead of example\.org/,
    ],
    [
      'Host rewritten, no header',
      ['loopback'],
      [['127.0.0.1', browser]],
      { kind: 'rewritten', address: '127.0.0.1' },
      /Add the line/,
    ],
    ['the machine itself', ['loopback'], [['127.0.0.1', local]], undefined, /^$/],
    ['visitors are named', ['loopback'], [['127.0.0.1', named]], undefined, /^$/],
    [
      'one in the private network is named',
      ['loopback'],
      [['127.0.0.1', { ...site, 'x-forwarded-for': '10.0.0.7' }]],
      undefined,
      /^$/,
    ],
    [
      'visitors of a private network',
      ['loopback'],
      [
        ['10.0.0.7', site],
        ['10.0.0.8', site],
      ],
      undefined,
      /^$/,
    ],
    ['visitors from outside', ['loopback'], [['203.0.113.9', site]], undefined, /^$/],
  ];
  return checkRows(rows, ([, trusted, asked, fault, said]) => {
    const { ask, clients, logged } = watched(trusted);
    for (let time = 0; time < 30; time += 1) for (const [peer, headers] of asked) ask(peer, headers);
    assert.equal(logged.length, fault === undefined ? 0 : 1);
    assert.match(logged[0]?.message ?? '', said);
    assert.equal(clients.proxyAdvice === undefined, fault === undefined);
    for (const address of ['127.0.0.1', '10.0.0.1', '10.0.0.7', '172.18.0.2'])
      assert.equal(clients.isShared(address), address === fault?.address, address);
  });
});

test('Nothing is said of a proxy while visitors come directly, and the advice survives being read from text', () => {
  const { ask, clients, time } = watched();
  ask('203.0.113.9', site);
  for (let each = 0; each < 30; each += 1) ask('10.0.0.7', site);
  assert.deepEqual([clients.proxyAdvice, clients.isShared('10.0.0.7')], [undefined, true]);
  time.now += day + hour;
  ask('10.0.0.7', site);
  assert.notEqual(clients.proxyAdvice, undefined);
  for (const kind of ['nameless', 'untrusted', 'rewritten'] as const) {
    const advice = adviceOn({ kind, address: '10.0.0.1' }, { url: 'https://example.org', trusted: ['loopback'] });
    assert.deepEqual(adviceIn(['ready', ...adviceLines(advice), ''].join('\n')), advice);
  }
  assert.equal(adviceIn('ready\n'), undefined);
});

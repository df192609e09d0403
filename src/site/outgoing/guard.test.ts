import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, describe, test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { keptLog } from '#test/databases.ts';
import { aRemote, type Remote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { connectReally } from './connect.ts';
import { createOutgoing, type OutgoingOptions } from './guard.ts';
import type { Lookup } from './look-up.ts';
import { type Purpose, Upstream } from './outgoing.ts';

const plain: Purpose = { name: 'test', types: ['text/plain'], most: 1000 };
const hello: RequestListener = (_, response) => response.setHeader('content-type', 'text/plain').end('hello');

async function remote(answer: RequestListener = hello) {
  const one = await aRemote(answer);
  after(() => one.close());
  return one;
}

/** Everything public leads to this remote; the names have the addresses given, one set for each time they are looked up. */
function world(to: Remote, addresses: Record<string, string[][]> = {}) {
  const connected: string[] = [];
  const lookedUp: string[] = [];
  const log = keptLog();
  const lookup: Lookup = async (name) => {
    lookedUp.push(name);
    const found = addresses[name];
    if (!found) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    return found.length > 1 ? found.shift()! : found[0]!;
  };
  const connect: OutgoingOptions['connect'] = (spot, signal) => {
    connected.push(`${spot.address}:${spot.port}`);
    return connectReally({ ...spot, address: '127.0.0.1', port: to.port }, signal);
  };
  const outgoing = createOutgoing({ allowHosts: [], version: '1.2.3', log, lookup, connect });
  return { outgoing, connected, lookedUp, log };
}

const isUnsafe = (error: unknown): boolean =>
  error instanceof Problem && error.status === 400 && error.code === 'unsafe_url';

const fault =
  (name: Upstream['fault']) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Upstream, String(error));
    assert.equal(error.fault, name);
    return true;
  };

const publicName = { 'site.test': [['93.184.216.34']] };

describe('What the guard lets through', () => {
  test('is asked, and comes back whole', async () => {
    const { outgoing, connected } = world(await remote(), publicName);
    const fetched = await outgoing.fetch('http://site.test/a?b=c#d', plain);
    assert.equal(await fetched.text(), 'hello');
    assert.deepEqual([fetched.status, fetched.type, fetched.url], [200, 'text/plain', 'http://site.test/a?b=c#d']);
    assert.deepEqual(connected, ['93.184.216.34:80']);
  });

  test('hears the name it was asked by, who asks, and nothing of whoever made us ask', async () => {
    const to = await remote();
    const { outgoing } = world(to, publicName);
    const headers = {
      Accept: 'text/plain',
      Cookie: 'a=b',
      Host: 'other.test',
      'User-Agent': 'me',
      Connection: 'upgrade',
    };
    await (await outgoing.fetch('http://site.test:8080/a?b=c#d', { ...plain, headers })).bytes();
    assert.equal(to.asked[0]?.url, '/a?b=c');
    assert.deepEqual(to.asked[0]?.headers, {
      host: 'site.test:8080',
      connection: 'close',
      accept: 'text/plain',
      'user-agent': 'Gatehouse/1.2.3',
      'accept-encoding': 'identity',
    });
  });

  test('takes what is posted', async () => {
    const to = await remote((request, response) => {
      response.setHeader('content-type', 'text/plain');
      request.pipe(response);
    });
    const { outgoing } = world(to, publicName);
    const posted = await outgoing.fetch('http://site.test/', { ...plain, method: 'POST', body: 'données' });
    assert.equal(await posted.text(), 'données');
  });

  test('may be an address instead of a name, which is looked up nowhere', async () => {
    const to = await remote();
    const { outgoing, connected, lookedUp } = world(to);
    for (const url of ['http://93.184.216.34/', 'http://[2606:4700::1111]/'])
      await (await outgoing.fetch(url, plain)).bytes();
    assert.deepEqual(connected, ['93.184.216.34:80', '2606:4700::1111:80']);
    assert.deepEqual(lookedUp, []);
    assert.equal(to.asked[1]?.headers.host, '[2606:4700::1111]');
  });

  test('is found at its second address where the first does not work', async () => {
    const to = await remote();
    const tried: string[] = [];
    const outgoing = createOutgoing({
      allowHosts: [],
      version: '1',
      log: keptLog(),
      lookup: async () => ['2606:4700::1', '2606:4700::2', '93.184.216.34'],
      connect: async (spot, signal) => {
        tried.push(spot.address);
        if (spot.address.includes(':')) throw new Error('no route');
        return connectReally({ ...spot, address: '127.0.0.1', port: to.port }, signal);
      },
    });
    await (await outgoing.fetch('http://site.test/', plain)).bytes();
    assert.deepEqual(tried, ['2606:4700::1', '93.184.216.34']);
  });
});

describe('What the guard refuses', () => {
  const never = [
    '',
    'nonsense',
    '//site.test/',
    'ftp://site.test/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'http://',
  ];
  const people = ['http://user@site.test/', 'http://user:secret@site.test/', 'http://:secret@site.test/'];
  const ports = ['http://site.test:22/', 'http://site.test:81/', 'https://site.test:8443/', 'http://site.test:0/'];
  const long = `http://site.test/${'a'.repeat(5000)}`;
  test('addresses by their form, without a lookup', () =>
    checkRows([...never, ...people, ...ports, long], async (url) => {
      const { outgoing, connected, lookedUp } = world(await remote(), publicName);
      await assert.rejects(outgoing.fetch(url, plain), isUnsafe);
      assert.deepEqual([...connected, ...lookedUp], []);
    }));

  const inside: readonly (readonly [about: string, addresses: string[]])[] = [
    ['leads to the machine itself', ['127.0.0.1']],
    ['leads to where a cloud keeps secrets', ['169.254.169.254']],
    ['leads to both kinds of address', ['93.184.216.34', '10.0.0.1']],
    ['leads to both families, one inside', ['93.184.216.34', '::1']],
    ['leads to a link-local address with its zone', ['fe80::1%eth0']],
    ['leads to something that is no address', ['localhost']],
    ['leads nowhere', []],
  ];
  test('names that lead to addresses inside', () =>
    checkRows(inside, async ([, addresses]) => {
      const { outgoing, connected } = world(await remote(), { 'site.test': [addresses] });
      await assert.rejects(outgoing.fetch('http://site.test/', plain), isUnsafe);
      assert.deepEqual(connected, []);
    }));

  test('an address that is only vetted, whatever it leads to: nobody is connected to', async () => {
    const { outgoing, connected, log } = world(await remote(), { ...publicName, 'inside.test': [['10.0.0.1']] });
    for (const url of [...never, 'http://inside.test/', 'http://127.0.0.1/', 'http://nowhere.test/'])
      await assert.rejects(outgoing.vet(url, plain), isUnsafe);
    log.lines.length = 0;
    await outgoing.vet('http://site.test/', plain);
    assert.deepEqual([connected, log.lines], [[], []]);
  });

  test('a name there is not, in the same words as one inside the house', async () => {
    const { outgoing } = world(await remote(), { 'inside.test': [['10.0.0.1']] });
    const said = (url: string) =>
      outgoing.fetch(url, plain).catch(({ status, code, message }) => ({ status, code, message }));
    assert.deepEqual(await said('http://nowhere.test/'), await said('http://inside.test/'));
    assert.deepEqual(await said('http://nowhere.test/'), await said('http://127.0.0.1/'));
  });

  test('a name that changes its mind after it was looked at: the first answer counts, or none', async () => {
    const { outgoing, connected, lookedUp } = world(await remote(), {
      'site.test': [['93.184.216.34'], ['127.0.0.1']],
    });
    await (await outgoing.fetch('http://site.test/', plain)).bytes();
    assert.deepEqual([connected, lookedUp], [['93.184.216.34:80'], ['site.test']]);
    await assert.rejects(outgoing.fetch('http://site.test/', plain), isUnsafe);
    assert.equal(connected.length, 1);
  });

  test('the log names the host and not what follows it', async () => {
    const { outgoing, log } = world(await remote());
    await assert.rejects(outgoing.fetch('http://10.0.0.1/path?token=secret', plain), isUnsafe);
    const [line, ...others] = log.lines;
    assert.deepEqual([line?.level, line?.details, others], ['info', { purpose: 'test', host: '10.0.0.1' }, []]);
    assert.doesNotMatch(JSON.stringify(log.lines), /secret|path/);
  });

  test('a name that cannot be looked up now is the fault of the other side', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('again'), { code: 'EAI_AGAIN' }));
    const outgoing = createOutgoing({ allowHosts: [], version: '1', log: keptLog(), lookup });
    await assert.rejects(outgoing.fetch('http://site.test/', plain), fault('unreachable'));
  });
});

describe('What the operator allows', () => {
  test('is asked at any port and address, and nothing beside it', async () => {
    const [allowed, other] = [await remote(), await remote()];
    const outgoing = createOutgoing({ allowHosts: [allowed.host], version: '1', log: keptLog() });
    assert.equal(await (await outgoing.fetch(allowed.url, plain)).text(), 'hello');
    await assert.rejects(outgoing.fetch(other.url, plain), isUnsafe);
    await assert.rejects(outgoing.fetch('http://127.0.0.1/', plain), isUnsafe);
    await assert.rejects(outgoing.fetch(allowed.url.replace('http:', 'ftp:'), plain), isUnsafe);
    await assert.rejects(outgoing.fetch(allowed.url.replace('//', '//user:secret@'), plain), isUnsafe);
    assert.equal(other.opened, 0);
  });

  test('is meant by its name where it is named so', async () => {
    const allowed = await remote();
    const lookup = async () => ['127.0.0.1'];
    const allowHosts = [`cdn.internal:${allowed.port}`];
    const outgoing = createOutgoing({ allowHosts, version: '1', log: keptLog(), lookup });
    assert.equal(await (await outgoing.fetch(`http://CDN.internal:${allowed.port}/`, plain)).text(), 'hello');
    await assert.rejects(outgoing.fetch(allowed.url, plain), isUnsafe);
  });

  test('is meant however an address is spelt', async () => {
    const allowed = await remote();
    const allowHosts = [`0x7F.1:${allowed.port}`, '[0:0::0:1]:81'];
    const outgoing = createOutgoing({ allowHosts, version: '1', log: keptLog() });
    assert.equal(await (await outgoing.fetch(allowed.url, plain)).text(), 'hello');
    await assert.rejects(outgoing.fetch('http://[::1]:81/', plain), fault('unreachable'));
  });

  test('and that nobody listens there is the fault of the other side', async () => {
    const gone = await aRemote(hello);
    await gone.close();
    const outgoing = createOutgoing({ allowHosts: [gone.host], version: '1', log: keptLog() });
    await assert.rejects(outgoing.fetch(gone.url, plain), fault('unreachable'));
  });
});

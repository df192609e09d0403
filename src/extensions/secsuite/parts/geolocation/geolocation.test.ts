// Where addresses are, and who says so.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { day, minute } from '#lib/spans.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { keptLog } from '#test/databases.ts';
import { mmdb } from '#test/mmdb.ts';
import { offline } from '#test/offline.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { noon } from '#test/site.ts';
import { bundledAddresses, ownAddresses } from '../../disk/addresses.ts';
import { createDatabase, createGeolocation } from './geolocation.ts';
import { centred, centreOf } from './location.ts';
import { createProvider } from './part.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

interface Place {
  readonly isRunning?: boolean;
  readonly remote?: AskedRemote;
  readonly url?: string;
}

function aPlace({ isRunning = true, remote, url = remote && `${remote.url}/{ip}?v=1` }: Place = {}) {
  const data = mkdtempSync(join(folder, 'data-'));
  const log = keptLog();
  const outgoing = createOutgoing({ allowHosts: remote ? [remote.host] : [], version: '1', log, ...offline });
  let now = noon.getTime();
  const clock = () => new Date(now);
  const geolocation = createGeolocation({
    clock,
    isRunning: () => isRunning,
    own: createDatabase(ownAddresses(data), log),
    bundled: createDatabase(bundledAddresses(), log),
    provider: url === undefined ? undefined : createProvider(url, { outgoing, clock, log }),
  });
  let puts = 0;
  /** As somebody does who runs the site, a second after the last time. */
  const put = (bytes: Buffer | string): void => {
    const file = join(data, 'geolocation', 'country.mmdb');
    mkdirSync(join(data, 'geolocation'), { recursive: true });
    writeFileSync(file, bytes);
    puts += 1;
    utimesSync(file, puts, puts);
  };
  const remove = (): void => rmSync(join(data, 'geolocation'), { recursive: true });
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { geolocation, put, remove, pass, log };
}

const country = async ({ geolocation }: ReturnType<typeof aPlace>, address = '5.9.0.1') =>
  (await geolocation.find(address))?.country_code;

const places = (iso: string) => ({ '5.9.0.0/16': { country_code: iso }, '2a01::/16': { country_code: iso } });

describe('The database that comes along', () => {
  test('knows the country of addresses of either family, and whom to name', async () => {
    const { geolocation } = aPlace();
    const germany = {
      lat: 51,
      long: 10,
      label: 'Germany',
      country: 'Germany',
      country_code: 'DE',
      credit: 'Countries of addresses: ip-location-db, after the Number Resource Organization (CC BY 4.0).',
    };
    for (const address of ['5.9.0.1', '2a01:4f8::1', '::ffff:5.9.0.1', '2A01:04F8:0::1'])
      assert.deepEqual(await geolocation.get(address), germany, address);
  });

  test('knows nothing of what nobody has, which is said as such', async () => {
    const { geolocation } = aPlace();
    assert.equal(await geolocation.find('192.0.2.1'), undefined);
    const unowned = ['192.0.2.1', '203.0.113.5', '198.51.100.7', '198.18.0.1', '240.0.0.1', '2001:db8::1', '::8.8.8.8'];
    for (const address of [...unowned, '64:ff9b::10.0.0.1', '2002:a00:1::'])
      await assert.rejects(
        geolocation.get(address),
        { status: 404, code: 'secsuite_geolocation_not_found' },
        `${address} is for examples, for trials or for nothing`,
      );
  });

  const misfits: readonly (readonly [string, readonly string[]])[] = [
    ['secsuite_geolocate_private_ip', ['10.0.0.1', '127.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0']],
    ['secsuite_geolocate_private_ip', ['::1', 'fd00::1', 'fe80::1', '::', '::ffff:10.0.0.1', '224.0.0.1', 'fec0::1']],
    ['secsuite_geolocate_invalid_ip', ['', 'x', '5.9', '5.9.0.0/16', '5.9.0.*', 'fe80::1%eth0', '0x5.9.0.1']],
  ];
  test('is not asked for IP addresses that do not fit', () =>
    checkRows(misfits, async ([code, addresses]) => {
      const { geolocation } = aPlace();
      for (const address of addresses) {
        await assert.rejects(geolocation.get(address), { status: 400, code }, address);
        assert.equal(await geolocation.find(address), undefined);
      }
    }));

  test('says nothing while the module is off', async () => {
    const { geolocation } = aPlace({ isRunning: false });
    await assert.rejects(geolocation.get('5.9.0.1'), { status: 404, code: 'secsuite_geolocation_not_found' });
    await assert.rejects(geolocation.get('10.0.0.1'), { status: 400 }, 'and a private address is one all the same');
  });
});

describe("The operator's own database", () => {
  test('comes first, and is noticed when it comes, is replaced, or goes', async () => {
    const place = aPlace();
    assert.equal(await country(place), 'DE');
    place.put(mmdb('Own', places('FR')));
    assert.equal(await country(place), 'FR');
    assert.equal(await country(place, '8.8.8.8'), 'US', 'what it does not know the other does');
    place.put(mmdb('Own', places('IT')));
    assert.deepEqual([await country(place), await country(place, '2a01:4f8::1')], ['IT', 'IT']);
    place.remove();
    assert.equal(await country(place), 'DE');
  });

  test('is taken from before until a new one is whole, and a broken one is told of once', async () => {
    const place = aPlace();
    const whole = mmdb('Own', places('FR'));
    place.put(whole);
    assert.equal(await country(place), 'FR');
    for (const broken of [whole.subarray(0, whole.length - 40), 'no database', '']) {
      place.put(broken);
      const before = place.log.lines.length;
      assert.deepEqual([await country(place), await country(place)], ['FR', 'FR']);
      assert.equal(place.log.lines.length, before + 1);
    }
    place.put(mmdb('Own', places('IT')));
    assert.equal(await country(place), 'IT');
  });

  test('may know cities, and names its makers', async () => {
    const place = aPlace();
    const city = {
      country: { iso_code: 'CH', names: { en: 'Switzerland', de: 'Schweiz' } },
      city: { names: { en: 'Bern' } },
      location: { latitude: 46.95, longitude: 7.45 },
    };
    place.put(mmdb('GeoLite2-City', { '5.9.0.0/16': city }));
    assert.deepEqual(await place.geolocation.get('5.9.0.1'), {
      lat: 46.95,
      long: 7.45,
      label: 'Bern, Switzerland',
      country: 'Switzerland',
      country_code: 'CH',
      credit: 'This product includes GeoLite2 data created by MaxMind, available from https://www.maxmind.com.',
    });
  });

  test('is believed no more than it can be', async () => {
    const place = aPlace();
    const odd = {
      country: { iso_code: 'XYZ', names: { en: '<b>Far</b> land' } },
      location: { latitude: 91.5, longitude: -0.5 },
    };
    place.put(mmdb('Own', { '5.9.0.0/16': odd, '8.8.8.0/24': { country_code: 'ZZ' }, '9.9.9.0/24': 'text' }));
    const { lat, long, country: name, country_code, credit } = await place.geolocation.get('5.9.0.1');
    assert.deepEqual([lat, long, name, country_code, credit], [0, 0, 'Far land', '', '']);
    assert.deepEqual([await country(place, '8.8.8.8'), await country(place, '9.9.9.9')], ['US', 'US']);
  });

  test('that is another part of the same makers is read like any', async () => {
    const place = aPlace();
    const from = new URL(
      import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country-ipv4.mmdb'),
    );
    const copy = join(folder, 'ipv4.mmdb');
    copyFileSync(from, copy);
    place.put((await import('node:fs')).readFileSync(copy));
    assert.equal(await country(place), 'DE');
  });
});

describe('A service that the operator named', () => {
  const aService = async (answer: RequestListener): Promise<AskedRemote> => {
    const remote = await aRemote(answer);
    after(() => remote.close());
    return remote;
  };
  const saying = (said: unknown) =>
    aService((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said)),
    );

  test('is asked before the database that comes along, and after the own one', async () => {
    const remote = await saying({ country_code: 'at', city: 'Wien', latitude: 48.2, lon: 16.4, credit: '<i>Ours</i>' });
    const place = aPlace({ remote });
    const { label, lat, credit } = await place.geolocation.get('2a01:4f8::1');
    assert.deepEqual([label, lat, credit], ['Wien, Austria', 47.3, 'Ours'], 'half a spot is none');
    assert.equal(remote.asked[0]?.url, '/2a01%3A4f8%3A%3A1?v=1');
    place.put(mmdb('Own', places('FR')));
    assert.equal(await country(place), 'FR');
    assert.equal(remote.asked.length, 1);
  });

  test('is asked once in two weeks for the same address', async () => {
    const remote = await saying({ country_code: 'AT' });
    const place = aPlace({ remote, url: `http://${(await remote).host}/of/` });
    for (const [passing, asked] of [
      [0, 1],
      [14 * day - 1, 1],
      [1, 2],
      [0, 2],
    ] as const) {
      place.pass(passing);
      assert.equal(await country(place), 'AT');
      assert.equal(remote.asked.length, asked);
    }
    assert.equal(remote.asked[0]?.url, '/of/5.9.0.1');
  });

  test('that fails is asked again, and meanwhile the database answers', async () => {
    const answers: readonly RequestListener[] = [
      (_, response) => response.writeHead(500).end(),
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
      (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ];
    let at = 0;
    const remote = await aService((request, response) => answers[at++]?.(request, response));
    const place = aPlace({ remote });
    for (const _ of answers) assert.equal(await country(place), 'DE');
    assert.equal(at, answers.length);
  });

  test('is asked once by all who want to know the same at once', async () => {
    const remote = await saying({ country_code: 'AT' });
    const place = aPlace({ remote });
    const found = await Promise.all(Array.from({ length: 20 }, () => country(place)));
    assert.deepEqual([new Set(found), remote.asked.length], [new Set(['AT']), 1]);
  });

  test('is left alone for a minute when it does not answer, or asks for it', async () => {
    const answers: readonly RequestListener[] = [
      (request) => request.socket.destroy(),
      (_, response) => response.writeHead(429).end(),
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"country_code":"AT"}'),
    ];
    const remote = await aService((request, response) => answers[remote.asked.length - 1]?.(request, response));
    const place = aPlace({ remote });
    for (const expected of ['DE', 'DE', 'AT']) {
      assert.equal(await country(place), expected);
      const { length } = remote.asked;
      place.pass(minute - 1);
      assert.deepEqual([await country(place), remote.asked.length], [expected, length]);
      place.pass(1);
    }
  });

  test('is never asked for what is inside the house, nor while the module is off', async () => {
    const remote = await saying({ country_code: 'AT' });
    for (const address of ['10.0.0.1', '203.0.113.5'])
      assert.equal(await country(aPlace({ remote }), address), undefined);
    assert.equal(await country(aPlace({ remote, isRunning: false })), undefined);
    assert.equal(remote.asked.length, 0);
  });
});

test('Every country has a middle on the map', () => {
  const called = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  assert.equal(centred.size, 250);
  for (const code of centred) {
    const { lat, long } = centreOf(code);
    assert.ok(called.of(code) !== undefined && Math.abs(lat) <= 90 && Math.abs(long) <= 180, code);
  }
  assert.deepEqual(centreOf('constructor'), { lat: 0, long: 0 });
});

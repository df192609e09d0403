import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { hello } from '../../../../../examples/hello/extension.ts';
import { bundledAddresses } from '../../disk/addresses.ts';
import { createDatabase, createGeolocation, type Geolocation } from './geolocation.ts';
import { geolocationRoutes } from './part.ts';

describe('Places of addresses over the interface', () => {
  const part: Entry<{ geolocation: Geolocation }> = (tools) => ({
    name: 'part-of-the-suite',
    nouns: ({ clock, log }) => ({
      geolocation: createGeolocation({
        clock,
        isRunning: () => true,
        provider: undefined,
        own: { find: async () => undefined },
        bundled: createDatabase(bundledAddresses(), log),
      }),
    }),
    routes: { 'secsuite/v1': geolocationRoutes(tools, 'manage_options') },
  });
  const path = '/api/secsuite/v1/geolocate';
  const engine = testEngine('sqlite');

  test('the place of an address is told to whoever manages the suite', async () => {
    const site = await aSite(engine, { extensions: [hello, part] });
    const { get } = site.as('administrator');
    const { status, body } = await get(`${path}/5.9.0.1`);
    assert.deepEqual([status, Object.keys(body)], [200, ['lat', 'long', 'label', 'country', 'country_code', 'credit']]);
    assert.equal((await get(`${path}/2a01:4f8::1`)).body.country_code, 'DE');
    for (const [address, wanted, code] of [
      ['10.0.0.1', 400, 'secsuite_geolocate_private_ip'],
      ['192.0.2.1', 404, 'secsuite_geolocation_not_found'],
      ['here', 400, 'rest_invalid_param'],
      ['5.9.0.*', 400, 'rest_invalid_param'],
    ] as const) {
      const refused = await get(`${path}/${address}`);
      assert.deepEqual([refused.status, refused.body.code], [wanted, code], address);
    }
    assert.deepEqual(
      [(await site.get(`${path}/5.9.0.1`)).status, (await site.as('editor').get(`${path}/5.9.0.1`)).status],
      [401, 403],
    );
  });
});

// A manager downloads the database that the operator has chosen.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { eachEngine } from '#test/databases.ts';
import { mmdb } from '#test/mmdb.ts';
import { aRemote } from '#test/remote.ts';
import { aSite } from '#test/site.ts';

const rpc = '/api/secsuite/rpc/geolocation';

eachEngine('geolocation:', (engine) => {
  test('the database is downloaded with the key of a manager, and refused if it is none', async () => {
    const known = mmdb('Own', { '5.9.0.0/24': { country_code: 'FR' } });
    const answers: Record<string, Buffer> = { right: gzipSync(known), wrong: Buffer.from('no database') };
    const remote = await aRemote(({ url }, response) => {
      const body = answers[new URL(url!, 'http://x').searchParams.get('key') ?? ''];
      response.writeHead(body ? 200 : 401, { 'Content-Type': 'application/octet-stream' }).end(body);
    });
    engine.atEnd(() => remote.close());
    const open = async (env: Record<string, string>) => {
      const site = await aSite(engine, { deployment: 'a', env });
      const admin = site.as('administrator');
      await admin.put('/api/secsuite/v1/modules/geolocation', { status: { selected: 'active' } });
      return { site, admin };
    };
    const { site, admin } = await open({
      GATEHOUSE_PLACES_DATABASE_URL: `${remote.url}/db?key={api_key}`,
      GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host,
    });
    const check = async () => (await admin.get(`${rpc}/db-check`)).body;
    const { path, available } = await check();
    assert.equal(available, false);
    for (const key of ['unknown', 'wrong', 'a/b?c']) {
      const failed = await admin.post(`${rpc}/db-download`, { api_key: key });
      assert.deepEqual([failed.status, failed.body.code], [502, 'secsuite_geolocation_download_failed'], key);
    }
    assert.equal((await check()).available, false);
    assert.deepEqual((await admin.post(`${rpc}/db-download`, { api_key: 'right' })).body, { path });
    assert.deepEqual([(await check()).available, readFileSync(path).equals(known)], [true, true]);
    assert.equal((await admin.get('/api/secsuite/v1/geolocate/5.9.0.1')).body.country_code, 'FR');
    assert.equal((await admin.post(`${rpc}/db-download`, {})).body.code, 'rest_missing_callback_param');
    assert.equal((await site.as('editor').post(`${rpc}/db-download`, { api_key: 'x' })).status, 403);
    const other = await open({});
    const none = await other.admin.post(`${rpc}/db-download`, { api_key: 'x' });
    assert.deepEqual([none.status, none.body.code], [400, 'secsuite_geolocation_no_database']);
  });
});

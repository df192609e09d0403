// An extension is tried in a process of its own before it is turned on; `trial.full.test.ts` has everything a trial withstands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { callGatehouse, type Ended, gatehouse } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';
import { aShop, ringing } from '#test/shop.ts';

const engine = testEngine('sqlite');

test('an extension that joins a site is turned on, and one that fails stays off and says why', async () => {
  const shop = aShop(engine);
  const { where, env } = await aMadePlace(engine);
  const trusting = { ...env, GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const run = (...args: string[]): Promise<Ended> => gatehouse([...args, ...where], trusting);
  const tried = (...args: string[]): Promise<Ended> =>
    callGatehouse([...args, ...where], { env: trusting, tries: true }).ended;
  shop.offer();
  assert.equal((await run('extension', 'install', 'bell')).code, 0);
  assert.equal((await tried('extension', 'activate', 'bell')).out, 'Bell is on.\n');
  shop.offer({ manifest: { version: '1.3.0' }, entry: `throw new Error('No /etc/bell/tune.txt');${ringing()}` });
  const failed = await tried('extension', 'update', 'bell');
  assert.equal(failed.code, 1);
  assert.match(failed.err, /No tune\.txt/);
  assert.match((await run('extension', 'list')).out, /^bell .* 1\.2\.0 +on /m);
});

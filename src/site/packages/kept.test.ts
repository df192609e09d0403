// Where packages lie: among the files of the site, where nobody but the site finds them.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { anObjectStore } from '#test/s3.ts';
import { aSitePlace } from '#test/serving.ts';
import { aShop, type Shop } from '#test/shop.ts';
import { aSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';

const trusting = ({ catalogue, key }: Shop) => ({
  GATEHOUSE_CATALOGUE: catalogue.path,
  GATEHOUSE_CATALOGUE_KEY: key,
});

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

eachEngine('A package', (engine) => {
  test('is no file for visitors, is not among the media, and no upload comes near it', async () => {
    const shop = aShop(engine);
    const { sha256 } = shop.offer();
    const site = await aSite(engine, { env: trusting(shop) });
    const { files, extensions } = site.app.services;
    await extensions.install('bell', {});
    const path = `.extensions/bell/${sha256}.zip`;
    assert.equal((await files.find(path))?.path, path);
    const uploads = `/${site.config.uploadsPath}`;
    for (const address of [path, path.replace('.', '%2E'), path.replaceAll('/', '%2F'), `2026/../${path}`])
      assert.equal((await site.request('GET', `${uploads}/${address}`)).status, 404, address);
    assert.deepEqual((await site.as('administrator').get('/api/core/v2/media')).body, []);
    for (const name of [path, `../${path}`, '.extensions', `..\\${path}`])
      await send(site, 'administrator', `${name}.txt`, 'x');
    const there = await Array.fromAsync(files.list('.extensions/'), (entry) => entry.path);
    assert.deepEqual(there, [path]);
  });

  test('lies in an object store as it does in a folder', async () => {
    const shop = aShop(engine);
    const { sha256 } = shop.offer();
    const store = await anObjectStore();
    engine.atEnd(() => store.close());
    const site = await aSite(engine, {
      env: {
        ...trusting(shop),
        GATEHOUSE_MEDIA: `s3://${store.media.bucket}/site?endpoint=${store.media.endpoint}`,
        AWS_ACCESS_KEY_ID: store.keys.id,
        AWS_SECRET_ACCESS_KEY: store.keys.secret,
      },
    });
    const { extensions } = site.app.services;
    store.trouble({ answers: 403, code: 'AccessDenied' }, 1, (asked) => asked.startsWith('PUT'));
    await assert.rejects(extensions.install('bell', {}), { status: 500, code: 'filesystem_error' });
    assert.equal(store.files.size, 0);
    await extensions.install('bell', {});
    assert.deepEqual([...store.files.keys()], [`site/.extensions/bell/${sha256}.zip`]);
    rmSync(join(site.config.data, 'extensions'), { recursive: true });
    await extensions.activate('bell', {});
    assert.deepEqual((await site.get('/api/bell/v1/ring')).body, { ring: 'ding' });
    await extensions.deactivate('bell', {});
    await extensions.remove('bell', {});
    assert.equal(store.files.size, 0);
  });

  test('is in a backup, and in the site that is made of it', async () => {
    const shop = aShop(engine);
    shop.offer();
    const [one, other] = [await aSitePlace(engine), await aSitePlace(engine)];
    const run = (...args: string[]) => gatehouse(args, { ...one.env, ...trusting(shop) });
    const archive = join(one.data, 'site.ghb');
    fine(await run('migrate', ...one.where));
    fine(await run('extension', 'install', 'bell', ...one.where));
    fine(await run('backup', archive, ...one.where));
    fine(await run('restore', archive, '--yes', ...other.where));
    assert.equal(fine(await run('extension', 'activate', 'bell', ...other.where)), 'Bell is on.\n');
  });
});

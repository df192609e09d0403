// How an extension is installed, step by step, and what is left when a step fails: nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { denied } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { hour, minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aDesk, bundledCard, nothing } from '#test/extension-desk.ts';
import { aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import type { Ware } from '#test/shop.ts';
import { createExtensions } from './create.ts';

const other = 'f'.repeat(64);
const refused = (status: number, code: string) => ({ status, code });

eachEngine('Installing an extension', (engine) => {
  test('fetches what the catalogue has, keeps it for every process, and leaves it off', async () => {
    const { extensions, shop, kept, events } = await aDesk(engine);
    const { sha256 } = shop.offer();
    const card = await extensions.install('bell', { by: 7 });
    const about = { slug: 'bell', name: 'Bell', description: 'Rings.', version: '1.2.0', namespaces: ['bell/v1'] };
    assert.deepEqual(card, { ...about, bundled: false, installed: true, active: false });
    assert.deepEqual(await kept(), {
      rows: 1,
      installs: 0,
      packages: [`.extensions/bell/${sha256}.zip`],
      copies: [`bell-${sha256.slice(0, 16)}`],
    });
    assert.deepEqual(events, [{ slug: 'bell', change: 'installed', by: 7 }]);
    const { installed, switched } = await extensions.wanted();
    assert.equal(switched.size, 0);
    assert.deepEqual(
      installed.map(({ slug, active, files }) => [slug, active, files.map(({ path }) => path)]),
      [['bell', false, ['extension.json', 'extension.ts']]],
    );
  });

  test('is done once: what is here already is left as it is', async () => {
    const { extensions, shop, events } = await aDesk(engine, { bundled: [bundledCard('hall')] });
    shop.offer();
    await extensions.install('bell', {});
    shop.offer({ manifest: { version: '2.0.0' } });
    assert.equal((await extensions.install('bell', {})).version, '1.2.0');
    assert.equal((await extensions.install('hall', {})).version, '0.4.0');
    assert.equal(events.length, 1);
  });

  test('knows nothing but what is free in a catalogue of the right signature', async () => {
    const { extensions, shop, kept } = await aDesk(engine, {
      bundled: [bundledCard('core', { always: true }), bundledCard('later', { here: false })],
    });
    const unknown = refused(404, 'plugin_not_found');
    shop.offer({ manifest: { slug: 'gong' }, listed: { type: 'pro' } });
    shop.offer({ manifest: { slug: 'core' } });
    for (const slug of ['nope', 'gong', 'core', 'later']) await assert.rejects(extensions.install(slug, {}), unknown);
    shop.offer();
    const path = shop.catalogue.path;
    writeFileSync(path, readFileSync(path, 'utf8').replace('"Rings."', '"Rinks."'));
    await assert.rejects(extensions.install('bell', {}), unknown);
    assert.deepEqual(await kept(), nothing);
    assert.equal(await extensions.isOffered('bell'), false);
  });

  test('is not done where the operator does not allow it', async () => {
    const { extensions, shop, kept } = await aDesk(engine, { operator: { fileMods: false } });
    shop.offer();
    await assert.rejects(extensions.install('nope', {}), refused(404, 'plugin_not_found'));
    await assert.rejects(extensions.install('bell', {}), refused(403, 'file_mods_disabled'));
    assert.deepEqual(await kept(), nothing);
  });

  const swollen = { name: 'zeros', content: Buffer.alloc(5_000_000) };
  const link = { name: 'a', content: '/etc', listed: { attributes: (0o120777 << 16) >>> 0 } };
  const bad: readonly (readonly [what: string, ware: Ware, status: number, code: string])[] = [
    ['of another size', { listed: { size: 5 } }, 502, 'download_failed'],
    ['that is longer than it should be', { listed: { size: 50 * 2 ** 20 } }, 502, 'download_failed'],
    ['that is not there', { listed: { download_url: 'gone.zip' } }, 502, 'download_failed'],
    ['of another hash', { listed: { sha256: other } }, 422, 'integrity_failed'],
    ['of another signature', { listed: { signature: `${'A'.repeat(86)}==` } }, 422, 'integrity_failed'],
    ['with a path that leads out', { files: [{ name: '../../evil.ts', content: 'x' }] }, 422, 'invalid_package'],
    ['with a link', { files: [link] }, 422, 'invalid_package'],
    ['that swells', { files: [swollen] }, 422, 'invalid_package'],
    ['of another name', { listed: { slug: 'gong' } }, 422, 'invalid_package'],
    ['of another version', { listed: { version: '9.9.9' } }, 422, 'invalid_package'],
    ['with a manifest of nonsense', { manifest: { entry: '../x.ts' } }, 422, 'invalid_package'],
    ['with a namespace of the site', { manifest: { namespaces: ['hall/v1'] } }, 422, 'invalid_package'],
    ['for a later program', { manifest: { requires: { gatehouse: '>=9.0.0' } } }, 409, 'requirements_not_met'],
    ['for another extension', { manifest: { requires: { tower: '>=1.0.0' } } }, 409, 'requirements_not_met'],
  ];
  const desk = engine.shared(() => aDesk(engine, { bundled: [bundledCard('hall')] }));
  test('a bad package is refused and written down, and nothing of it is left', () =>
    checkRows(bad, async ([, ware, status, code]) => {
      const { extensions, shop, kept, events, log } = await desk();
      const { slug } = shop.offer(ware);
      await assert.rejects(extensions.install(slug, { by: 7 }), refused(status, code));
      if (status !== 409) assert.deepEqual(log.lines.at(-1)?.details, { extension: slug, by: 7, code });
      assert.deepEqual(await kept(), nothing);
      assert.deepEqual(events, []);
      shop.withdraw(slug);
    }));

  test('a package may require what is here', async () => {
    const { extensions, shop } = await aDesk(engine, { bundled: [bundledCard('hall')] });
    shop.offer({ manifest: { requires: { gatehouse: '>=0.4.0 <1.0.0', hall: '>=0.4.0' } } });
    assert.equal((await extensions.install('bell', {})).installed, true);
  });

  test('two packages do not share a namespace', async () => {
    const { extensions, shop } = await aDesk(engine);
    shop.offer();
    shop.offer({ manifest: { slug: 'gong' } });
    await extensions.install('bell', {});
    await assert.rejects(extensions.install('gong', {}), refused(422, 'invalid_package'));
  });

  test('who may not do it any more when it comes to that has done nothing', async () => {
    const { extensions, shop, kept } = await aDesk(engine);
    shop.offer();
    const again = async () => {
      throw denied('rest_forbidden', 'Not any more.');
    };
    await assert.rejects(extensions.install('bell', { again }), { code: 'rest_forbidden' });
    assert.deepEqual(await kept(), nothing);
  });
});

eachEngine('Fetching an extension', (engine) => {
  test('is done from where the catalogue is', async () => {
    const remote = await aRemote((request, response) => {
      const name = request.url!.slice('/shop/'.length);
      response.setHeader('content-type', name.endsWith('.json') ? 'application/json' : 'application/zip');
      response.end(readFileSync(join(shop.folder, name)));
    });
    engine.atEnd(() => remote.close());
    const catalogue = { kind: 'url', url: `${remote.url}/shop/catalogue.json` } as const;
    const { extensions, shop } = await aDesk(engine, { operator: { catalogue }, allowHosts: [remote.host] });
    shop.offer();
    assert.equal((await extensions.install('bell', {})).installed, true);
  });

  const answers: readonly (readonly [what: string, status: number, body: string])[] = [
    ['does not have it', 404, ''],
    ['sends more than it should', 200, 'x'.repeat(100_000)],
    ['sends less than it should', 200, 'x'],
  ];
  test('fails with the answer of the other side', () =>
    checkRows(answers, async ([, status, body]) => {
      const remote = await aRemote((request, response) => {
        response.setHeader('content-type', 'application/json');
        if (request.url === '/catalogue.json') return response.end(readFileSync(shop.catalogue.path));
        return response.writeHead(status).end(body);
      });
      engine.atEnd(() => remote.close());
      const catalogue = { kind: 'url', url: `${remote.url}/catalogue.json` } as const;
      const { extensions, shop, kept } = await aDesk(engine, { operator: { catalogue }, allowHosts: [remote.host] });
      shop.offer();
      await assert.rejects(extensions.install('bell', {}), refused(502, 'download_failed'));
      assert.deepEqual(await kept(), nothing);
    }));

  test('does not reach into the network that the site stands in', async () => {
    const { extensions, shop, kept } = await aDesk(engine);
    shop.offer({ listed: { download_url: 'https://169.254.169.254/bell.zip' } });
    await assert.rejects(extensions.install('bell', {}), refused(400, 'unsafe_url'));
    assert.deepEqual(await kept(), nothing);
  });
});

eachEngine('Of installs', (engine) => {
  test('one of each extension goes on at a time', async () => {
    const held = Promise.withResolvers<void>();
    const remote = await aRemote((request, response) => {
      response.setHeader('content-type', 'application/json');
      const send = () => response.end(readFileSync(join(shop.folder, request.url!)));
      if (request.url === '/bell.zip') held.promise.then(send);
      else send();
    });
    engine.atEnd(() => remote.close());
    const catalogue = { kind: 'url', url: `${remote.url}/catalogue.json` } as const;
    const { extensions, shop, kept, needs } = await aDesk(engine, {
      operator: { catalogue },
      allowHosts: [remote.host],
    });
    shop.offer();
    shop.offer({ manifest: { slug: 'gong', namespaces: ['gong/v1'] } });
    const first = extensions.install('bell', {});
    await extensions.install('gong', {});
    const another = createExtensions(needs);
    await assert.rejects(another.install('bell', {}), refused(409, 'install_in_progress'));
    held.resolve();
    await first;
    assert.equal((await another.install('bell', {})).installed, true);
    const { rows, installs } = await kept();
    assert.deepEqual([rows, installs], [2, 0]);
  });

  test('one whose process died is over at once on this machine, and soon on any other', async () => {
    const { extensions, shop, store, pass, needs } = await aDesk(engine);
    const leave = (holder: string) => {
      const [since, until] = [0, 4 * minute].map((ahead) => new Date(needs.clock().getTime() + ahead).toISOString());
      const lease = { name: 'extension:bell', token: 'x', holder, detail: '', since: since!, until: until! };
      return store.write((tx) => tx.insertInto('leases').values(lease).execute());
    };
    shop.offer();
    await leave('process 7 on another machine');
    await assert.rejects(extensions.install('bell', {}), refused(409, 'install_in_progress'));
    pass(5 * minute);
    await extensions.install('bell', {});
    await extensions.remove('bell', {});
    pass(-5 * minute);
    await leave(`process ${spawnSync(process.execPath, ['--version']).pid} on ${hostname()}`);
    assert.equal((await extensions.install('bell', {})).installed, true);
  });

  test('one that was overtaken while it slept keeps nothing, and takes nothing of the other', async () => {
    const { store, files, needs, shop, kept } = await aDesk(engine);
    const { sha256 } = shop.offer();
    const adopt: typeof files.adopt = async (path, place) => {
      const adopted = await files.adopt(path, place);
      await store.write((tx) => tx.updateTable('leases').set({ token: 'of another' }).execute());
      return adopted;
    };
    const slow = createExtensions({ ...needs, files: { ...files, adopt } });
    await assert.rejects(slow.install('bell', {}), refused(409, 'install_in_progress'));
    const { rows, packages } = await kept();
    assert.deepEqual([rows, packages], [0, [`.extensions/bell/${sha256}.zip`]]);
  });

  test('what one left that died is swept with the next, once it is old', async () => {
    const { extensions, shop, data, kept, pass, files } = await aDesk(engine);
    await files.put(`.extensions/gong/${other}.zip`, Buffer.from('x'));
    const left = ['.new-1', 'gong-ffffffffffffffff'].map((name) => join(data, 'extensions', name));
    for (const folder of left) mkdirSync(folder, { recursive: true });
    const { sha256 } = shop.offer();
    await extensions.install('bell', {});
    assert.equal((await kept()).packages.length, 2);
    await extensions.remove('bell', {});
    pass(2 * hour);
    await extensions.install('bell', {});
    const { packages, copies } = await kept();
    assert.deepEqual([packages, copies], [[`.extensions/bell/${sha256}.zip`], [`bell-${sha256.slice(0, 16)}`]]);
  });
});

eachEngine('Where there is no room for extensions', (engine) => {
  test('none is installed, and the site says so', async () => {
    const { extensions, shop, data, kept } = await aDesk(engine);
    shop.offer();
    // What nobody can write into, whoever runs the test.
    writeFileSync(join(data, 'extensions'), 'a file in its place');
    await assert.rejects(extensions.install('bell', {}), refused(500, 'filesystem_error'));
    rmSync(join(data, 'extensions'));
    assert.deepEqual(await kept(), nothing);
  });

  test('nor where the files of the site cannot be written', async () => {
    const { files: real } = await aDesk(engine);
    const files = {
      ...real,
      adopt: () => Promise.reject(new Unavailable('Files cannot be written at the moment: the disk is read-only.')),
    };
    const { extensions, shop, kept } = await aDesk(engine, { files });
    shop.offer();
    await assert.rejects(extensions.install('bell', {}), refused(500, 'filesystem_error'));
    assert.deepEqual(await kept(), nothing);
  });
});

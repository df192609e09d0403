// An extension from a package is tried in a process of its own before it is turned on, and has a limited time to load.
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import {
  activate,
  another,
  ding,
  install,
  isListed,
  plugins,
  rings,
  trusting,
  whereItFails,
} from '#test/package-site.ts';
import { aShop, ringing } from '#test/shop.ts';
import { aSite } from '#test/site.ts';

eachEngine('What cannot run', (engine) => {
  const nothing = [
    ['throws', `throw new Error('No luck today.');`, 'No luck today.'],
    ['ends the process', 'process.exit(0);', 'It ended the process of the trial start.'],
    ['throws a little later', `${ringing()} setTimeout(() => { throw new Error('Now.'); }, 20);`, 'Now.'],
    ['reads what is not its own', `import { readFileSync } from 'node:fs'; readFileSync('/etc/hostname');`, ''],
    ['serves what it does not tell of', ringing().replace("'bell/v1'", "'core/v2'"), ''],
  ] as const;

  describe('is switched on nowhere, and the site goes on', () => {
    // It is tried on an embedded database, whatever the site has.
    for (const [what, entry, why] of engine.name === 'sqlite' ? nothing : nothing.slice(0, 1))
      test(`what ${what}`, async () => {
        const shop = aShop(engine);
        const site = await aSite(engine, trusting(shop, { tries: true }));
        shop.offer({ entry });
        assert.equal((await install(site)).status, 200);
        const { status, body } = await activate(site);
        assert.deepEqual([status, body.success, body.code], [500, false, 'activation_failed']);
        assert.ok(body.message.includes(why), body.message);
        assert.ok(!body.message.includes(site.config.data));
        assert.equal(await isListed(site), false);
        assert.equal((await site.app.services.extensions.find('bell'))?.active, false);
        assert.equal((await site.get('/api/')).status, 200);
      });
  });

  test('while what can is switched on after it was tried', async () => {
    const shop = aShop(engine);
    const site = await aSite(engine, trusting(shop, { tries: true }));
    shop.offer();
    await install(site);
    assert.equal((await activate(site)).status, 200);
    assert.equal(await rings(site), ding);
    await site.app.services.extensions.deactivate('embeds', {});
    assert.equal((await activate(site, 'embeds')).status, 200);
  });
});

eachEngine('Beside one that cannot be used here', (engine) => {
  test('another is switched on all the same, and the site starts', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop, { tries: true }));
    shop.offer({ manifest: { slug: 'cracked', namespaces: ['cracked/v1'] } });
    await install(one, 'cracked');
    assert.equal((await activate(one, 'cracked')).status, 200);
    const copies = join(one.config.data, 'extensions');
    const copy = readdirSync(copies).find((name) => name.startsWith('cracked-'))!;
    appendFileSync(join(copies, copy, 'extension.ts'), '// changed');
    const other = await another(engine, one, shop);
    shop.offer();
    const administrator = await one.credentials('administrator');
    for (const step of ['install_plugin', 'activate_plugin']) {
      const { status, text } = await other.post(`${plugins}/${step}`, { plugin_slug: 'bell' }, administrator);
      assert.equal(status, 200, text);
    }
    assert.equal(await rings(other), ding);
    assert.equal((await other.get('/api/cracked/v1/ring')).status, 404);
    other.log.lines.length = 0;
  });
});

eachEngine('A package that takes too long to be loaded', (engine) => {
  test('is left out where the site starts, and can be switched off', async () => {
    const shop = aShop(engine);
    const one = await aSite(engine, trusting(shop));
    shop.offer({ entry: `if (globalThis.tooLate) await new Promise(() => {});${ringing()}` });
    await install(one);
    await activate(one);
    await whereItFails(
      engine,
      one,
      shop,
      async (other) => {
        assert.equal(await isListed(other), false);
        await other.app.services.extensions.deactivate('bell', {});
      },
      { patience: { loads: 500 } },
    );
  });
});

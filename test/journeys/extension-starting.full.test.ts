// A process starts while extensions are switched at another one, or while one of them does not load.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aShop, ringing } from '#test/shop.ts';
import { aSite, noon, type SiteOptions } from '#test/site.ts';
import { soon } from '#test/soon.ts';

eachEngine('A process that starts', (engine) => {
  /** Another process has it switched on, and has loaded nothing of it: what it does at its start is done by the next that starts. */
  const aScene = async (atItsStart: string) => {
    const shop = aShop(engine);
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
    const [told, asked] = [join(folder, 'told'), join(folder, 'asked')];
    for (const path of [told, asked]) writeFileSync(path, '');
    shop.offer({
      entry: `import { appendFileSync, readFileSync } from 'node:fs';
        appendFileSync('${told}', 'begun ');
        const isAsked = () => readFileSync('${asked}', 'utf8') !== '';
        ${atItsStart}${ringing()}`,
    });
    const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
    const one = await aSite(engine, { env, withoutPackages: true });
    const { extensions } = one.app.services;
    await extensions.install('bell', {});
    await extensions.activate('bell', {});
    const { data, media, database } = one.config;
    const another = (more: SiteOptions = {}) =>
      aSite(engine, { env, config: { data, media, ...(database && { database }) }, ...more });
    return {
      extensions,
      another,
      begun: () => readFileSync(told, 'utf8').split(' ').length - 1,
      ask: () => writeFileSync(asked, 'yes'),
    };
  };

  test('has not what was switched off while it started', async () => {
    const { extensions, another, begun, ask } = await aScene(
      'while (!isAsked()) await new Promise((resolve) => setTimeout(resolve, 5));',
    );
    const starting = another();
    await soon(async () => begun(), 1);
    await extensions.deactivate('bell', {});
    ask();
    const other = await starting;
    assert.equal((await other.get('/api/bell/v1/ring')).status, 404);
  });

  test('tries what does not load once, until that was off meanwhile or a minute has passed', async () => {
    const { another, begun, ask } = await aScene('if (!isAsked()) await new Promise(() => {});');
    let now = noon.getTime();
    const other = await another({ patience: { loads: 100 }, clock: () => new Date(now) });
    const { extensions } = other.app.services;
    const switching = async (slug: string) => {
      await extensions.deactivate(slug, {});
      await extensions.activate(slug, {});
    };
    await switching('embeds');
    assert.equal(begun(), 1);
    now += minute;
    await switching('embeds');
    assert.equal(begun(), 2);
    ask();
    await switching('embeds');
    assert.equal((await other.get('/api/bell/v1/ring')).status, 404);
    await switching('bell');
    assert.deepEqual([(await other.get('/api/bell/v1/ring')).status, begun()], [200, 3]);
    other.log.lines.length = 0;
  });
});

// An extension that cannot be used where the site runs, though its trial went well: the site goes on, and what is mended works.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aShop, ringing, type Shop, type Ware } from '#test/shop.ts';
import { aSite, type SiteOptions, type TestSite } from '#test/site.ts';

interface Scene {
  readonly site: TestSite;
  readonly shop: Shop;
  /** The status, and what was said. */
  switchOn(slug?: string): Promise<[status: number, code: string | undefined]>;
  rings(slug?: string): Promise<number>;
}

async function aScene(engine: TestEngine, options: SiteOptions = {}): Promise<Scene> {
  const shop = aShop(engine);
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const site = await aSite(engine, { ...options, env });
  return {
    site,
    shop,
    async switchOn(slug = 'bell') {
      const { extensions } = site.app.services;
      await extensions.install(slug, {});
      try {
        await extensions.activate(slug, {});
        return [200, undefined];
      } catch (error) {
        return [(error as { status: number }).status, (error as { code: string }).code];
      }
    },
    rings: async (slug = 'bell') => (await site.get(`/api/${slug}/v1/ring`)).status,
  };
}

/** Word that is outside of the package. */
function aWord(engine: TestEngine, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  engine.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'word');
  const say = (said: string): void => writeFileSync(path, said);
  say(text);
  return { path, say };
}

const named = (slug: string, entry: string): Ware => ({ manifest: { slug, namespaces: [`${slug}/v1`] }, entry });

/** Its nouns, or whatever else this says of it. */
const ringingWith = (more: string, slug = 'bell'): string =>
  ringing(slug).replace('nouns: () => ({}),', more.includes('nouns') ? more : `nouns: () => ({}), ${more}`);

const failed = [500, 'activation_failed'];
const fine = [200, undefined];

eachEngine('A package that fails where the site runs', (engine) => {
  for (const [what, wrap] of [
    ['its entry', (text: string): Ware => ({ entry: `${text}${ringing()}` })],
    [
      'a module of it',
      (text: string): Ware => ({
        entry: `import './tune.ts';${ringing()}`,
        files: [{ name: 'tune.ts', content: text }],
      }),
    ],
  ] as const)
    test(`works once the cause is mended, without a restart: ${what}`, async () => {
      const { site, shop, switchOn, rings } = await aScene(engine);
      const word = aWord(engine, 'no');
      const text = `import { readFileSync } from 'node:fs';
        if (readFileSync('${word.path}', 'utf8') !== 'yes') throw new Error('Not yet.');`;
      shop.offer(wrap(text));
      assert.deepEqual(await switchOn(), failed);
      assert.deepEqual(await switchOn(), failed);
      word.say('yes');
      assert.deepEqual(await switchOn(), fine);
      assert.equal(await rings(), 200);
      site.log.lines.length = 0;
    });

  test('works once what it waited for in vain is there', async () => {
    const { site, shop, switchOn, rings } = await aScene(engine, { patience: { loads: 200 } });
    const word = aWord(engine, 'no');
    shop.offer({
      entry: `import { readFileSync } from 'node:fs';
        if (readFileSync('${word.path}', 'utf8') !== 'yes') await new Promise(() => {});${ringing()}`,
    });
    assert.deepEqual(await switchOn(), failed);
    word.say('yes');
    assert.deepEqual(await switchOn(), fine);
    assert.equal(await rings(), 200);
    site.log.lines.length = 0;
  });

  test('is off again, is told once, and the site answers', async () => {
    const { site, shop, switchOn, rings } = await aScene(engine);
    for (const more of [
      `nouns: () => { throw new Error('No tower.'); },`,
      `settings: [{ name: 'site', fields: {} }],`,
      `jobs: { kinds: [{ name: 'mail.deliver', about: 'Rings', run() {} }] },`,
      `render: () => { throw new Error('No sound.'); },`,
      `needs: ['tower'],`,
    ]) {
      shop.withdraw('bell');
      shop.offer({ entry: ringingWith(more) });
      assert.deepEqual(await switchOn(), failed, more);
      assert.equal(await rings(), 404);
      assert.equal((await site.get('/api/')).status, 200);
      assert.equal((await site.app.services.extensions.find('bell'))?.active, false);
      await site.app.services.extensions.remove('bell', {});
      const told = site.log.lines.splice(0).filter(({ message }) => message.includes('runs without it'));
      assert.equal(told.length, 1, more);
    }
    shop.offer();
    assert.deepEqual(await switchOn(), fine);
    assert.equal(await rings(), 200);
  });

  test('is ended once for each time its nouns were made, so nothing of it goes on', async () => {
    const { site, shop, switchOn } = await aScene(engine);
    const word = aWord(engine, '');
    shop.offer({
      entry: ringingWith(`nouns: () => append('made '), ends: () => append('ended '),
        render: () => { throw new Error('No sound.'); },`).replace(
        'export default',
        `import { appendFileSync } from 'node:fs';
        const append = (said) => appendFileSync('${word.path}', said);
        export default`,
      ),
    });
    assert.deepEqual(await switchOn(), failed);
    await site.app.close();
    assert.match(readFileSync(word.path, 'utf8'), /^(made ended )+$/);
    site.log.lines.length = 0;
  });

  test('has no tables made for it where it cannot be beside the others', async () => {
    const { site, shop, switchOn } = await aScene(engine);
    const tables = `tables: { migrations: [{ name: '0001-rings', up: async ({ table, column }) =>
      void (await table('bell_rings').addColumn('id', column.id).execute()) }] },`;
    const areMade = (): Promise<boolean> =>
      site.app.services.store.db
        .selectFrom('bell_rings')
        .selectAll()
        .execute()
        .then(
          () => true,
          () => false,
        );
    const whole = ringingWith(tables);
    for (const alone of [ringingWith(`needs: ['tower'], ${tables}`), whole.replace("'public'", "'ring_loudly'")]) {
      shop.offer({ entry: alone });
      assert.deepEqual([await switchOn(), await areMade()], [failed, false]);
      await site.app.services.extensions.remove('bell', {});
    }
    shop.offer({ entry: whole });
    assert.deepEqual([await switchOn(), await areMade()], [fine, true]);
    site.log.lines.length = 0;
  });

  test('takes no address from the site, nor from another extension', async () => {
    const { site, shop, switchOn } = await aScene(engine);
    const at = (paths: string[], slug: string): string =>
      ringingWith(
        `pages: () => ${JSON.stringify(paths)}.map((path) => ({ path, visit: () => ({ status: 200, type: 'text/plain', body: '${slug}' }) })),`,
        slug,
      );
    shop.offer({ entry: at(['/bells', '/tower'], 'bell') });
    shop.offer(named('thief', at(['/gold', '/bells'], 'thief')));
    shop.offer(named('front', at(['/', '/login', '/feed', '/account', '/category/news', '/2026'], 'front')));
    assert.deepEqual([await switchOn(), await switchOn('thief'), await switchOn('front')], [fine, fine, fine]);
    const shown = async (path: string): Promise<string> => (await site.get(path)).text;
    assert.equal(await shown('/tower'), 'bell');
    assert.equal(await shown('/bells'), 'bell');
    assert.notEqual(await shown('/gold'), 'thief', 'all its pages, or none');
    for (const path of ['/', '/login', '/feed', '/account', '/category/news', '/2026'])
      assert.notEqual(await shown(path), 'front', path);
    const told = site.log.lines.splice(0).filter(({ message }) => message.includes('failed to list its pages'));
    assert.ok(told.length >= 2);
  });

  test('takes nobody with it that can be without it; whoever needs it has the nouns of its next version', async () => {
    const { site, shop, switchOn } = await aScene(engine);
    const tower = (height: number): string =>
      ringingWith(`provides: ['tower'], nouns: () => ({ tower: { height: ${height} } }),`, 'tower');
    const asking = ringingWith(`needs: ['tower'], nouns: ({ needed }) => needed,`).replace(
      `handle: () => ({ ring: 'ding' })`,
      'handle: ({ use }) => use.tower',
    );
    shop.offer(named('tower', tower(20)));
    shop.offer({ entry: asking });
    assert.deepEqual([await switchOn('tower'), await switchOn()], [fine, fine]);
    const height = async () => (await site.get('/api/bell/v1/ring')).body.height;
    assert.equal(await height(), 20);
    const { extensions } = site.app.services;
    shop.offer({ manifest: { slug: 'tower', namespaces: ['tower/v1'], version: '1.3.0' }, entry: tower(30) });
    await extensions.update('tower', {});
    assert.equal(await height(), 30);
    await extensions.deactivate('tower', {});
    assert.equal(await height(), undefined, 'it goes with what it needs');
    assert.equal((await site.get('/api/')).status, 200);
    await extensions.activate('tower', {});
    assert.equal(await height(), 30);
    site.log.lines.length = 0;
  });
});

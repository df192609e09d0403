// Tables of extensions from packages begin with the slug. A slug can be the beginning of another, or of what the program calls its
// own tables: what somebody else made stays theirs, and the extension stays off, or as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { aShop } from '#test/shop.ts';
import { aSite } from '#test/site.ts';

/** Each migration is the text of a function's body, with `db`, `table` and `column`. */
const keeping = (slug: string, migrations: readonly string[], more = ''): string => `
export default ({ sql }) => ({
  name: '${slug}',
  nouns: () => ({}),
  tables: {
    ${more}
    migrations: [${migrations.map((body, at) => `{ name: '000${at + 1}-x', up: async ({ db, table, column }) => { ${body} } }`).join()}],
  },
});`;
const made = (name: string): string =>
  `await table('${name}').addColumn('id', column.integer, (c) => c.primaryKey()).execute();`;

async function scene(engine: TestEngine) {
  const shop = aShop(engine);
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const site = await aSite(engine, { env });
  const { extensions, store } = site.app.services;
  let sold = 0;
  const offer = (slug: string, entry: string) => {
    sold += 1;
    shop.offer({ manifest: { slug, name: slug, version: `1.${sold}.0`, namespaces: [] }, entry });
  };
  return {
    store,
    log: site.log,
    update: async (slug: string, entry: string) => {
      offer(slug, entry);
      return extensions.update(slug, {});
    },
    /** Installed, and switched on. */
    begin: async (slug: string, entry: string) => {
      offer(slug, entry);
      await extensions.install(slug, {});
      await extensions.activate(slug, {});
    },
    isOn: async (slug: string) => (await extensions.find(slug))?.active,
    version: async (slug: string) => (await extensions.find(slug))?.version,
  };
}

const refused = { status: 500, code: 'activation_failed' };

onBothStores('A package', (engine) => {
  test('takes no tables for its own that the program has', async () => {
    const { begin, isOn, store, log } = await scene(engine);
    for (const slug of ['term', 'user', 'extension', 'comment']) {
      await assert.rejects(begin(slug, keeping(slug, [made(`${slug}_own`)])), refused, slug);
      assert.equal(await isOn(slug), false);
    }
    assert.ok(Array.isArray(await store.db.selectFrom('term_meta').selectAll().execute()));
    await begin('migrations', keeping('migrations', [made('migrations_own')]));
    assert.equal(await isOn('migrations'), true);
    log.lines.length = 0;
  });

  test('takes none of another whose slug begins as its own, whichever came first', async () => {
    const { begin, isOn, log } = await scene(engine);
    await begin('bird-watch', keeping('bird-watch', [made('bird_watch_lines')]));
    await assert.rejects(begin('bird', keeping('bird', [made('bird_nests')])), refused);
    await begin('bell', keeping('bell', [made('bell_tower_ropes')]));
    await assert.rejects(begin('bell-tower', keeping('bell-tower', [made('bell_tower_lines')])), refused);
    assert.deepEqual(
      [await isOn('bird-watch'), await isOn('bird'), await isOn('bell'), await isOn('bell-tower')],
      [true, false, true, false],
    );
    log.lines.length = 0;
  });

  test('comes to no table of another by an update either', async () => {
    const { begin, update, version, store, log } = await scene(engine);
    const first = made('bird_nests');
    await begin('bird', keeping('bird', [first]));
    const before = await version('bird');
    await begin('bird-watch', keeping('bird-watch', [made('bird_watch_lines')]));
    for (const second of [
      "await db.schema.dropTable('bird_watch_lines').execute();",
      "await db.schema.alterTable('bird_watch_lines').addColumn('x', 'integer').execute();",
      made('bird_watch_more'),
      "await table('bird_eggs').addColumn('line', 'integer', (c) => c.references('bird_watch_lines.id')).execute();",
      "await db.schema.dropTable('users').execute();",
      "await db.schema.alterTable('bird_nests').renameTo('posts_more').execute();",
      "await db.schema.alterTable('bird_nests').renameTo('bird_watch_more').execute();",
      "await db.schema.createIndex('bird_index').on('users').column('login').execute();",
      "await db.updateTable('users').set({ login: 'bird' }).execute();",
      "await db.deleteFrom('bird_watch_lines').execute();",
      'await sql`create temp table users (id integer)`.execute(db);',
      ...(engine.name === 'sqlite'
        ? [
            'await sql`drop table [bird_watch_lines]`.execute(db);',
            'await sql`drop table/**/bird_watch_lines`.execute(db);',
          ]
        : [
            'await sql`drop table bird_nests, bird_watch_lines`.execute(db);',
            'await sql`create unlogged table bird_eggs (id integer)`.execute(db);',
          ]),
    ]) {
      await assert.rejects(update('bird', keeping('bird', [first, second])), refused, second);
      assert.equal(await version('bird'), before);
    }
    assert.deepEqual(await store.db.selectFrom('bird_watch_lines').selectAll().execute(), []);
    await update('bird', keeping('bird', [first, made('bird_eggs')]));
    assert.deepEqual(await store.db.selectFrom('bird_eggs').selectAll().execute(), []);
    log.lines.length = 0;
  });

  test('says nothing of tables that are not its own', async () => {
    const { begin, isOn, log } = await scene(engine);
    for (const more of ["quiet: ['posts'],", 'derived: { users: async () => {} },']) {
      await assert.rejects(begin('bell', keeping('bell', [made('bell_rings')], more)), refused);
      assert.equal(await isOn('bell'), false);
    }
    log.lines.length = 0;
  });
});

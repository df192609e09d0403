// From one machine to several: a site on SQLite is backed up while people write, grows up on PostgreSQL, and comes back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { t } from '#kernel/schema.ts';
import type { AnyEntry } from '#site/extension.ts';
import { openLocalFiles } from '#site/files/local/local.ts';
import { everybody, usersTopic } from '#site/identity/users/rows.ts';
import { confidential } from '#site/platform/settings/group.ts';
import { totalOf } from '#site/platform/totals.ts';
import { prepareRestore } from '#site/transfer/backup/restore.ts';
import type { Shape } from '#store/engine.ts';
import { allMigrations } from '#store/migrate.ts';
import { plannedTables } from '#store/planned.ts';
import type { AnyStore } from '#store/store.ts';
import { archiveOf, archivesIn } from '#test/archives.ts';
import { keptLog, type Place, type TestEngine, testEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { hello } from '../../examples/hello/extension.ts';
import { tableOwners } from '../../src/boot/tables.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';

const secret = 'a secret that only this test knows of';
const shop = { name: 'shop', fields: { password: confidential(t.string({ default: '' })) } };
const shopping: AnyEntry = () => ({ name: 'shopping', always: true, settings: [shop], nouns: () => ({}), routes: {} });
const extensions: readonly AnyEntry[] = [...bundled, hello, shopping];
const owners = tableOwners(extensions);

const tables = (): Promise<Shape[]> => plannedTables(owners, allMigrations(owners));
const sample = { integer: 1, real: 0.5, text: '1', bytes: Buffer.from([0, 1, 255]) } as const;

/** No table without a row, also those that are yet to come. */
async function fillEmpty(store: AnyStore): Promise<void> {
  for (const { name, columns } of await tables()) {
    const [row] = await store.db.selectFrom(name).selectAll().limit(1).execute();
    const values = Object.fromEntries(columns.map((column) => [column.name, sample[column.kind]]));
    if (row === undefined) await store.write((tx) => tx.insertInto(name).values(values).execute());
  }
  // The entry of the log is counted, as every restore counts it again.
  await store.write((tx) => tx.updateTable('daily_counts').set({ name: 'secsuite-log 1' }).execute());
  // A loan of rights that has not ended: the end of one refuses the next request of its user.
  await store.write((tx) => tx.updateTable('secsuite_lent_roles').set({ until: 8e15 }).execute());
}

/** Every row of every table, in an order that is the same on both engines. */
async function everyRow(store: AnyStore): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name, columns } of await tables()) {
    if (name === 'changes' || name === 'leases') continue;
    const rows = await store.db.selectFrom(name).selectAll().execute();
    const cells = rows.map((row) => columns.map((column) => comparable(row[column.name])));
    all[name] = cells.map((row) => JSON.stringify(row)).sort();
  }
  return all;
}

const comparable = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;

/** A site with something of everything, and what lets in and what is secret in it. */
async function aRichSite(engine: TestEngine) {
  const site = await aSite(engine, { extensions });
  const { services } = site.app;
  await site.credentials('editor');
  const basic = await site.credentials('administrator');
  assert.equal((await site.post('/api/hello/v1/greetings', { text: 'kept' }, basic)).status, 201);
  await services.settings.change(services.siteGroup, { title: 'A site that grows' }, 0);
  await services.settings.change(shop, { password: 'sesame of the shop' }, 0);
  await services.identity.sessions.start(await site.user({ login: 'ada', roles: ['author'] }), true, {
    address: '192.0.2.1',
    agent: 'test',
  });
  await services.files.put('2026/11/photo.jpg', Buffer.alloc(3_000_000, 'photo'));
  await services.files.put('2026/11/empty.txt', Buffer.alloc(0));
  await fillEmpty(services.store);
  return { site, services, basic };
}

/** Adds users until told to stop; each is a row and a total in one write. */
function writingMeanwhile({ user }: TestSite): () => Promise<number> {
  let going = true;
  let made = 0;
  const work = (async () => {
    for (; going; made++) await user({ login: `meanwhile-${made}`, roles: ['subscriber'] });
  })();
  return async () => {
    going = false;
    await work;
    return made;
  };
}

describe('A site that grows from SQLite to PostgreSQL', () => {
  const [small, large] = [testEngine('sqlite'), testEngine('postgres')];
  const archives = archivesIn(small);

  async function restored(bytes: Buffer, place: Place): Promise<void> {
    const { carryOut, standing } = await prepareRestore({
      archive: await archives.open(bytes),
      store: { ...place, tables: owners, log: keptLog() },
      files: async () => openLocalFiles(`${place.data}/media`, new Date()),
      secret,
      secretRemedy: '',
      isInUse: async () => false,
    });
    assert.deepEqual(standing, { database: false, files: false });
    await carryOut();
  }

  test('is backed up while people write, and what is in the archive is of one moment', async () => {
    const { site, services } = await aRichSite(small);
    const stop = writingMeanwhile(site);
    const { bytes } = await archiveOf(site.config, owners, services.files);
    assert.ok((await stop()) > 0);
    const place = await large.place();
    await restored(bytes, place);
    const store = await large.store(owners, place);
    const { count } = await store.db
      .selectFrom('users')
      .select((of) => of.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(await totalOf(store.db, usersTopic, everybody), count);
  });

  test('has every row and file there and back again; old passwords let in, and what was sealed opens', async () => {
    const { site, services, basic } = await aRichSite(small);
    const { bytes, notes } = await archiveOf(site.config, owners, services.files);
    assert.deepEqual(notes, []);
    const before = await everyRow(services.store);
    for (const [table, rows] of Object.entries(before)) assert.ok(rows.length > 0, `${table} has no row`);

    const grown = await large.place();
    await restored(bytes, grown);
    const store = await large.store(owners, grown);
    assert.deepEqual(await everyRow(store), before);

    const back = await small.place();
    await restored(
      (await archiveOf(grown, owners, await openLocalFiles(`${grown.data}/media`, new Date()))).bytes,
      back,
    );
    assert.deepEqual(await everyRow(await small.store(owners, back)), before);

    const config = { ...grown, media: { kind: 'folder', path: `${grown.data}/media` } } as const;
    const grownUp = await aSite(large, { extensions, config });
    const me = await grownUp.get('/api/core/v2/users/me?context=edit', basic);
    assert.deepEqual([me.status, me.body.username], [200, 'administrator']);
    assert.equal((await grownUp.get('/api/core/v2/users?search=dit', basic)).headers.get('x-wp-total'), '1');
    assert.equal((await grownUp.app.services.settings.read(shop)).password, 'sesame of the shop');
    const photo = await grownUp.app.services.files.open('2026/11/photo.jpg');
    assert.deepEqual(Buffer.concat(await photo!.stream.toArray()), Buffer.alloc(3_000_000, 'photo'));
    assert.equal((await grownUp.post('/api/hello/v1/greetings', { text: 'new' }, basic)).status, 201);
  });

  test('gives nothing away in its archive: no secret, no key, nothing that was sealed', async () => {
    const { site, services } = await aRichSite(small);
    const { bytes } = await archiveOf(site.config, owners);
    const text = JSON.stringify(await everyRow(services.store)); // rows are compressed in the archive, and no other than these
    const secrets = [
      secret,
      'sesame of the shop',
      ...Object.values(services.keys).flatMap((key) =>
        ['hex', 'base64', 'base64url', 'latin1'].map((as) => key.toString(as as BufferEncoding)),
      ),
    ];
    for (const one of secrets) {
      assert.ok(!text.includes(one));
      assert.ok(!bytes.includes(Buffer.from(one, 'latin1')));
    }
    assert.ok(!site.log.lines.some((line) => secrets.some((one) => JSON.stringify(line).includes(one))));
  });
});

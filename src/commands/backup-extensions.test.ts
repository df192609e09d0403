// What an installed extension keeps goes where the site goes: through backup and restore, from one store to the other and back.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openStore } from '#store/store.ts';
import { eachEngine, keptLog, type Place, type TestEngine, testEngine } from '#test/databases.ts';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { tableOwners } from '../boot/tables.ts';

const packed = join(import.meta.dirname, '../../examples/packed/guest-book');
const at = ({ data, database }: Place): string[] => ['--data', data, ...(database ? ['--database', database] : [])];

let folder: string;
let env: Record<string, string>;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  const [zip = '', catalogue = '', key = ''] = ['book.zip', 'catalogue.json', 'key'].map((name) => join(folder, name));
  await fine(['extension', 'pack', packed, '--out', zip]);
  const { out } = await fine(['extension', 'sign', zip, '--key', key, '--catalogue', catalogue]);
  env = { GATEHOUSE_SECRET: 'a secret that only this test knows of', GATEHOUSE_CATALOGUE: catalogue };
  env.GATEHOUSE_CATALOGUE_KEY = out.trim();
});
after(() => rmSync(folder, { recursive: true }));

async function fine(args: string[]): Promise<Ended> {
  const ended = await gatehouse(args, env);
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

/** A site whose guest book has been written into. */
async function aSource(engine: TestEngine): Promise<Place> {
  const place = await engine.place(tableOwners());
  for (const step of ['install', 'activate']) await fine(['extension', step, 'guest-book', ...at(place)]);
  await sign(place, ['Ada', 'Bob']);
  return place;
}

const line = (name: string) => ({ name, words: `${name} was here`, said_at: '2026-11-20T12:00:00.000Z' });

async function inStore<R>(place: Place, work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<R>) {
  const store = await openStore({ ...place, tables: tableOwners(), log: keptLog() });
  return work(store).finally(() => store.close());
}

const sign = (place: Place, names: string[]) =>
  inStore(place, (store) => store.write((tx) => tx.insertInto('guest_book_lines').values(names.map(line)).execute()));

const signed = (place: Place): Promise<{ id: number; name: string }[]> =>
  inStore(place, async ({ db }) => {
    const rows = await db.selectFrom('guest_book_lines').select(['id', 'name']).orderBy('id').execute();
    return rows.map(({ id, name }) => ({ id, name }));
  });

const both = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
];

eachEngine('The tables of an installed extension', (engine) => {
  const other = testEngine(engine.name === 'sqlite' ? 'postgres' : 'sqlite');
  const archiveAt = ({ data }: Place): string => join(data, 'site.ghb');

  test('go to the other store with the site and come back, and the extension goes on with them', async () => {
    const place = await aSource(engine);
    const made = await fine(['backup', archiveAt(place), ...at(place)]);
    assert.doesNotMatch(made.err, /not in the archive/);
    const told = await fine(['verify', archiveAt(place)]);
    assert.match(told.out, /^guest_book_lines +2$/m);
    assert.match(told.out, /^with tables of the extension guest-book$/m);
    const { extensions } = JSON.parse((await fine(['verify', archiveAt(place), '--json'])).out);
    assert.deepEqual(extensions, ['guest-book']);

    const there = await other.place();
    await fine(['restore', archiveAt(place), ...at(there)]);
    assert.deepEqual(await signed(there), both);
    const listed = await fine(['extension', 'list', ...at(there)]);
    assert.match(listed.out, /^guest-book .*on/m);
    assert.doesNotMatch(listed.err, /cannot be used/);
    await sign(there, ['Cyd']);

    await fine(['backup', archiveAt(there), ...at(there)]);
    await sign(place, ['Late']);
    await fine(['restore', archiveAt(there), ...at(place), '--force', '--yes']);
    assert.deepEqual(await signed(place), [...both, { id: 3, name: 'Cyd' }]);
    const doctor = await gatehouse(['doctor', '--port', '0', ...at(place)], env);
    assert.match(doctor.out, /^ok +Stored data .*\n(?:.*\n)*ok +Migrations +the database is up to date$/m);
    assert.match((await fine(['migrate', '--dry-run', ...at(place)])).out, /up to date/);
  });

  test('are put back without files where the package lies, and nowhere else', async () => {
    const place = await aSource(engine);
    await fine(['backup', archiveAt(place), '--no-media', ...at(place)]);
    await sign(place, ['Late']);
    await fine(['restore', archiveAt(place), ...at(place), '--force', '--yes']);
    assert.deepEqual(await signed(place), both);

    const there = await engine.place();
    const refused = await gatehouse(['restore', archiveAt(place), ...at(there)], env);
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      /The archive holds tables of the extension guest-book, which cannot be created here: its package is not among the files of the site\. Add --leave-out guest-book to restore everything else\.\n$/,
    );
    const restored = await fine(['restore', archiveAt(place), ...at(there), '--leave-out', 'guest-book']);
    assert.match(restored.out, /^Left out the tables of the extension guest-book\.$/m);
    await assert.rejects(signed(there));
  });

  test('are named by the backup that cannot take them, because the extension is not there', async () => {
    const place = await aSource(engine);
    await fine(['extension', 'deactivate', 'guest-book', ...at(place)]);
    await fine(['extension', 'remove', 'guest-book', ...at(place), '--yes']);
    const { err } = await fine(['backup', archiveAt(place), ...at(place)]);
    assert.match(err, /^The tables of the extension guest-book are not in the archive: it is not installed\.$/m);
    await fine(['restore', archiveAt(place), ...at(place), '--force', '--yes']);
    assert.deepEqual(await signed(place), both);
  });
});

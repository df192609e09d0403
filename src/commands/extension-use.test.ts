// The extensions of a site, from the command line.
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Card } from '#site/packages/packages.ts';
import { makeKeys } from '#site/packages/signature.ts';
import { eachEngine, testEngine } from '#test/databases.ts';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';
import { aShop } from '#test/shop.ts';

const engine = testEngine('sqlite');

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

/** A bell with one table for each of these migrations. */
const keeping = (names: readonly string[]): string => `
export default () => ({
  name: 'bell',
  nouns: () => ({}),
  tables: {
    migrations: ${JSON.stringify(names)}.map((name) => ({
      name,
      up: async ({ table, column }) =>
        void (await table('bell_' + name.slice(5)).addColumn('id', column.integer, (c) => c.primaryKey()).execute()),
    })),
  },
});
`;

test('gatehouse extension list goes on without a catalogue that cannot be had, and says so', async () => {
  const { where, env } = await aMadePlace(engine);
  // Nobody is asked: the address is none that a site may ask.
  const away = {
    ...env,
    GATEHOUSE_CATALOGUE: 'https://127.0.0.1:1/list.json',
    GATEHOUSE_CATALOGUE_KEY: makeKeys().publicKey,
  };
  const listed = await gatehouse(['extension', 'list', '--json', ...where], away);
  assert.ok(JSON.parse(fine(listed)).every(({ newer }: { newer: unknown }) => newer === null));
  assert.match(listed.err, /^The catalogue of extensions cannot be used\. .*$/m);
});

/** What is told of one that is on, while a file of it is another. */
async function cracked(where: readonly string[], env: Record<string, string>, catalogue: string): Promise<void> {
  const run = (...args: string[]) => gatehouse([...args, ...where], { ...env, GATEHOUSE_CATALOGUE: catalogue });
  const copies = join(where[1]!, 'extensions');
  const file = join(copies, readdirSync(copies)[0]!, 'extension.ts');
  const before = readFileSync(file);
  appendFileSync(file, '// changed');
  const found = await run('doctor', '--port', '0');
  assert.deepEqual(
    [found.code, /WRONG +Installed extensions +on, but not usable here: bell\n/.test(found.out)],
    [1, true],
  );
  const listed = await run('extension', 'list');
  assert.match(fine(listed), /^bell .* on, not usable here /m);
  assert.match(listed.err, /Delete extensions\/bell-[0-9a-f]{16} in the data folder/);
  assert.equal((await run('extension', 'activate', 'bell')).code, 1);
  writeFileSync(file, before);
}

test('gatehouse extension says where no catalogue is set', async () => {
  const { run } = await aMadePlace(engine);
  for (const asked of [
    ['install', 'bell'],
    ['list', '--available'],
  ])
    assert.match(
      (await run('extension', ...asked)).err,
      /^This site has no catalogue of extensions.*GATEHOUSE_CATALOGUE/m,
    );
});

eachEngine('gatehouse extension', (engine) => {
  test('installs what the catalogue has, switches it on and off, updates it, and removes it', async () => {
    const shop = aShop(engine);
    const { where, env } = await aMadePlace(engine);
    const trusting = { ...env, GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
    const run = (...args: string[]) => gatehouse([...args, ...where], trusting);
    const state = async () => {
      const [, ...lines] = fine(await run('extension', 'list')).split('\n');
      return lines.find((line) => line.startsWith('bell '))?.replace(/ {2,}/g, ' | ');
    };
    shop.offer();
    const installed = await run('extension', 'install', 'bell');
    assert.equal(fine(installed), 'Bell 1.2.0 is installed.\n');
    assert.match(installed.err, /gatehouse extension activate bell/);
    assert.equal(fine(await run('extension', 'activate', 'bell')), 'Bell is on.\n');
    assert.equal(await state(), 'bell | Bell | 1.2.0 | on | a package');
    const offers = await run('extension', 'list', '--available');
    assert.match(fine(offers), /^bell +Bell +1\.2\.0 +1\.2\.0 +Rings\.$/m);
    await cracked(where, trusting, shop.catalogue.path);
    shop.offer({ manifest: { version: '1.3.0' } });
    const there = await run('extension', 'install', 'bell');
    assert.equal(fine(there), 'Bell 1.2.0 is installed already.\n');
    assert.match(there.err, /1\.3\.0 is in the catalogue: gatehouse extension update bell/);
    assert.match((await run('extension', 'list')).err, /bell 1\.3\.0 is in the catalogue/);
    assert.equal(await state(), 'bell | Bell | 1.2.0 | on | a package | 1.3.0');
    const cards = JSON.parse(fine(await run('extension', 'list', '--json', '--refresh')));
    assert.deepEqual(
      cards
        .filter(({ slug }: Card) => slug === 'bell' || slug === 'embeds')
        .map(({ newer }: { newer: unknown }) => newer),
      ['1.3.0', null],
    );
    assert.equal(fine(await run('extension', 'update', 'bell')), 'Updated Bell to version 1.3.0; it was 1.2.0.\n');
    assert.equal(await state(), 'bell | Bell | 1.3.0 | on | a package');
    const still = await run('extension', 'remove', 'bell', '--yes');
    assert.deepEqual([still.code, still.err], [1, 'The extension bell is on. Turn it off first.\n']);
    assert.equal(fine(await run('extension', 'deactivate', 'bell')), 'Bell is off.\n');
    assert.equal(fine(await run('extension', 'remove', 'bell', '--yes')), 'bell is removed.\n');
    const gone = await run('extension', 'activate', 'bell');
    assert.deepEqual([gone.code, gone.err], [1, 'Bell is not installed yet. Install it first.\n']);
  });

  test('says of one whose tables are newer than it knows which version is wanted', async () => {
    const shop = aShop(engine);
    const { where, env } = await aMadePlace(engine);
    const trusting = { ...env, GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
    const run = (...args: string[]) => gatehouse([...args, ...where], trusting);
    const offer = (version: string, ...names: string[]) =>
      shop.offer({ manifest: { version, namespaces: [] }, entry: keeping(names) });
    offer('1.0.0', '0001-rings');
    fine(await run('extension', 'install', 'bell'));
    fine(await run('extension', 'activate', 'bell'));
    offer('1.1.0', '0001-rings', '0002-ropes');
    fine(await run('extension', 'update', 'bell'));
    offer('1.0.0', '0001-rings');
    const older = await run('extension', 'update', 'bell');
    assert.deepEqual([older.code, /the older version 1\.0\.0/.test(older.err)], [1, true], older.err);
    for (const command of [['deactivate'], ['remove', '--yes'], ['install']] as const)
      fine(await run('extension', command[0], 'bell', ...command.slice(1)));
    const { code, err } = await run('extension', 'activate', 'bell');
    assert.equal(code, 1);
    assert.match(
      err,
      /tables of the extension bell are from a newer version \(they have 0002-ropes\); install that version or a later one\./,
    );
  });
});

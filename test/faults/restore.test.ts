// A restore that is killed or runs out of room leaves nothing half-done, and the next one succeeds.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLocalFiles, openLocalFiles } from '#site/files/local/local.ts';
import { openKeys } from '#site/platform/keys.ts';
import { holdsRows } from '#store/snapshot.ts';
import { archiveOf } from '#test/archives.ts';
import { fill } from '#test/crowd.ts';
import { eachEngine, keptLog, type Place, type TestEngine, testEngine } from '#test/databases.ts';
import { gatehouse, startGatehouse } from '#test/gatehouse.ts';
import { needsRoot } from '#test/needs.ts';
import { seededRandom } from '#test/seeded-random.ts';
import { onSmallDisk } from '#test/small-disk.ts';
import { tableOwners } from '../../src/boot/tables.ts';

const random = seededRandom();

// Fewer while one works on it; the suite runs all.
const ROUNDS = Number(process.env.GATEHOUSE_FAULT_ROUNDS ?? 5);
const people = 2000;
const photos = 200;
const photo = Buffer.alloc(50_000, 'photo');
const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
const at = ({ data, database }: Place): string[] => ['--data', data, ...(database ? ['--database', database] : [])];

/** An archive on disk of a site with people and photos. */
async function anArchive(engine: TestEngine): Promise<{ path: string; place: Place }> {
  const place = await engine.place();
  const store = await engine.store(tableOwners(), place);
  await openKeys(store, env.GATEHOUSE_SECRET, () => new Date());
  await fill(store, people);
  const files = await openLocalFiles(join(place.data, 'media'), new Date());
  for (let n = 0; n < photos; n++) await files.put(`2026/${n % 12}/${n}.jpg`, photo);
  const path = join(place.data, 'site.ghb');
  writeFileSync(path, (await archiveOf(place, tableOwners(), files)).bytes);
  return { path, place };
}

async function filesIn({ data }: Place): Promise<number> {
  if (!existsSync(join(data, 'media'))) return 0;
  let count = 0;
  for await (const { size } of createLocalFiles(join(data, 'media')).list())
    count += size === photo.length ? 1 : Number.NaN;
  return count;
}

eachEngine(`A restore that is killed ${ROUNDS} times, each time later`, (engine) => {
  const source = testEngine('sqlite');

  test('leaves a database with nothing or with everything, no torn file, and succeeds when it is run again', async () => {
    const { path } = await anArchive(source);
    const store = (place: Place) => ({ ...place, tables: tableOwners(), log: keptLog() });
    const started = performance.now();
    assert.equal((await gatehouse(['restore', path, ...at(await engine.place())], env)).code, 0);
    const whole = performance.now() - started;
    for (let round = 0; round < ROUNDS; round++) {
      const place = await engine.place();
      const restore = startGatehouse(['restore', path, ...at(place)], env);
      await pause((whole * (round + 1 + random())) / (ROUNDS + 2));
      restore.child.kill('SIGKILL');
      await restore.ended;
      const isThere = await holdsRows(store(place));
      assert.ok((await filesIn(place)) <= (isThere ? photos : 0)); // no file before its row
      const opened = await gatehouse(['user', 'list', '--json', ...at(place)], env);
      if (opened.code === 0)
        assert.equal(await filesIn(place), photos); // half a site opens for nobody
      else
        assert.match(
          opened.err,
          isThere
            ? /^A restore into .* run the same restore again /
            : /^(?:There is no site in|This database holds no site) /,
        );
      const force = isThere ? ['--force', '--yes'] : [];
      const { code, err } = await gatehouse(['restore', path, ...at(place), ...force], env);
      assert.equal(code, 0, err);
      assert.equal(await filesIn(place), photos);
      const { out } = await gatehouse(['user', 'list', '--json', ...at(place)], env);
      assert.equal(JSON.parse(out).length, people);
    }
  });
});

describe('A disk that is full', () => {
  const engine = testEngine('sqlite');

  needsRoot('ends a restore with one sentence, and what it had put is gone', async () => {
    const { path } = await anArchive(engine);
    await onSmallDisk(async (data) => {
      const { code, err } = await gatehouse(['restore', path, '--data', data], env);
      assert.equal(code, 1);
      assert.match(err, /^(?:Restoring[^\n]*\n)*The disk [^\n]*is full[^\n]*\n$/);
      assert.equal(await filesIn({ data }), 0);
      assert.equal(await holdsRows({ data, tables: tableOwners(), log: keptLog() }), false);
    });
  });

  needsRoot('ends a backup with one sentence, and leaves no part of it', async () => {
    const { place } = await anArchive(engine);
    await onSmallDisk(async (folder) => {
      const { code, err } = await gatehouse(['backup', join(folder, 'site.ghb'), ...at(place)], env);
      assert.equal(code, 1);
      assert.match(err, /site\.ghb cannot be used: the disk is full\.\n$/);
      assert.deepEqual(readdirSync(folder), []);
    });
  });
});

// The database that the last release left: this program brings it up to date and goes on where that one stopped.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { releases } from '#site/tables.ts';
import { allMigrations } from '#store/migrate.ts';
import { testEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { assertUpgraded, copyDatabase, releasedVersions } from '#test/upgrades.ts';
import { tableOwners } from '../src/boot/tables.ts';
import { databases, type Known } from './fixtures/make.ts';

function migrationsIn(data: string): ReadonlySet<string> {
  const file = new DatabaseSync(join(data, 'gatehouse.db'), { readOnly: true });
  const rows = file.prepare('select owner, name from migrations').all();
  file.close();
  return new Set(rows.map(({ owner, name }) => `${owner}/${name}`));
}

async function refusalOf(command: string, data: string, { secret }: Known): Promise<string> {
  const more = command === 'backup' ? [join(data, 'a.tar')] : ['--port', '0'];
  const { code, out, err } = await gatehouse([command, ...more, '--data', data], { GATEHOUSE_SECRET: secret });
  assert.notEqual(code, 0, command);
  return out + err;
}

describe('A database of the last release', () => {
  const engine = testEngine('sqlite');
  const last = releasedVersions.at(-1)!;

  test('is brought up to date', async () => {
    const { data } = await engine.place();
    await assertUpgraded(copyDatabase(databases, last, data), data);
  });

  test('that a newer version has changed is refused', async () => {
    const { data } = await engine.place();
    const known = copyDatabase(databases, last, data);
    const file = new DatabaseSync(join(data, 'gatehouse.db'));
    file.exec("insert into migrations values ('release', '999.0.0', '2099-01-01T00:00:00.000Z')");
    file.close();
    for (const command of ['serve', 'doctor', 'backup'])
      assert.match(
        await refusalOf(command, data, known),
        /written by a newer version \(it has release\/999\.0\.0\)/,
        command,
      );
  });

  test('lacks nothing that no later release is named for', async () => {
    const { data } = await engine.place();
    copyDatabase(databases, last, data);
    const known = migrationsIn(data);
    const lacking = allMigrations(tableOwners()).filter(({ owner, name }) => !known.has(`${owner}/${name}`));
    if (lacking.length > 0)
      assert.ok(
        lacking.some(({ owner }) => owner === releases.owner),
        JSON.stringify(lacking),
      );
  });
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { asked, eachEngine, type Place } from '#test/databases.ts';
import { aMadePlace } from '#test/serving.ts';

async function statement({ data, database }: Place, text: string): Promise<Record<string, unknown>[]> {
  if (database) return asked(database, text);
  const file = new DatabaseSync(join(data, 'gatehouse.db'));
  try {
    return file.prepare(text).all();
  } finally {
    file.close();
  }
}

eachEngine('A command that works on a site', (engine) => {
  test('does not migrate an older database, which another process may serve', async () => {
    const { run, data, where } = await aMadePlace(engine);
    const database = where[where.indexOf('--database') + 1];
    const place = where.includes('--database') && database ? { data, database } : { data };
    const applied = () => statement(place, 'select count(*) as n from migrations');
    await statement(place, "delete from migrations where owner = 'settings'");
    const before = await applied();
    for (const command of [
      ['jobs', 'list'],
      ['user', 'list'],
      ['settings', 'set', 'site', 'title', 'New'],
    ]) {
      const { code, out, err } = await run(...command);
      assert.deepEqual([code, out], [1, ''], command.join(' '));
      assert.match(err, /^The database needs a migration; start the site, or run "gatehouse migrate" [^\n]*\n$/);
    }
    assert.deepEqual(await applied(), before);
  });

  test('is given what the site is served with, by flags too', async () => {
    const { run, data } = await aMadePlace(engine);
    const shown = await run(
      'settings',
      'show',
      'site',
      'url',
      '--url',
      'https://hillside.example',
      '--body-limit',
      '1m',
    );
    assert.deepEqual([shown.code, shown.out], [0, 'https://hillside.example\n'], shown.err);
    const file = join(data, 'hillside.json');
    const roles = { administrator: { label: 'Administrator', capabilities: ['read'] } };
    writeFileSync(file, JSON.stringify({ namespaces: ['core/v2'], roles, settings: { title: 'Hillside' } }));
    const title = await run('settings', 'show', 'site', 'title', '--deployment', file);
    assert.deepEqual([title.code, title.out], [0, 'Hillside\n'], title.err);
  });
});

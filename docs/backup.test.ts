// Commands that backup.md shows make a backup, and try it.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { gatehouse, start } from '#test/gatehouse.ts';
import { blocks, written } from './handbook.ts';

const root = join(import.meta.dirname, '..');
const page = written('backup.md');

describe('the backups of the page', () => {
  const engine = testEngine('sqlite');

  test('are made every night with the settings of the site', () => {
    const lines = page.split('\n').filter((line) => /^0 3 \* \* \* /.test(line));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^0 3 \* \* \* root {2}\/usr\/local\/sbin\/gatehouse backup \S+/);
  });

  test('can be tried as it says, beside the site', async () => {
    const { data } = await engine.place();
    const archive = join(data, 'site.ghb');
    const aside = join(data, 'try');
    const ada = ['user', 'create', 'ada', '--email', 'ada@example.org', '--generate'];
    for (const args of [['migrate'], ada, ['backup', archive]])
      assert.equal((await gatehouse([...args, '--data', data])).code, 0, args.join(' '));
    const [block = ''] = blocks('sh', page).filter((one) => one.includes('/tmp/try'));
    const line = block
      .replace(/^sudo -u site /, '')
      .replace('/var/lib/gatehouse/secret', join(data, 'secret'))
      .replace('/srv/gatehouse/bin/gatehouse', `"${process.execPath}" "${join(root, 'src/main.ts')}"`)
      .replace(/\/backup\/\S+\.ghb/, archive)
      .replace('/tmp/try', aside);
    const { code, out, err } = await start('sh', ['-c', line]).ended;
    assert.equal(code, 0, err);
    assert.match(out, /^Restored /);
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';

eachEngine('The command export wxr', (engine) => {
  test('writes a file that has its name once it is whole, and replaces none', async () => {
    const { data, run } = await aMadePlace(engine);
    const file = join(data, 'site.xml');
    const made = await run('export', 'wxr', file);
    assert.deepEqual([made.code, made.out], [0, ''], made.err);
    assert.match(made.err, /\/site\.xml holds 0 records\.\n$/);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^<\?xml [\s\S]*<\/rss>\n$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);

    writeFileSync(file, 'mine');
    const again = await run('export', 'wxr', file);
    assert.deepEqual([again.code, readFileSync(file, 'utf8')], [1, 'mine']);
    assert.match(again.err, /exists already; add --force to replace it/);
    assert.equal((await run('export', 'wxr', file, '--force')).code, 0);
    assert.match(readFileSync(file, 'utf8'), /<\/rss>\n$/);
    assert.deepEqual(
      readdirSync(data).filter((name) => name.endsWith('.part')),
      [],
    );
    const printed = await run('export', 'wxr', '-', '--content', 'post');
    assert.equal(printed.code, 0, printed.err);
    assert.match(printed.out, /^<\?xml [\s\S]*<\/rss>\n$/);
  });

  test('says what it does not know, and leaves nothing then', async () => {
    const { data, run } = await aMadePlace(engine);
    const file = join(data, 'site.xml');
    for (const [flag, value, code, said] of [
      [
        '--content',
        'nothing',
        2,
        /The content type nothing does not exist; choose all or one of post, page, attachment, /,
      ],
      ['--status', 'auto-draft', 2, /The status auto-draft does not exist; choose one of publish, /],
      ['--start', '2026-13', 2, /2026-13 is not a month; write it as 2026-11\./],
      ['--author', 'ada', 1, /User ada does not exist\./],
      ['--category', 'river', 1, /Category river does not exist\./],
    ] as const) {
      const refused = await run('export', 'wxr', file, flag, value);
      assert.equal(refused.code, code, refused.err);
      assert.match(refused.err, said);
    }
    mkdirSync(file);
    assert.match((await run('export', 'wxr', file)).err, /site\.xml is a folder; name a file in it\./);
    const nowhere = await gatehouse(['export', 'wxr', join(data, 'a.xml'), '--data', join(data, 'nowhere')]);
    assert.deepEqual([nowhere.code, existsSync(join(data, 'a.xml'))], [1, false]);
  });
});

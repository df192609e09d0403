// The configuration of the suite, exported into a file and imported from it by commands.
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { callGatehouse } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';
import { readRuleFeed } from '../software/rule-feed.ts';

eachEngine('The configuration as a file', (engine) => {
  test('is exported from a site and imported on another; what is refused changes nothing', async () => {
    const [first, second] = [await aMadePlace(engine), await aMadePlace(engine)];
    const folder = first.data;
    const file = join(folder, 'export.json');
    const exported = await first.run('security', 'export', file);
    assert.equal(exported.code, 0, exported.err);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const document = JSON.parse(await readFile(file, 'utf8'));
    assert.equal((await first.run('security', 'export', file)).code, 1);
    document.sources.settings.global.lockout_period = 41;
    document.sources['database-bans'] = [
      { host: '192.0.2.9', created_at: '2026-11-01T00:00:00+00:00', comment: 'moved' },
      { host: 'nowhere', created_at: '2026-11-01T00:00:00+00:00', comment: '' },
    ];
    await writeFile(file, JSON.stringify(document));
    const checked = await second.run('security', 'import', file, '--check');
    assert.deepEqual([checked.code, checked.out], [0, 'The file is a valid export.\n']);
    const imported = await second.run('security', 'import', file);
    assert.deepEqual(
      [imported.code, imported.out, imported.err],
      [
        0,
        'The configuration was imported.\n',
        '1 of the bans were left out: they have no valid IP address or range.\n',
      ],
    );
    const there = JSON.parse((await second.run('security', 'export', '-')).out);
    assert.equal(there.sources.settings.global.lockout_period, 41);
    assert.deepEqual(there.sources['database-bans'], document.sources['database-bans'].slice(0, 1));

    await writeFile(file, JSON.stringify(document).slice(0, -5));
    const rows = [
      [['security', 'import', file], 1, /not an export/],
      [['security', 'import', join(folder, 'none.json')], 1, /none\.json cannot be used/],
      [['security', 'export', '-', '--only', 'nothing'], 2, /source nothing does not exist/],
    ] as const;
    for (const [line, code, says] of rows) {
      const ended = await second.run(...line);
      assert.equal(ended.code, code, ended.err);
      assert.match(ended.err, says);
    }
  });

  test('a firewall rule is tried on requests, also one that is not stored', async () => {
    const place = await aMadePlace(engine);
    const file = join(place.data, 'rule.json');
    const config = { type: 'BLOCK', rules: [{ parameter: 'get.a', match: { type: 'isset' } }] };
    await writeFile(file, JSON.stringify({ name: 'A rule', config }));
    const none = await place.run('security', 'rehearse', file);
    assert.deepEqual([none.code, none.out, none.err], [0, '', 'No request of the last 24 hours is stored.\n']);
    await writeFile(file, '{}');
    const wrong = [await place.run('security', 'rehearse', file), await place.run('security', 'rehearse', '7')];
    assert.deepEqual(
      wrong.map(({ code }) => code),
      [1, 1],
    );
    assert.match(wrong[0]!.err, /is not a firewall rule/);
    assert.match(wrong[1]!.err, /Rule 7 does not exist/);
  });

  test('firewall rules are signed for other sites, with a key that is made', async () => {
    const place = await aMadePlace(engine);
    const [list, key] = [join(place.data, 'rules.json'), join(place.data, 'rules.key')];
    const entry = { id: '1', vulnerability: 'CVE-2026-1', product_keys: [], vpatch: [] };
    await writeFile(list, JSON.stringify([entry]));
    const sign = (file: string) => callGatehouse(['security', 'sign-rules', file, '--key', key], place).ended;
    const first = await sign(list);
    assert.equal(first.code, 0, first.err);
    const [, publicKey = ''] = /The public key is (\S+)/.exec(first.err) ?? [];
    assert.deepEqual(readRuleFeed(first.out, publicKey).entries, [entry]);
    await writeFile(list, first.out);
    const again = await sign(list);
    assert.deepEqual(readRuleFeed(again.out, publicKey).entries, [entry]);
    assert.equal((await stat(key)).mode & 0o777, 0o600);
    await writeFile(list, '[{}]');
    assert.match((await sign(list)).err, /Entry 1 is not valid/);
  });
});

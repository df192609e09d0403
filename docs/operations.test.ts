// What operations.md tells an operator to copy is what works: the unit, the settings of two machines, the figures.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { isPicture, isSizable, mimeOf } from '#site/content/media/file-kinds.ts';
import { eachEngine, testEngine } from '#test/databases.ts';
import { gatehouse, start } from '#test/gatehouse.ts';
import { aSite } from '#test/site.ts';
import { readConfig } from '../src/config.ts';
import { blocks, operations } from './handbook.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

describe('the unit for systemd', () => {
  const unit = blocks('ini')[0] ?? '';
  test('gives a running request the time that the program gives it, and does not start again what is set wrongly', () => {
    assert.match(unit, /^RestartPreventExitStatus=2$/m);
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 60);
  });
});

describe('the command beside the unit', () => {
  const script = blocks('sh').find((block) => block.startsWith('#!/bin/sh')) ?? '';
  const unit = blocks('ini')[0] ?? '';
  test('is given what the unit gives the site', () => {
    const given = [...script.matchAll(/-p (\S+)/g)].map(([, property = '']) => property);
    const wanted = /^(User|WorkingDirectory|Environment|EnvironmentFile|UMask)=/;
    assert.deepEqual(
      given.toSorted(),
      unit
        .split('\n')
        .filter((line) => wanted.test(line))
        .toSorted(),
    );
    const [, program = ''] = /^ExecStart=(\S+) serve$/m.exec(unit) ?? [];
    assert.ok(script.endsWith(`  ${program} "$@"\n`), program);
  });

  test('hands on every word as it came', () => {
    const place = mkdtempSync(join(folder, 'systemd-'));
    writeFileSync(join(place, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${place}:${process.env.PATH}` };
    const words = ['settings', 'set', 'site', 'title', 'Hill  side; $(School)', ''];
    const { stdout } = spawnSync('sh', ['-c', script, 'gatehouse', ...words], { env, encoding: 'utf8' });
    assert.deepEqual(stdout.split('\n').slice(-words.length - 1, -1), words);
  });
});

describe('the backups of the document', () => {
  const engine = testEngine('sqlite');

  test('are made every night with the settings of the site', () => {
    const lines = operations.split('\n').filter((line) => /^0 3 \* \* \* /.test(line));
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
    const [block = ''] = blocks('sh').filter((one) => one.includes('/tmp/try'));
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

describe('the settings of two machines', () => {
  const machines = blocks('sh').filter((block) => block.startsWith('GATEHOUSE_HOST='));
  const [first = {}, second = {}] = machines.map((block) =>
    Object.fromEntries(
      block
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  );

  test('differ in the address of the machine alone', () => {
    assert.equal(machines.length, 2);
    const { GATEHOUSE_HOST: one, ...rest } = first;
    const { GATEHOUSE_HOST: other, ...others } = second;
    assert.notEqual(one, other);
    assert.deepEqual(rest, others);
  });

  test('are settings that are taken', () => {
    for (const env of [first, second]) {
      const { host, media, database, smtp } = readConfig({ env: { ...env, GATEHOUSE_DEPLOYMENT: 'b' } });
      assert.equal(host, env.GATEHOUSE_HOST);
      assert.equal(media.kind, 's3');
      assert.ok(database && smtp);
    }
  });
});

test('the files that the document says are taken are', () => {
  const [, table = ''] = /\n\| Taken \| With these endings \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(operations) ?? [];
  const rows = table.trim().split('\n');
  const endings = rows.map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, ending = '']) => ending));
  const kinds = endings.map((some) => some.map((ending) => mimeOf(`file.${ending}`)));
  assert.deepEqual([rows.length, kinds.flat().indexOf('application/octet-stream')], [4, -1]);
  assert.deepEqual(
    kinds.map((some) => [some.every(isSizable), some.every(isPicture), some.some(isPicture)]),
    [
      [true, true, true],
      [false, true, true],
      [false, false, false],
      [false, false, false],
    ],
  );
});

describe('the figures of the document', () => {
  const [, table = ''] = /\n\| Figure \| What \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(operations) ?? [];
  const told = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name ?? '');
  const [, alarms = ''] = /\n\| When \| Why \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(operations) ?? [];

  eachEngine('are those', (engine) => {
    test('that a site gives', async () => {
      const site = await aSite(engine);
      await site.get('/api/');
      const text = await (await fetch(`http://127.0.0.1:${site.port}/metrics`)).text();
      const given = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, figure]) => figure ?? '');
      assert.deepEqual(
        given.filter((figure) => !told.includes(figure)),
        [],
        'told nowhere',
      );
      const ofOther = engine.name === 'sqlite' ? /connections/ : /commits|size_bytes/;
      assert.deepEqual(
        told.filter((figure) => !given.includes(figure) && !ofOther.test(figure)),
        [],
        'given nowhere',
      );
    });
  });

  test('are those that the alarms ask for', () => {
    const asked = [...alarms.matchAll(/\b((?:gatehouse|nodejs|process)_\w+)/g)].map(([, name]) => name ?? '');
    assert.ok(asked.length > 5);
    for (const name of asked) assert.ok(told.includes(name), name);
  });
});

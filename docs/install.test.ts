// The unit for systemd, the command beside it and the deployment file that install.md shows work.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { bundledNamespaces } from '../src/boot/known-names.ts';
import { siteDefaults } from '../src/config/site.ts';
import { readConfig } from '../src/config.ts';
import { blocks, written } from './handbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

const page = written('install.md');
const unit = blocks('ini', page)[0] ?? '';

describe('the unit for systemd', () => {
  test('gives a running request the time that the program gives it, and does not start again what is set wrongly', () => {
    assert.match(unit, /^RestartPreventExitStatus=2$/m);
    assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) > 60);
  });
});

describe('the command beside the unit', () => {
  const script = blocks('sh', page).find((block) => block.startsWith('#!/bin/sh')) ?? '';
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

test('the deployment file is one that Gatehouse takes', () => {
  const file = join(folder, 'example.json');
  writeFileSync(file, blocks('json', page)[0] ?? '');
  const config = readConfig({ flags: { deployment: file } });
  assert.equal(config.url, 'https://hillside.example');
  assert.equal(config.deployment.settings.title, 'Hillside School');
});

test('every extension and every setting that a deployment file may hold is named', () => {
  const names = [...Object.keys(bundledNamespaces), ...Object.keys(siteDefaults)];
  assert.deepEqual(
    names.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

// The unit and the command of install.md, as systemd takes them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { needs } from '#test/needs.ts';
import { blocks, written } from './handbook.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

const page = written('install.md');
const unit = blocks('ini', page)[0] ?? '';
const script = blocks('sh', page).find((block) => block.startsWith('#!/bin/sh')) ?? '';
const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

needs(isThere('systemd-analyze'), 'systemd-analyze', 'systemd takes every line of the unit', async () => {
  const file = join(folder, 'gatehouse.service');
  writeFileSync(file, unit.replaceAll('/srv/gatehouse', root));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  const aboutIt = stderr.split('\n').filter((line) => line.includes('gatehouse'));
  assert.deepEqual([status, aboutIt], [0, []], stderr);
});

needs(isThere('systemd-run'), 'systemd-run', 'the command uses flags that systemd-run takes', async () => {
  const { stdout } = spawnSync('systemd-run', ['--help'], { encoding: 'utf8' });
  const flags = [...script.matchAll(/--[a-z]+(?:-[a-z]+)*/g)].map(([flag]) => flag);
  assert.ok(flags.length > 0);
  assert.deepEqual(
    flags.filter((flag) => !stdout.includes(flag)),
    [],
  );
});

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openArchive, writeArchive } from './file.ts';
import type { Sink } from './writer.ts';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(scratch, { recursive: true }));
const fresh = (): string => mkdtempSync(join(scratch, 'x'));

const text = (content: string) => (sink: Sink) => sink(Buffer.from(content));

describe('The file of an archive', () => {
  test('is that of the backup that was done first, and the other says so', async () => {
    const path = join(fresh(), 'site.ghb');
    const bothBegan = Promise.withResolvers<void>();
    const firstIsDone = Promise.withResolvers<void>();
    const first = writeArchive(path, false, async (sink) => {
      await bothBegan.promise;
      await text('first')(sink);
    });
    const second = writeArchive(path, false, async (sink) => {
      await text('second')(sink);
      bothBegan.resolve();
      await firstIsDone.promise;
    });
    const refused = assert.rejects(second, { name: 'ArchiveProblem', message: /exists already; add --force/ });
    await first;
    assert.equal(readFileSync(path, 'utf8'), 'first');
    firstIsDone.resolve();
    await refused;
    assert.equal(readFileSync(path, 'utf8'), 'first');
    assert.deepEqual(readdirSync(join(path, '..')), ['site.ghb']);
  });

  test('takes nothing away that lies beside it, and replaces only a file', async () => {
    const folder = fresh();
    const path = join(folder, 'site.ghb');
    writeFileSync(`${path}.part`, 'mine');
    mkdirSync(join(folder, 'other.part'));
    await writeArchive(path, false, text('one'));
    await writeArchive(path, true, text('two'));
    assert.equal(readFileSync(path, 'utf8'), 'two');
    assert.equal(readFileSync(`${path}.part`, 'utf8'), 'mine');
    await writeArchive(join(folder, 'other'), false, text('one'));

    symlinkSync('/dev/null', join(folder, 'null'));
    await assert.rejects(writeArchive(join(folder, 'null'), true, text('x')), { message: /is a device or a pipe/ });
    assert.ok(statSync(join(folder, 'null')).isCharacterDevice());
  });

  test('may have as long a name as the disk takes, and a longer one is told', async () => {
    const folder = fresh();
    await writeArchive(join(folder, 'x'.repeat(255)), false, text('x'));
    await assert.rejects(writeArchive(join(folder, 'x'.repeat(256)), false, text('x')), {
      name: 'ArchiveProblem',
      message: /its name is too long for the disk/,
    });
    assert.equal(readdirSync(folder).length, 1);
  });

  test('is gone when its writing is told to stop', async () => {
    const folder = fresh();
    const module = new URL('./file.ts', import.meta.url).href;
    const work = `async (sink) => { await sink(Buffer.from('x')); console.log('began'); setInterval(() => sink, 9); await new Promise(() => {}); }`;
    const script = `import { writeArchive } from '${module}'; await writeArchive('${folder}/site.ghb', false, ${work});`;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      assert.equal(readdirSync(folder).length, 1);
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [null, signal]);
      assert.deepEqual(readdirSync(folder), []);
    }
  });

  test('is never a pipe, which would keep us waiting', { timeout: 10_000 }, async () => {
    const pipe = join(fresh(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(openArchive(pipe), { name: 'ArchiveProblem', message: /is not a file/ });
    await assert.rejects(writeArchive(pipe, true, text('x')), { message: /is a device or a pipe/ });
  });
});

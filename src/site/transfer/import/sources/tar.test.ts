import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { noon } from '#test/site.ts';
import { createSpool } from '../../../files/files.ts';
import { openTar } from './tar.ts';

describe('An archive of files', () => {
  let folder: string;
  let aside: string;
  const open = (path: string) => openTar(path, createSpool({ folder: aside, clock: () => noon }));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    aside = join(folder, 'aside');
    mkdirSync(aside);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function packed(...flags: readonly string[]): string {
    const path = join(folder, 'old.tar');
    execFileSync('tar', [...flags, '-cf', path, '-C', join(folder, 'uploads'), '.']);
    return path;
  }

  test('has a file under each of its names', async () => {
    mkdirSync(join(folder, 'uploads'));
    const long = `${'a'.repeat(120)}.txt`;
    for (const [name, link] of [
      ['one.txt', 'other.txt'],
      [long, `b${long}`],
    ] as const) {
      writeFileSync(join(folder, 'uploads', name), `This is ${name}`);
      linkSync(join(folder, 'uploads', name), join(folder, 'uploads', link));
    }
    for (const format of ['gnu', 'pax']) {
      const shelf = await open(packed(`--format=${format}`));
      for (const [name, text] of [
        ['one.txt', 'one.txt'],
        ['other.txt', 'one.txt'],
        [long, long],
        [`b${long}`, long],
      ] as const) {
        const found = await shelf.find(name);
        assert.equal(found && (await buffer(found.read())).toString(), `This is ${text}`, name);
      }
      await shelf.close();
    }
  });

  test('that is packed leaves nothing aside, whatever ends whoever reads it', async () => {
    mkdirSync(join(folder, 'uploads'));
    writeFileSync(join(folder, 'uploads', 'one.txt'), 'One');
    const shelf = await open(packed('-z'));
    assert.deepEqual(readdirSync(aside), []);
    assert.equal((await shelf.find('one.txt'))?.size, 3);
    await shelf.close();
  });

  test('is not unpacked where it swells beyond measure', async () => {
    const path = join(folder, 'swollen.tgz');
    writeFileSync(path, gzipSync(Buffer.alloc(80 * 2 ** 20)));
    await assert.rejects(open(path), {
      code: 'no_uploads',
      message: /grows to more than 50 times its size when unpacked/,
    });
    assert.deepEqual(readdirSync(aside), []);
  });
});

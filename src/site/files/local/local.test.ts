import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { filesSuite } from '#test/files-suite.ts';
import { allOf, contentOf, stream } from '#test/media.ts';
import { needsRoot } from '#test/needs.ts';
import { onSmallDisk } from '#test/small-disk.ts';
import { Changed } from '../files.ts';
import { openLocalFiles } from './local.ts';

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(scratch, { recursive: true }));

let count = 0;
const freshRoot = (): string => {
  count += 1;
  return join(scratch, String(count), 'media');
};
const now = new Date();

describe('Files in a folder', () => filesSuite(() => openLocalFiles(freshRoot(), now)));

describe('A folder of files', () => {
  test('is for its owner only, and so is what is in it', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    await files.put('a/b', Buffer.from('x'));
    const modes = [root, join(root, 'a'), join(root, 'a/b')].map((path) => statSync(path).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o700, 0o600]);
  });

  test('keeps no folder that nothing is in, and nothing half-written', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    await files.put('a/b/c', Buffer.from('x'));
    await files.move('a/b/c', 'd/e');
    assert.deepEqual(readdirSync(root).sort(), ['.unfinished', 'd']);
    await files.erase('d/e');
    assert.deepEqual(readdirSync(root), ['.unfinished']);
    assert.deepEqual(readdirSync(join(root, '.unfinished')), []);
  });

  test('may itself be a link', async () => {
    const root = freshRoot();
    mkdirSync(root, { recursive: true });
    symlinkSync(root, `${root}-link`);
    const files = await openLocalFiles(`${root}-link`, now);
    await files.put('a/b', Buffer.from('x'));
    assert.equal(readFileSync(join(root, 'a/b'), 'utf8'), 'x');
    assert.deepEqual(await allOf(files.list()), ['a/b']);
  });

  test('is left over no link inside it', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    const outside = join(scratch, 'outside');
    mkdirSync(join(outside, 'deep'), { recursive: true });
    writeFileSync(join(outside, 'secret'), 'secret');
    writeFileSync(join(outside, 'deep/secret'), 'secret');
    symlinkSync(outside, join(root, 'folder'));
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    for (const path of ['folder/secret', 'folder/deep/secret', 'file']) {
      assert.equal(await files.find(path), undefined);
      assert.equal(await files.open(path), undefined);
      assert.equal(await files.erase(path), false);
      await assert.rejects(files.move(path, 'mine'), Problem);
    }
    for (const path of ['folder/secret', 'folder/new/file', 'folder/deep/new']) {
      await assert.rejects(files.put(path, Buffer.from('x')), Problem);
    }
    assert.deepEqual(await allOf(files.list()), []);
    assert.deepEqual(await allOf(files.list('folder/')), []);
    await files.put('file', Buffer.from('mine'));
    assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
    assert.equal(await contentOf(files, 'file'), 'mine');
    assert.deepEqual(readdirSync(outside).sort(), ['deep', 'secret']);
  });

  test('takes no file where a folder is, nor a folder where a file is', async () => {
    const files = await openLocalFiles(freshRoot(), now);
    await files.put('a/b', Buffer.from('x'));
    const taken = { status: 409, code: 'path_taken' };
    await assert.rejects(files.put('a', Buffer.from('x')), taken);
    await assert.rejects(files.put('a/b/c', Buffer.from('x')), taken);
    await assert.rejects(files.move('a/b', 'a'), taken);
    assert.deepEqual(await allOf(files.list()), ['a/b']);
  });

  test('is rid of what was left half-written a day ago, and of nothing younger', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    await files.put('a', Buffer.from('x'));
    const [old, young] = [join(root, '.unfinished/old'), join(root, '.unfinished/young')];
    writeFileSync(old, 'x');
    writeFileSync(young, 'x');
    const longAgo = new Date(now.getTime() - 25 * 3_600_000);
    utimesSync(old, longAgo, longAgo);
    utimesSync(join(root, 'a'), longAgo, longAgo);
    await openLocalFiles(root, now);
    assert.deepEqual([existsSync(old), existsSync(young), existsSync(join(root, 'a'))], [false, true, true]);
  });

  test('says so when it is gone, and does not take that for having no files', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    await files.put('a', Buffer.from('x'));
    rmSync(root, { recursive: true });
    const gone = (error: Error) =>
      error instanceof Unavailable && error.message.includes(`: the folder does not exist (${root}`);
    await assert.rejects(files.find('a'), gone);
    await assert.rejects(files.open('a'), gone);
    await assert.rejects(files.put('a', Buffer.from('x')), gone);
    await assert.rejects(allOf(files.list()), gone);
    await assert.rejects(files.ping(), gone);
    assert.equal(existsSync(root), false);
  });

  test('takes puts and erasures of many at once in one folder that comes and goes', async () => {
    const files = await openLocalFiles(freshRoot(), now);
    const turns = async (path: string): Promise<void> => {
      for (let turn = 0; turn < 60; turn++) {
        await files.put(path, Buffer.from(path));
        assert.equal(await contentOf(files, path), path);
        assert.equal(await files.erase(path), true);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => turns(`2026/11/${n}`)));
    assert.deepEqual(await allOf(files.list()), []);
  });

  test('never ends a stream before its time: a file that is cut short meanwhile is a fault', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    await files.put('a', Buffer.alloc(2_000_000));
    const opened = await files.open('a');
    truncateSync(join(root, 'a'), 1_000_000);
    await assert.rejects(opened!.stream.toArray(), Changed);
  });

  test('is not said to be at fault when it is given something else than bytes', async () => {
    const files = await openLocalFiles(freshRoot(), now);
    const body = Readable.from([{ not: 'bytes' }]);
    await assert.rejects(
      files.put('a', body),
      (error) => error instanceof TypeError && /pieces of bytes/.test(error.message),
    );
    assert.deepEqual(await allOf(files.list()), []);
  });

  test('lists nothing that no path can name', async () => {
    const root = freshRoot();
    const files = await openLocalFiles(root, now);
    mkdirSync(join(root, 'x\ny'));
    writeFileSync(join(root, 'x\ny/in'), 'x');
    writeFileSync(join(root, 'trailing '), 'x');
    writeFileSync(join(root, 'good'), 'x');
    chmodSync(join(root, 'good'), 0o644);
    symlinkSync(root, join(root, 'link'));
    const passed: string[] = [];
    assert.deepEqual(await allOf(files.list('', (path) => passed.push(path))), ['good']);
    assert.deepEqual(passed.sort(), ['link', 'trailing ', 'x\ny']);
  });
});

needsRoot('a disk that is full is told as such, and nothing half-written takes its room', () =>
  onSmallDisk(async (disk) => {
    const files = await openLocalFiles(join(disk, 'media'), now);
    await files.put('before', stream(1_000_000));
    const full = (error: Error) => error instanceof OutOfSpace && /disk for uploaded files is full/.test(error.message);
    await assert.rejects(files.put('large', stream(10_000_000)), full);
    await assert.rejects(files.put('before', stream(10_000_000)), full);
    assert.equal((await files.find('before'))?.size, 1_000_000);
    await files.put('after', stream(2_000_000));
    assert.deepEqual(await allOf(files.list()), ['after', 'before']);
  }),
);

// What every place for files must do alike. One suite, run over each of them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import type { Files } from '#site/files/files.ts';
import { asideSuite } from '#test/aside-suite.ts';
import { badPaths, oddPaths } from '#test/file-names.ts';
import { allOf, contentOf, stream } from '#test/media.ts';

const bytes = (given: string): Buffer => Buffer.from(given);

const refusedAs = (status: number, code: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  assert.deepEqual([error.status, error.code], [status, code]);
  return true;
};

/** `files` answers an empty place of its own each time. */
export function filesSuite(fresh: () => Promise<Files>): void {
  asideSuite(fresh);
  keeping(fresh);
  reading(fresh);
  listing(fresh);
  moving(fresh);
  pathsOf(fresh);
}

function keeping(fresh: () => Promise<Files>): void {
  test('what is put is found, opened and erased', async () => {
    const files = await fresh();
    const before = Date.now();
    const entry = await files.put('2026/11/a.txt', bytes('hello'), { type: 'text/plain' });
    assert.deepEqual([entry.path, entry.size], ['2026/11/a.txt', 5]);
    const found = await files.find('2026/11/a.txt');
    assert.deepEqual([found?.path, found?.size], ['2026/11/a.txt', 5]);
    assert.ok(Math.abs(found!.modified.getTime() - before) < 60_000);
    assert.equal(await contentOf(files, '2026/11/a.txt'), 'hello');
    assert.equal(await files.erase('2026/11/a.txt'), true);
    assert.equal(await files.erase('2026/11/a.txt'), false);
    assert.equal(await files.find('2026/11/a.txt'), undefined);
    assert.equal(await files.open('2026/11/a.txt'), undefined);
    assert.deepEqual(await allOf(files.list()), []);
  });

  test('a file of this machine is adopted, and what becomes of its old name is nothing to it', async () => {
    const files = await fresh();
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    const place = join(folder, 'a');
    writeFileSync(place, 'hello', { mode: 0o644 });
    const entry = await files.adopt('2026/11/a.txt', place, { type: 'text/plain' });
    assert.deepEqual([entry.path, entry.size], ['2026/11/a.txt', 5]);
    await files.adopt('b', place);
    rmSync(folder, { recursive: true });
    assert.equal(await contentOf(files, '2026/11/a.txt'), 'hello');
    assert.equal(await files.erase('2026/11/a.txt'), true);
    assert.equal(await contentOf(files, 'b'), 'hello');
    await assert.rejects(files.adopt('c', place));
    assert.deepEqual(await allOf(files.list()), ['b']);
  });

  test('what had the path before is replaced, whole', async () => {
    const files = await fresh();
    await files.put('a', bytes('a long first version'));
    await files.put('a', bytes('short'));
    assert.equal(await contentOf(files, 'a'), 'short');
    assert.equal((await files.find('a'))?.size, 5);
  });

  test('a stream of unknown length is kept, whatever its size', async () => {
    const files = await fresh();
    for (const size of [0, 1, 8 * 1024 ** 2, 8 * 1024 ** 2 + 1, 20_000_003]) {
      const entry = await files.put(`of/${size}`, stream(size));
      assert.equal(entry.size, size);
      assert.equal((await files.find(`of/${size}`))?.size, size);
      let read = 0;
      for await (const chunk of (await files.open(`of/${size}`))!.stream) read += chunk.length;
      assert.equal(read, size);
    }
  });

  test('a body in memory that is larger than one piece is kept', async () => {
    const files = await fresh();
    const body = randomBytes(9_000_000);
    await files.put('large', body);
    const chunks: Buffer[] = [];
    for await (const chunk of (await files.open('large'))!.stream) chunks.push(chunk);
    assert.ok(Buffer.concat(chunks).equals(body));
  });

  test('a body that fails leaves nothing, and what was there before', async () => {
    const files = await fresh();
    await files.put('kept', bytes('before'));
    for (const size of [0, 1000, 18_000_000]) {
      const failing = async function* () {
        yield* stream(size);
        throw new Error('the client went away');
      };
      await assert.rejects(files.put('kept', failing()), /the client went away/);
      await assert.rejects(files.put('new/file', failing()), /the client went away/);
    }
    assert.equal(await contentOf(files, 'kept'), 'before');
    assert.deepEqual(await allOf(files.list()), ['kept']);
  });

  test('of several who write one path at once, one wins, whole', async () => {
    const files = await fresh();
    const bodies = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(50_000));
    await Promise.all(bodies.map((body) => files.put('shared/path', bytes(body))));
    assert.ok(bodies.includes((await contentOf(files, 'shared/path')) ?? ''));
    assert.deepEqual(await allOf(files.list()), ['shared/path']);
  });

  test('writing into a folder while its last file is erased never fails', async () => {
    const files = await fresh();
    for (let round = 0; round < 10; round += 1) {
      await files.put('folder/last', bytes('x'));
      await Promise.all([files.erase('folder/last'), files.put('folder/new', bytes('y'))]);
      assert.deepEqual(await allOf(files.list('folder/')), ['folder/new']);
      await files.erase('folder/new');
    }
  });

  test('files can be reached', async () => (await fresh()).ping());
}

function reading(fresh: () => Promise<Files>): void {
  test('a part is read by its first and last byte', async () => {
    const files = await fresh();
    await files.put('digits', bytes('0123456789'));
    const part = async (first: number, last: number) => {
      const opened = await files.open('digits', { first, last });
      assert.equal(opened?.size, 10, 'the size is that of the whole');
      return opened && text(opened.stream);
    };
    assert.equal(await part(0, 0), '0');
    assert.equal(await part(3, 5), '345');
    assert.equal(await part(9, 9), '9');
    assert.equal(await part(8, 1000), '89');
    assert.equal(await part(0, Number.MAX_SAFE_INTEGER), '0123456789');
    assert.equal(await files.open('absent', { first: 0, last: 1 }), undefined);
  });

  test('a part that the file does not have is refused', async () => {
    const files = await fresh();
    await files.put('digits', bytes('0123456789'));
    await files.put('empty', bytes(''));
    const bad = [
      [10, 11],
      [5, 4],
      [-1, 3],
      [0.5, 3],
      [Number.NaN, 3],
    ] as const;
    for (const [first, last] of bad)
      await assert.rejects(files.open('digits', { first, last }), refusedAs(416, 'range_not_satisfiable'));
    await assert.rejects(files.open('empty', { first: 0, last: 0 }), refusedAs(416, 'range_not_satisfiable'));
  });

  test('a reader that stops early disturbs nobody', async () => {
    const files = await fresh();
    await files.put('large', stream(3_000_000));
    const opened = await files.open('large');
    for await (const chunk of opened!.stream) {
      assert.ok(chunk.length > 0);
      break;
    }
    (await files.open('large'))!.stream.destroy();
    assert.equal(await files.erase('large'), true);
  });

  test('a folder is no file', async () => {
    const files = await fresh();
    await files.put('folder/file', bytes('x'));
    assert.equal(await files.find('folder'), undefined);
    assert.equal(await files.open('folder'), undefined);
    assert.equal(await files.erase('folder'), false);
    assert.equal(await contentOf(files, 'folder/file'), 'x');
  });
}

function listing(fresh: () => Promise<Files>): void {
  test('files are listed by the bytes of their whole path', async () => {
    const files = await fresh();
    const paths = ['a.txt', 'a/b', 'a/c/d', 'a0', 'a-', 'B', 'b', 'ä', 'z', '\u{ffee}', '\u{1f989}', 'a/b.txt'];
    for (const path of paths) await files.put(path, bytes('x'));
    const sorted = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(await allOf(files.list()), sorted);
    assert.deepEqual(await allOf(files.list('a/')), ['a/b', 'a/b.txt', 'a/c/d']);
    assert.deepEqual(await allOf(files.list('a/c/')), ['a/c/d']);
    assert.deepEqual(await allOf(files.list('absent/')), []);
    for (const bad of ['a', '/', '../', 'a//', './'])
      await assert.rejects(async () => allOf(files.list(bad)), refusedAs(400, 'invalid_path'));
  });

  test('a listing tells size and time, and may be left early', async () => {
    const files = await fresh();
    for (let n = 0; n < 25; n += 1) await files.put(`f/${n}`, bytes('x'.repeat(n)));
    for await (const entry of files.list()) {
      assert.deepEqual(entry, await files.find(entry.path));
      if (entry.path === 'f/13') break;
    }
    assert.equal((await allOf(files.list())).length, 25);
  });
}

function moving(fresh: () => Promise<Files>): void {
  test('a file is moved, and replaces what is there', async () => {
    const files = await fresh();
    await files.put('from/ä +.txt', bytes('moved'), { type: 'text/plain' });
    await files.put('to/b', bytes('old'));
    await files.move('from/ä +.txt', 'to/b');
    assert.deepEqual(await allOf(files.list()), ['to/b']);
    assert.equal(await contentOf(files, 'to/b'), 'moved');
    await files.move('to/b', 'to/b');
    assert.equal(await contentOf(files, 'to/b'), 'moved');
    await assert.rejects(files.move('absent', 'x'), refusedAs(404, 'file_not_found'));
    await assert.rejects(files.move('absent', 'absent'), refusedAs(404, 'file_not_found'));
  });
}

function pathsOf(fresh: () => Promise<Files>): void {
  test('unusual names are kept as they are', async () => {
    const files = await fresh();
    for (const path of oddPaths) await files.put(path, bytes(path));
    for (const path of oddPaths) assert.equal(await contentOf(files, path), path);
    assert.deepEqual(new Set(await allOf(files.list())), new Set(oddPaths));
    for (const path of oddPaths) assert.equal(await files.erase(path), true);
    assert.deepEqual(await allOf(files.list()), []);
  });

  test('a path that could lead elsewhere is refused by everything', async () => {
    const files = await fresh();
    const refused = refusedAs(400, 'invalid_path');
    for (const path of badPaths) {
      await assert.rejects(async () => files.put(path, bytes('x')), refused, path);
      await assert.rejects(async () => files.find(path), refused, path);
      await assert.rejects(async () => files.open(path), refused, path);
      await assert.rejects(async () => files.erase(path), refused, path);
      await assert.rejects(async () => files.move(path, 'x'), refused, path);
      await assert.rejects(async () => files.move('x', path), refused, path);
    }
    assert.deepEqual(await allOf(files.list()), []);
  });
}

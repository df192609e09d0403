// The files and folders that clients show beside the settings of file-change.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { entriesBelow } from './file-tree.ts';

test('file-tree shows what is compared, folders first, and nothing outside of it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tree-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['program/src', 'program/hidden', 'outside']) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['program/b.txt', 'program/a.txt', 'program/src/c.txt', 'outside/secret'])
    writeFileSync(join(folder, name), '');
  symlinkSync(join(folder, 'outside'), join(folder, 'program/link'));
  const takes = (path: string) => path !== 'hidden';
  const places = [{ folder: join(folder, 'program'), name: 'program', takes }];
  const ids = async (directory: string) => (await entriesBelow(places, directory)).map(({ id }) => id);
  const entry = { label: 'src', children: true };
  assert.deepEqual((await entriesBelow(places, '/program'))[0], { id: '/program/src', ...entry });
  const expected: readonly (readonly [directory: string, ids: readonly string[]])[] = [
    ['', ['/program']],
    ['../../..', ['/program']],
    ['program/', ['/program/src', '/program/a.txt', '/program/b.txt']],
    ['/program/src/../src', ['/program/src/c.txt']],
    ['/program/../../outside', []],
    ['/program/link', []],
    ['/program/hidden', []],
    ['/programs', []],
    ['/program/none', []],
    ['/program/a.txt', []],
  ];
  const wrong: string[] = [];
  for (const [directory, wanted] of expected)
    if ((await ids(directory)).join() !== wanted.join()) wrong.push(`${directory}: ${await ids(directory)}`);
  assert.deepEqual(wrong, []);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { liesIn, makeFolder } from './folders.ts';

describe('A folder that somebody names', () => {
  it('is made with those it lies in, for this user alone, and may be there', async () => {
    const at = await mkdtemp(join(tmpdir(), 'gatehouse-folders-'));
    const path = join(at, 'a', 'b', 'c');
    await Promise.all([makeFolder(path), makeFolder(path), makeFolder(join(at, 'a', 'd'))]);
    await makeFolder(path);
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    await writeFile(join(at, 'file'), '');
    await assert.rejects(makeFolder(join(at, 'file', 'below')), /below cannot be created \(ENOTDIR\)/);
    await rm(at, { recursive: true });
  });

  it('where none can be made is refused, and not tried for ever', { skip: process.platform !== 'linux' }, async () => {
    await assert.rejects(makeFolder('/proc/self/a/b'), /cannot be created \(ENOENT\)/);
  });

  it('lies in another one whatever it is called and whichever link leads there, also before it is made', async () => {
    const at = await mkdtemp(join(tmpdir(), 'gatehouse-folders-'));
    await makeFolder(join(at, 'outer', 'inner'));
    await symlink(join(at, 'outer'), join(at, 'link'));
    const lies = (path: string) => liesIn(join(at, 'outer'), join(at, path));
    for (const path of ['outer', 'outer/', 'outer/./inner', 'outer/new/one', 'link', 'link/inner', 'link/new'])
      assert.equal(await lies(path), true, path);
    for (const path of ['.', 'outer2', 'other/outer', 'outer/../inner']) assert.equal(await lies(path), false, path);
    await rm(at, { recursive: true });
  });
});

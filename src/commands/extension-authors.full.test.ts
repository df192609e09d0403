// What authors do at the shell that takes a process of its own: a look at types, and a trial.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { anAuthor } from '#test/author.ts';
import { start } from '#test/gatehouse.ts';
import { root } from '../version.ts';

const { run, tried, at, fine, refused, said } = anAuthor();

describe('A new extension', () => {
  test('has its types looked at whatever its folder is called by then', async () => {
    await fine(run('new', 'bird-watch'));
    renameSync(at('bird-watch'), at('bird.2'));
    const tsc = [join(root, 'bin/dev'), 'node_modules/typescript/bin/tsc', '-p', at('bird.2'), '--showConfig'];
    const { code, out, err } = await start(process.execPath, tsc, {}, at('bird.2')).ended;
    assert.equal(code, 0, err);
    assert.ok(JSON.parse(out).files.includes('./extension.ts'), out);
  });

  test('makes none of what would not start, and says why', async () => {
    await fine(run('new', 'bird-watch'));
    const entry = readFileSync(at('bird-watch/extension.ts'), 'utf8');
    await fine(tried('bird-watch', '--out', 'fine.zip'));
    writeFileSync(
      at('bird-watch/extension.ts'),
      `import { Problem } from '#kernel/problem.ts';\nvoid Problem;\n${entry}`,
    );
    await refused(tried('bird-watch'), /A site could not turn it on\..*#kernel\/problem\.ts/);
    writeFileSync(at('bird-watch/extension.ts'), entry);
    said('bird-watch', { capabilities: [] });
    await refused(tried('bird-watch'), 'the capability bird_watch_tidy, which its manifest does not list');
    assert.deepEqual(readdirSync(at()), ['bird-watch', 'fine.zip']);
    await fine(tried('bird-watch', '--untried'));
  });
});

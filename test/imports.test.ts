// `bin/imports.mjs` tells Node where the imports of the program lead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quickImports, start } from '#test/gatehouse.ts';

const recorder = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({
    load(url, context, load) {
      if (url.startsWith('file:')) loaded.push(url + ' ' + context.format);
      return load(url, context);
    },
  });
  process.on('exit', () => console.error(loaded.sort().join('\\n')));`;

/** Each file that a command loads, and as what. */
async function loadedWith(flags: readonly string[]): Promise<Set<string>> {
  const recording = ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`];
  const { code, err } = await start(process.execPath, [...flags, ...recording, 'src/main.ts', 'openapi']).ended;
  assert.equal(code, 0, err);
  return new Set(err.trim().split('\n'));
}

test('Imports of the program lead where Node finds them to lead', async () => {
  const [quick, plain] = await Promise.all([loadedWith(quickImports), loadedWith([])]);
  assert.ok(plain.size > 1000, `${plain.size} files`);
  assert.deepEqual([...plain.symmetricDifference(quick)], []);
});

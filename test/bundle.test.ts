// The program answers from its bundle as it answers from its sources.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gatehouse, start } from '#test/gatehouse.ts';

const root = join(import.meta.dirname, '..');
const { bundle } = createRequire(import.meta.url)('../bin/bundle.js') as {
  bundle(root: string, warn: (sentence: string) => void): Promise<string | undefined>;
};
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
after(() => rmSync(folder, { recursive: true }));

test('The bundle answers as the sources do', async () => {
  const warnings: string[] = [];
  const place = await bundle(root, (sentence) => warnings.push(sentence));
  assert.deepEqual(warnings, []);
  const data = join(folder, 'data');
  await gatehouse(['migrate', '--data', data]);
  const offenders: unknown[] = [];
  for (const words of [['--version'], ['user', 'list'], ['user', 'list', '--data', data], ['serve', '--prot', '1']]) {
    const from = await gatehouse(words, {}, folder);
    const bundled = await start(process.execPath, [join(place!, 'main.js'), ...words], {}, folder).ended;
    if (JSON.stringify(bundled) !== JSON.stringify(from)) offenders.push({ words, bundled, from });
  }
  assert.deepEqual(offenders, []);
});

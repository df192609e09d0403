import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TheirRecord } from '#site/moving/theirs.ts';
import { arriveFrom } from '#site/moving/wxr/arrive.ts';
import { createExporting } from '#site/moving/wxr/write.ts';
import { type TestEngine, testEngine } from '#test/databases.ts';
import { aFullSite, inItsZone } from '#test/full-site.ts';
import { shownAll } from '#test/shown-all.ts';
import { aSite, type TestSite } from '#test/site.ts';

const authors = ['administrator', 'editor', 'ada'];
const uploads = 'http://site.test/wp-content/uploads/';

async function exported({ app }: TestSite, folder: string): Promise<string> {
  const file = join(folder, 'site.xml');
  let text = '';
  await createExporting(app.services).write({}, async (pieces) => {
    for await (const piece of pieces) text += piece;
  });
  writeFileSync(file, text);
  return file;
}

const options = {
  map: {},
  role: 'author',
  unfiltered: true,
  rewrite: true,
  keepTermIds: false,
  dryRun: false,
} as const;

const silent = { reading() {}, settling() {} };

async function moved(from: TestSite, to: TestSite, folder: string) {
  const path = await exported(from, folder);
  await to.credentials('administrator');
  const { app } = to;
  let count = 0;
  const file = async ({ file_url }: TheirRecord) => {
    const there = join(from.config.data, 'media', decodeURIComponent(file_url.slice(uploads.length)));
    if (!existsSync(there)) return undefined;
    const aside = join(folder, String(count++));
    copyFileSync(there, aside);
    return { path: aside, size: statSync(aside).size, from: 'copied' as const, release: async () => {} };
  };
  const needs = { ...app.services, url: to.config.url };
  return arriveFrom(path, needs, { ...options, file }, silent);
}

const engines: readonly (readonly [TestEngine['name'], TestEngine['name']])[] = [
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
];

/** What no XML can hold is not there afterwards. */
const portable = <T>(shown: T): T => JSON.parse(JSON.stringify(shown).replaceAll(/\\u000[1b]/g, ''));

for (const [one, other] of engines)
  describe(`A site that moves from ${one} to ${other}`, () => {
    const [old, fresh] = [testEngine(one), testEngine(other)];
    test('is the same there', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const [from, to] = [await aFullSite(old), await aSite(fresh)];
      await inItsZone(to);
      const told = await moved(from, to, folder);
      assert.deepEqual(told.errors, []);
      const [before, after] = [portable(await shownAll(from, authors)), portable(await shownAll(to, authors))];
        writeFileSync(`/tmp/w2/${one}-${other}-before.json`, JSON.stringify(before, null, 1));
        writeFileSync(`/tmp/w2/${one}-${other}-after.json`, JSON.stringify(after, null, 1));
      }
      for (const name of Object.keys(before) as (keyof typeof before)[])
        assert.deepEqual(after[name], before[name], name);
    });
  });

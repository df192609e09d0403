import assert from 'node:assert/strict';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { withImportLease } from '#site/transfer/import/import-lease.ts';
import type { Told } from '#site/transfer/import/report.ts';
import { openSources } from '#site/transfer/import/sources.ts';
import { arriveFrom } from '#site/transfer/import/wxr/arrive.ts';
import { createExporting } from '#site/transfer/import/wxr/write.ts';
import { testEngine } from '#test/databases.ts';
import { aFullSite, type FullSite, inItsZone } from '#test/full-site.ts';
import { neutral } from '#test/paper.ts';
import { shownAll } from '#test/shown-all.ts';
import { aSite, type TestSite } from '#test/site.ts';

/** The last of them wrote no record, but speaks in one. */
const authors = ['administrator', 'editor', 'ada', 'sue'];

const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false } as const;
const silent = { reading() {}, settling() {} };

async function move(from: TestSite, to: TestSite, file: string): Promise<Told> {
  await createExporting(from.app.services).write({}, (pieces) => pipeline(pieces, createWriteStream(file)));
  await to.credentials('administrator');
  const { services } = to.app;
  const uploads = join(from.config.data, 'media');
  const sources = await openSources({
    ...services,
    uploads,
    isFetching: false,
    limit: to.config.uploadLimit,
    isDry: false,
  });
  return withImportLease(services, { holder: 'a test', what: 'A test' }, (store) =>
    arriveFrom(file, { ...services, store, url: to.config.url }, { ...how, file: sources.file }, silent),
  );
}

/** What no XML can hold is not there afterwards. */
const portable = <T>(shown: T): T => JSON.parse(JSON.stringify(shown).replaceAll(/\\u000[1b]/g, ''));

/** What programs elsewhere kept of a record, under one key also several texts. */
const foreign = { enclosure: ['https://a.example/1.mp3', 'https://a.example/2.mp3'], listed: '["x"]' };

async function keepForeign({ app, ids }: FullSite): Promise<void> {
  const rows = Object.entries(foreign).map(([key, value]) => ({
    post_id: ids.first!,
    key,
    value: JSON.stringify(value),
  }));
  await app.services.store.write((tx) => tx.insertInto('post_meta').values(rows).execute());
}

async function metaOf({ app }: TestSite): Promise<unknown[]> {
  const all = app.services.store.db.selectFrom('post_meta').selectAll().orderBy('post_id').orderBy('key');
  return (await all.execute()).map((row) => ({ ...row }));
}

async function assertSame(here: TestSite, there: TestSite): Promise<void> {
  const [ours, theirs] = [portable(await shownAll(here, authors)), portable(await shownAll(there, authors))];
  for (const name of Object.keys(theirs) as (keyof typeof theirs)[]) assert.deepEqual(ours[name], theirs[name], name);
}

for (const [one, other] of [
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)
  describe(`A site that moves from ${one} to ${other}`, () => {
    const [old, fresh] = [testEngine(one), testEngine(other)];
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
    let from: FullSite;
    let to: TestSite;
    before(async () => {
      [from, to] = [await aFullSite(old), await aSite(fresh)];
      await inItsZone(to);
      await keepForeign(from);
    });
    after(() => rmSync(folder, { recursive: true }));

    test('is the same there', async () => {
      const told = await move(from, to, join(folder, 'site.xml'));
      assert.deepEqual([told.errors, told.files], [[], { copied: 3, fetched: 0, missing: 0 }]);
      await assertSame(to, from);
      assert.deepEqual(await metaOf(to), await metaOf(from));
    });

    test('brings nothing twice', async () => {
      const { authors, terms, items, comments, files } = await move(from, to, join(folder, 'again.xml'));
      const made = [authors, terms, comments, ...Object.values(items)].map(({ created, failed }) => [created, failed]);
      assert.deepEqual(new Set(made.flat()), new Set([0]));
      assert.deepEqual(files, { copied: 0, fetched: 0, missing: 0 });
      await assertSame(to, from);
    });

    test('has in the trash what comes out of it as it went in', async () => {
      for (const site of [from, to]) {
        const { status, text } = await site
          .as('administrator')
          .post(`${neutral}/posts/${from.ids.gone}`, { status: 'publish' });
        assert.equal(status, 200, text);
      }
      await assertSame(to, from);
      const { slug } = (await to.get(`${neutral}/posts/${from.ids.gone}`)).body;
      assert.equal(slug, 'gone');
    });

    test('leads from where a record was to where it is', async () => {
      for (const site of [from, to]) {
        const { status, headers } = await site.get('/2026/10/02/before/');
        assert.deepEqual([status, headers.get('location')], [301, 'http://site.test/2026/10/02/after/']);
      }
    });
  });

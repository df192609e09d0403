// own process
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { comment, exportOf, item, oldSite } from '#test/wxr.ts';
import { withImportLease } from '../import-lease.ts';
import type { Told } from '../report.ts';
import { arriveFrom } from './arrive.ts';

const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false } as const;

/** `read`: told when all of the file is read, and nothing is put in order yet. */
async function arrive(site: TestSite, file: string, read: () => void = () => {}): Promise<Told> {
  const path = join(site.config.data, 'export.xml');
  writeFileSync(path, file);
  await site.credentials('administrator');
  const { services } = site.app;
  const options = { ...how, file: async () => undefined };
  const progress = { reading: (bytes: number, of: number) => (bytes === of ? read() : undefined), settling() {} };
  return withImportLease(services, { holder: 'a test', what: 'A test' }, (store) =>
    arriveFrom(path, { ...services, store, url: site.config.url }, options, progress),
  );
}

const dated = (id: number): string => new Date(1.3e12 + id * 6e4).toISOString();

/** A post of four thousand letters. */
const long = (id: number): string =>
  item({
    title: `Post ${id}`,
    guid: `${oldSite}/?p=${id}`,
    'wp:post_id': id,
    'wp:post_name': `post-${id}`,
    'wp:post_date': dated(id),
    'content:encoded': `${id} `.padEnd(4_000, 'river boat '),
  });

const longOnes = (from: number, many: number): string =>
  exportOf(...Array.from({ length: many }, (_, at) => long(from + at)));

eachEngine('An export file that arrives', (engine) => {
  const anyOf = async (site: TestSite, query: string) =>
    (await site.as('administrator').get(`/wp-json/wp/v2/${query}`)).body;

  test('is found again by a later part of it: what lies below what, and by which number', async () => {
    const site = await aSite(engine);
    const page = (id: number, title: string, more: object = {}) =>
      item({ title, 'wp:post_id': id, 'wp:post_type': 'page', 'wp:post_name': title.toLowerCase(), ...more });
    // The number that it had is that of another here.
    await arrive(site, exportOf(page(700, 'Taken')).replace(oldSite, 'https://other.example'));
    await arrive(site, exportOf(page(700, 'Above')));
    const text = '<!-- wp:block {"ref":700} /-->';
    await arrive(site, exportOf(page(702, 'Below', { 'wp:post_parent': 700, 'content:encoded': text })));
    const [above] = await anyOf(site, 'pages?slug=above&context=edit');
    const [below] = await anyOf(site, 'pages?slug=below&context=edit');
    assert.notEqual(above.id, 700);
    assert.equal(below.parent, above.id);
    assert.equal(below.content.raw, `<!-- wp:block {"ref":${above.id}} /-->`);
  });

  test('holds no more of many records than of few', async () => {
    const site = await aSite(engine);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = async (from: number, many: number): Promise<number> => {
      let bytes = 0;
      const file = longOnes(from, many);
      await arrive(site, file, () => {
        collect();
        bytes = process.memoryUsage().heapUsed;
      });
      return bytes - Buffer.byteLength(file);
    };
    await held(1, 200);
    const few = await held(1_000, 200);
    const many = await held(2_000, 1_200);
    assert.ok(many - few < 1.5 * 2 ** 20, `${many - few} bytes more`);
  });

  test('keeps thousands of comments on one record, each below what it answers, be that far ahead', async () => {
    const site = await aSite(engine);
    const many = 1_300;
    const said = Array.from({ length: many }, (_, at) =>
      comment(at + 1, { date: dated(at), date_gmt: dated(at), parent: at === 0 ? many - 1 : at % 2 }),
    );
    const file = exportOf(
      item({ title: 'Discussed', 'wp:post_id': 50 }, ...said),
      long(51).replace('</item>', `${comment(9_999)}</item>`),
    );
    const { comments, errors } = await arrive(site, file);
    assert.deepEqual([comments, errors], [{ created: many + 1, skipped: 0, failed: 0 }, []]);
    const ofPost = async (query: string) =>
      (await site.get(`/wp-json/wp/v2/comments?${query}`)).headers.get('x-wp-total');
    assert.equal(await ofPost('post=50'), `${many}`);
    assert.equal(await ofPost('post=51'), '1');
    const { store } = site.app.services;
    const rows = await store.db
      .selectFrom('comments')
      .select(['id', 'parent', 'content'])
      .where('post_id', '=', 50)
      .execute();
    const idOf = (theirs: number) =>
      rows.find(({ content }) => content.includes(`Comment ${theirs}<`) || content === `Comment ${theirs}`)!.id;
    assert.equal(rows.find(({ id }) => id === idOf(1))!.parent, idOf(many - 1));
    assert.equal(rows.filter(({ parent }) => parent === idOf(1)).length, many / 2);
    assert.deepEqual((await arrive(site, file)).comments, { created: 0, skipped: many + 1, failed: 0 });
  });
});

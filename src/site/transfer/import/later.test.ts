import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';
import { category, exportOf, item, meta, oldSite } from '#test/wxr.ts';
import type { ArrivingOptions } from './arriving.ts';
import { readOnlyStore, withImportLease } from './import-lease.ts';
import type { Told } from './report.ts';
import { openSources } from './sources.ts';
import { arriveFrom } from './wxr/arrive.ts';

const how = { map: {}, role: 'author', unfiltered: true, rewrite: true, keepTermIds: false, dryRun: false } as const;

const uploads = `${oldSite}/wp-content/uploads`;
const attached = { 'wp:post_type': 'attachment', 'wp:status': 'inherit', 'wp:post_date': '2021-01-01 00:00:00' };

async function aHouse(engine: TestEngine) {
  const site = await aSite(engine);
  await site.credentials('administrator');
  const { services } = site.app;
  const folder = join(site.config.data, 'old-files');
  mkdirSync(folder, { recursive: true });
  const as = site.as('administrator');
  return {
    /** A file that the other site had. */
    keep: (name: string, bytes: Uint8Array | string) => writeFileSync(join(folder, name), bytes),
    /** With the files that were kept by then, or without. */
    async arrive(text: string, more: Partial<ArrivingOptions> & { without?: true } = {}): Promise<Told> {
      const path = join(site.config.data, 'export.xml');
      writeFileSync(path, text);
      const { without, ...own } = more;
      const { spool, outgoing } = services;
      const isDry = own.dryRun === true;
      const where = { uploads: without ? undefined : folder, isFetching: false, limit: 1e7, isDry };
      const sources = await openSources({ spool, outgoing, ...where });
      const options = { ...how, file: sources.file, ...own };
      const progress = { reading() {}, settling() {} };
      const work = (store: Parameters<Parameters<typeof withImportLease>[2]>[0]) =>
        arriveFrom(path, { ...services, store, url: site.config.url }, options, progress);
      try {
        if (isDry) return await work(readOnlyStore(services.store));
        return await withImportLease(services, { holder: 'a test', what: 'A test' }, work);
      } finally {
        await sources.close();
      }
    },
    async raw(route: string, id: number) {
      const { body } = await as.get(`/wp-json/wp/v2/${route}/${id}?context=edit`);
      return body;
    },
    /** How often tables of content were written. */
    changes: () =>
      services.store.db
        .selectFrom('changes' as never)
        .selectAll()
        .orderBy('topic' as never)
        .execute(),
    url: site.config.url,
  };
}

eachEngine('What another run brings', (engine) => {
  test('mends what the one before it had to leave: pictures, addresses, and nothing twice', async () => {
    const { keep, arrive, raw, changes, url } = await aHouse(engine);
    // 30 is here as another, so that what comes under it gets another number.
    await arrive(exportOf(item({ title: 'Taken', 'wp:post_id': 30 })).replace(oldSite, 'https://other.example'));
    const elsewhere = 'https://files.example/2019/05/map.png';
    const text = [
      `<img class="wp-image-30 size-full" src="${uploads}/2019/05/river.png">`,
      `<img src="${elsewhere}">`,
      `${oldSite}/about/ and ${oldSite}/nowhere/`,
      '<img class="wp-image-31">',
    ].join(' ');
    const file = exportOf(
      item(
        { title: 'Text', 'wp:post_id': 10, 'content:encoded': text },
        meta('_thumbnail_id', '30'),
        meta('enclosure', `${uploads}/2019/05/river.png\n12\nimage/png`),
      ),
      item({
        title: 'River',
        'wp:post_id': 30,
        ...attached,
        'wp:post_parent': 10,
        'wp:attachment_url': `${uploads}/2019/05/river.png`,
      }),
      item({ title: 'Map', 'wp:post_id': 31, ...attached, 'wp:attachment_url': elsewhere }),
    );
    const first = await arrive(file, { without: true });
    assert.deepEqual([first.files.missing, first.errors], [2, []]);
    keep('river.png', await picture(40, 30, 'png'));
    keep('map.png', await picture(30, 40, 'png'));
    const second = await arrive(file);
    assert.deepEqual([second.files.copied, second.errors], [2, []]);
    const post = await raw('posts', 10);
    const river = post.featured_media;
    const { source_url, post: lies } = await raw('media', river);
    assert.deepEqual([river === 30, lies, source_url], [false, 10, `${url}/wp-content/uploads/2019/05/river.png`]);
    const expected = [
      `<img class="wp-image-${river} size-full" src="${source_url}">`,
      `<img src="${url}/wp-content/uploads/2019/05/map.png">`,
      `${url}/about/ and ${url}/nowhere/`,
      // The number that it had is that of the river by now.
      `<img class="wp-image-${river + 1}">`,
    ];
    assert.equal(river, 31);
    assert.equal(post.content.raw, expected.join(' '));
    // A page that comes later still.
    const page = {
      title: 'About us',
      'wp:post_type': 'page',
      'wp:post_id': 12,
      'wp:post_name': 'about-us',
      link: `${oldSite}/about/`,
    };
    await arrive(exportOf(item(page)));
    expected[2] = `${url}/about-us/ and ${url}/nowhere/`;
    assert.equal((await raw('posts', 10)).content.raw, expected.join(' '));
    const before = await changes();
    await arrive(file);
    assert.deepEqual(await changes(), before);
  });

  test('turns no address twice, where the old site had the same name', async () => {
    const { arrive, raw, url } = await aHouse(engine);
    const day = `${url}/2020/02/03`;
    const named = (id: number, slug: string) =>
      item({ title: `Post ${id}`, 'wp:post_id': id, 'wp:post_name': slug, link: `${day}/${slug}/` });
    await arrive(exportOf(item({ title: 'Here', 'wp:post_id': 60, 'wp:post_name': 'x' })));
    const text = item({ title: 'Text', 'wp:post_id': 61, 'content:encoded': `${day}/x/ and ${url}/unknown/` });
    const file = exportOf(text, named(62, 'x'), named(63, 'x-2')).replaceAll(oldSite, url);
    for (const _ of ['once', 'twice']) {
      await arrive(file);
      assert.equal((await raw('posts', 62)).slug, 'x-2');
      assert.equal((await raw('posts', 61)).content.raw, `${day}/x-2/ and ${url}/unknown/`);
    }
  });

  test('puts what came before below what it lay below', async () => {
    const { arrive, raw } = await aHouse(engine);
    const page = (id: number, title: string, parent = 0) =>
      item({
        title,
        'wp:post_id': id,
        'wp:post_type': 'page',
        'wp:post_name': title.toLowerCase(),
        'wp:post_parent': parent,
      });
    await arrive(exportOf(page(20, 'Below', 21)));
    await arrive(exportOf(page(21, 'Above')));
    assert.equal((await raw('pages', 20)).parent, 21);
  });
});

eachEngine('Texts that arrive', (engine) => {
  test('lead to records by the addresses that these had, whatever their form', async () => {
    const { arrive, raw, url } = await aHouse(engine);
    const cases: [there: string, here: string][] = [
      ['https://old.example/by-name/', '/2020/02/03/mine/'],
      ['http://old.example/by-name#part', '/2020/02/03/mine/#part'],
      ['https://old.example/by-name/?from=a&amp;b=1.', '/2020/02/03/mine/?from=a&amp;b=1.'],
      ['https://old.example/archives/77,', '/team/us/,'],
      ['https://old.example//archives//77', '/team/us/'],
      ['https://old.example/?p=40', '/2020/02/03/mine/'],
      ['https://old.example/?page_id=41#a', '/team/us/#a'],
      ['https://older.example/?p=3', '/2020/02/03/mine/'],
      ['https://old.example/', '/'],
      ['https://old.example/unknown/', '/unknown/'],
    ];
    const text = cases.map(([there]) => `<a href="${there}">x</a>`).join('\n');
    const page = { 'wp:post_type': 'page' };
    await arrive(
      exportOf(
        item({ title: 'Text', 'wp:post_id': 39, 'content:encoded': text }),
        item({
          title: 'Mine',
          'wp:post_id': 40,
          'wp:post_name': 'mine',
          link: `${oldSite}/by-name/`,
          guid: 'http://older.example/?p=3',
        }),
        // Placed only in the end: its address says so.
        item({
          title: 'Us',
          ...page,
          'wp:post_id': 41,
          'wp:post_name': 'us',
          'wp:post_parent': 42,
          link: `${oldSite}/archives/77`,
        }),
        item({ title: 'Team', ...page, 'wp:post_id': 42, 'wp:post_name': 'team', link: `${oldSite}/` }),
      ),
    );
    const expected = cases.map(([, here]) => `<a href="${url}${here}">x</a>`).join('\n');
    assert.equal((await raw('posts', 39)).content.raw, expected);
  });

  test('show a file itself where its own name looks like that of a smaller copy', async () => {
    const { keep, arrive, raw, url } = await aHouse(engine);
    keep('banner-580x300.png', await picture(1600, 1000, 'png'));
    const there = `${uploads}/2020/01/banner-580x300`;
    await arrive(
      exportOf(
        item({ title: 'Text', 'wp:post_id': 50, 'content:encoded': `${there}.png ${there}-300x188.png` }),
        item({ title: 'Banner', 'wp:post_id': 51, ...attached, 'wp:attachment_url': `${there}.png` }),
      ),
    );
    const here = `${url}/wp-content/uploads/2020/01/banner-580x300`;
    assert.equal((await raw('posts', 50)).content.raw, `${here}.png ${here}-300x188.png`);
  });
});

eachEngine('The report of a move', (engine) => {
  test('names files that are nowhere, and authors whom nobody knows, and calls neither a failure', async () => {
    const { arrive } = await aHouse(engine);
    const file = exportOf(
      item({ title: 'One', 'dc:creator': 'bob' }),
      item({ title: 'Two', 'dc:creator': 'bob', 'wp:post_date': '2020-02-04 10:00:00' }),
      item({ title: 'Lost', 'wp:post_id': 9, ...attached, 'wp:attachment_url': `${uploads}/lost.png` }),
    );
    for (const dryRun of [true, false]) {
      const { notes, errors } = await arrive(file, { dryRun });
      assert.deepEqual(errors, []);
      assert.deepEqual(
        notes.map(({ line, code, title }) => [(line ?? 0) > 0, code, title]),
        [
          [true, 'missing', 'Lost'],
          [true, 'unknown_author', 'bob'],
        ],
      );
      assert.match(notes[0]!.message, /uploads\/lost\.png/);
      assert.match(notes[1]!.message, /2 records/);
    }
    const again = await arrive(file);
    assert.deepEqual(
      again.notes.map(({ code }) => code),
      ['missing'],
    );
  });

  test('is the same when a move is only tried, terms of one name included', async () => {
    const { arrive } = await aHouse(engine);
    const tags = [category('post_tag', 'content', 'Content'), category('post_tag', 'content-2', 'content')];
    const file = exportOf(
      '<wp:tag><wp:tag_slug>top</wp:tag_slug><wp:tag_name>Content</wp:tag_name></wp:tag>',
      item({ title: 'One' }, ...tags, category('category', 'content', 'Content')),
    );
    const tried = await arrive(file, { dryRun: true });
    const done = await arrive(file);
    assert.deepEqual(tried.terms, done.terms);
    assert.deepEqual((await arrive(file, { dryRun: true })).terms, (await arrive(file)).terms);
  });
});

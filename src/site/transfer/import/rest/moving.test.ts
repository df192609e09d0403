import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import sharp from 'sharp';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { aSite, noon, type TestSite } from '#test/site.ts';
import { createArriving } from '../create.ts';
import { withImportLease } from '../import-lease.ts';
import type { Told } from '../report.ts';
import { openSources } from '../sources.ts';
import { discover } from './discovering.ts';
import { moveFromSite } from './moving.ts';
import { createFetching, type FileSizes } from './reading.ts';
import { createSource } from './source.ts';

type Page = readonly unknown[] | ((response: ServerResponse) => void);

/** What a site answers, by route: pages that each are a list, or are answered by hand. */
type Routes = Record<string, readonly Page[]>;

const index = { namespaces: ['wp/v2'], home: 'https://there.test' };

/** A site that can be made to answer otherwise; its files are what `files` says. */
async function aDouble(
  engine: TestEngine,
  routes: Routes,
  files: Record<string, (response: ServerResponse) => void> = {},
) {
  const json = (response: ServerResponse, body: unknown, headers = {}) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const remote = await aRemote((request, response) => {
    const url = new URL(request.url ?? '', 'http://a.test');
    const file = files[url.pathname];
    if (file) return file(response);
    const [, route] = /^\/wp\/v2\/([a-z_/]+)$/.exec(url.pathname) ?? [];
    if (route === undefined) return json(response, index);
    const pages = routes[route] ?? [[]];
    const page = pages[Number(url.searchParams.get('page') ?? 1) - 1];
    if (typeof page === 'function') return page(response);
    const asked = url.searchParams.get('include')?.split(',').map(Number);
    const all = page?.filter((one) => asked === undefined || asked.includes((one as { id: number }).id));
    const count = pages.reduce((sum, one) => sum + (typeof one === 'function' ? 1 : one.length), 0);
    return json(response, all, { 'x-wp-totalpages': String(pages.length), 'x-wp-total': String(count) });
  });
  engine.atEnd(() => remote.close());
  const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });
  await site.credentials('administrator');
  return { remote, site, routes, files };
}

interface Moved {
  readonly isWhole: boolean;
  readonly told: Told;
  readonly notes: string[];
}

async function moved({ remote, site }: { remote: AskedRemote; site: TestSite }, unfiltered = true): Promise<Moved> {
  const { services } = site.app;
  const notes: string[] = [];
  const pace = { wait: async () => {}, now: () => noon };
  const asking = { outgoing: services.outgoing, pace };
  const sizes: FileSizes = new Map();
  const { spool, outgoing } = services;
  const sources = await openSources({ spool, outgoing, isFetching: true, withinHost: true, limit: 1e6, isDry: false });
  const file = createFetching({ sources, sizes, pace, dryRun: false });
  const found = await discover(remote.url, asking);
  const told = { map: {}, role: 'author', unfiltered, rewrite: true, keepTermIds: false, dryRun: false };
  const source = createSource(found, asking);
  const note = (line: string) => void notes.push(line);
  return withImportLease(services, { holder: 'a test', what: 'A test' }, async (store) => {
    const arriving = createArriving({ ...services, store, url: site.config.url }, { ...told, from: found.home, file });
    const isWhole = await moveFromSite({ source, arriving, sizes, note, progress: () => {} });
    return { isWhole, told: arriving.report.told(), notes };
  });
}

const post = (id: number, more: object = {}) => ({
  id,
  date: '2025-01-01T10:00:00',
  date_gmt: '2025-01-01T10:00:00',
  modified: '2025-01-01T10:00:00',
  modified_gmt: '2025-01-01T10:00:00',
  slug: `post-${id}`,
  status: 'publish',
  guid: { rendered: `https://there.test/?p=${id}` },
  title: { rendered: `Post ${id}` },
  content: { rendered: '<p>Text</p>', protected: false },
  excerpt: { rendered: '<p>Text</p>' },
  author: 7,
  categories: [],
  tags: [],
  ...more,
});

const titles = async (site: TestSite): Promise<string[]> => {
  const { body } = await site.get('/api/core/v2/posts?per_page=100&orderby=id&order=asc');
  return body.map(({ title }: { title: { rendered: string } }) => title.rendered);
};

const faults = ({ told }: Moved) => told.errors.map(({ title, id, code }) => [title, ...(id ? [id] : []), code]);

const refusing = (status: number) => (response: ServerResponse) => void response.writeHead(status).end();

eachEngine('A site that moves in', (engine) => {
  test('is taken as far as it is whole, and told by address and record where it is not', async () => {
    const records = [
      post(1),
      'post',
      post(3, { title: 5 }),
      post(4, { categories: ['one'] }),
      post(5, { date: '0000-00-00T00:00:00', date_gmt: null }),
      post(6, { meta: 'none', sticky: 'yes', author: null, menu_order: null }),
      { id: -7 },
      post(8, { content: { rendered: '', protected: true } }),
    ];
    const double = await aDouble(engine, { posts: [records] });
    const outcome = await moved(double);
    assert.deepEqual(await titles(double.site), ['Post 1', 'Post 6']);
    const page = 'posts?per_page=100&page=1, record';
    assert.deepEqual(faults(outcome), [
      [`${page} 2`, 'malformed'],
      [`${page} 3`, 3, 'malformed'],
      [`${page} 4`, 4, 'malformed'],
      [`${page} 7`, 'malformed'],
      ['Post 5', 5, 'invalid_date'],
    ]);
    assert.deepEqual([outcome.isWhole, outcome.told.items.post], [true, { created: 2, skipped: 1, failed: 5 }]);
    assert.deepEqual(
      outcome.told.notes.map(({ id, code }) => [id, code]),
      [[8, 'protected']],
    );
  });

  test('that does not show something, or shows no JSON, is read on', async () => {
    const html = (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
    const routes = {
      users: [refusing(401)],
      blocks: [refusing(404)],
      pages: [html],
      posts: [[post(1)]],
      comments: [refusing(403)],
    };
    const double = await aDouble(engine, routes);
    const outcome = await moved(double);
    assert.deepEqual(await titles(double.site), ['Post 1']);
    assert.deepEqual(outcome.notes, [
      'Users: the other site does not show them.',
      'Reusable blocks: the other site does not show them.',
    ]);
    assert.deepEqual(faults(outcome), [
      ['Pages', 'not_fetched'],
      ['Comments', 'not_fetched'],
    ]);
    assert.equal(outcome.isWhole, true);
  });

  test('that refuses a later page is told so, whatever it shows otherwise', async () => {
    const tag = { id: 3, slug: 'a', name: 'A', description: '', parent: 0 };
    const double = await aDouble(engine, { posts: [[post(1)], refusing(400)], tags: [[tag], refusing(403)] });
    const outcome = await moved(double);
    assert.deepEqual(faults(outcome), [
      ['Terms', 'not_fetched'],
      ['Posts', 'not_fetched'],
    ]);
  });

  test('that shows fewer than it says it has is told so', async () => {
    const whole = (response: ServerResponse) =>
      void response
        .writeHead(200, { 'content-type': 'application/json', 'x-wp-total': '500', 'x-wp-totalpages': '1' })
        .end(JSON.stringify([post(1)]));
    const double = await aDouble(engine, { posts: [whole] });
    const outcome = await moved(double);
    assert.deepEqual([faults(outcome), outcome.told.items.post?.created], [[['posts', 'incomplete']], 1]);
  });

  test('that goes away is gone on with later, and nothing is made twice', async () => {
    const first = [post(3, { content: { rendered: '<a href="https://there.test/x">x</a>' } }), post(4)];
    const routes: Record<string, Page[]> = { posts: [first, refusing(503)] };
    const double = await aDouble(engine, routes);
    const cut = await moved(double);
    assert.deepEqual([cut.isWhole, faults(cut)], [false, [['Posts', 'not_fetched']]]);
    assert.equal(double.remote.asked.filter(({ url }) => url?.includes('page=2')).length, 6);
    routes.posts![1] = [post(9), post(12)];
    const again = await moved(double);
    assert.deepEqual([again.isWhole, again.told.items.post], [true, { created: 2, skipped: 2, failed: 0 }]);
    assert.deepEqual(await titles(double.site), ['Post 3', 'Post 4', 'Post 9', 'Post 12']);
    const { body } = await double.site.get('/api/core/v2/posts/3');
    assert.match(body.content.rendered, /href="http:\/\/site\.test\/x"/);
  });

  test('has each file judged as an upload, from its own host, and weighed', async () => {
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const bytes = (body: Uint8Array | string) => (response: ServerResponse) => void response.writeHead(200).end(body);
    const files = {
      '/2024/05/a.png': bytes(picture),
      '/b.png': bytes('<script>'),
      '/c.png': bytes(picture),
      '/d.png': (response: ServerResponse) =>
        void response.writeHead(302, { location: 'http://127.0.0.1:9/d.png' }).end(),
      '/e.png': refusing(404),
      '/f.png': bytes(new Uint8Array(1e6 + 1)),
      '/g.php': bytes('<?php'),
    };
    const routes: Record<string, Page[]> = {};
    const double = await aDouble(engine, routes, files);
    // What nobody said of a file is its title, as a link.
    const made = {
      caption: { rendered: '<p>Post 1</p>' },
      description: { rendered: '<p class="attachment"><a>Post 1</a></p>' },
    };
    const file = (id: number, path: string, filesize?: number) =>
      post(id, { source_url: `${double.remote.url}${path}`, status: 'inherit', media_details: { filesize } });
    routes.media = [
      [
        { ...file(1, '/2024/05/a.png', picture.length), ...made },
        file(2, '/b.png'),
        file(3, '/c.png', picture.length + 1),
        file(4, '/d.png'),
        file(5, '/e.png'),
        file(6, '/f.png'),
        file(7, '/g.php'),
        { ...file(8, '/x'), source_url: 'file:///etc/passwd' },
        { ...file(9, '/x'), source_url: 'http://127.0.0.1:9/x.png' },
      ],
    ];
    const outcome = await moved(double);
    assert.deepEqual(
      faults(outcome).map(([, id, code]) => [id, code]),
      [
        [2, 'rest_upload_sideload_error'],
        [3, 'size_mismatch'],
        [4, 'unsafe_url'],
        [5, 'not_fetched'],
        [6, 'not_fetched'],
        [7, 'rest_upload_sideload_error'],
        [8, 'unsafe_url'],
        [9, 'unsafe_url'],
      ],
    );
    const { body } = await double.site.get('/api/core/v2/media');
    assert.deepEqual(
      body.map(({ id, source_url, caption }: Record<string, unknown>) => [id, source_url, caption]),
      [[1, 'http://site.test/wp-content/uploads/2024/05/a.png', { rendered: '' }]],
    );
  });

  test('has its texts filtered where that is asked for, and its marks of test data left out', async () => {
    const content = { rendered: '<p onclick="x()">Text<script>x()</script></p>' };
    const meta = { _datagen: 1, _datagen_run: 'spring', mood: 'good' };
    const double = await aDouble(engine, { posts: [[post(1, { content, meta })]] });
    await moved(double, false);
    const { body } = await double.site.get('/api/core/v2/posts/1');
    assert.doesNotMatch(body.content.rendered, /onclick|<script/);
    const kept = await double.site.app.services.store.db.selectFrom('post_meta').select('key').execute();
    assert.deepEqual(
      kept.map(({ key }) => key),
      ['mood'],
    );
  });

  test('has what is said answer what it answers, over pages', async () => {
    const said = (id: number, of: number, parent = 0) => ({
      id,
      post: of,
      parent,
      author: 0,
      author_name: `N${id}`,
      date: '2025-01-02T10:00:00',
      date_gmt: '2025-01-02T10:00:00',
      content: { rendered: `<p>C${id}</p>` },
      status: 'approved',
      type: 'comment',
    });
    const comments = [
      [said(2, 1), said(5, 1, 2)],
      [said(9, 1, 5), said(4, 3), { ...said(6, 3), post: 'x' }],
    ];
    const double = await aDouble(engine, { posts: [[post(1), post(3)]], comments });
    const outcome = await moved(double);
    assert.deepEqual(outcome.told.comments, { created: 4, skipped: 0, failed: 1 });
    const { body } = await double.site.get('/api/core/v2/comments?orderby=id&order=asc&post=1');
    const ids = body.map(({ id }: { id: number }) => id);
    assert.deepEqual(
      body.map(({ author_name, parent }: { author_name: string; parent: number }) => [
        author_name,
        ids.indexOf(parent),
      ]),
      [
        ['N2', -1],
        ['N5', 0],
        ['N9', 1],
      ],
    );
  });
});

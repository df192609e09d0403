import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import type { offline } from '#test/offline.ts';
import { aSiteThatReachesItself } from '#test/own-world.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';

const root = '/api/core-block-editor/v1';
const page = '<title>Salt &amp; pepper</title><link rel=icon href=/i.png><meta name=description content=Spices>';

const detailsOf = (site: TestSite, url: string, role = 'author') =>
  site.as(role).get(`${root}/url-details?url=${encodeURIComponent(url)}`);

eachEngine('What a page says of itself', async (engine) => {
  const remote: AskedRemote = await aRemote((request, response) => {
    const [status, type, body] = answers[request.url!] ?? [404, 'text/html', 'not here'];
    if (status >= 300 && status < 400) response.setHeader('Location', body);
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });
  after(() => remote.close());
  const answers: Record<string, readonly [status: number, type: string, body: string]> = {
    '/page': [200, 'text/html; charset=utf-8', page],
    '/other-letters': [200, 'text/html; charset=iso-8859-1', '<title>Caf\u00e9</title>'],
    '/long': [200, 'text/html', `<title>Long</title>${' '.repeat(400_000)}<meta name=description content=late>`],
    '/picture': [200, 'image/png', '<title>no page</title>'],
    '/empty': [200, 'text/html', ' \n'],
    '/bare': [204, 'text/html', ''],
    '/moved': [302, 'text/html', '/page'],
    '/inside': [302, 'text/html', 'http://127.0.0.1:1/'],
  };
  const at = (path: string) => new URL(path, remote.url).href;
  const aGuarded = (options: SiteOptions = {}) =>
    aSite(engine, { ...options, env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host } });

  test('is told to whoever writes, in one way on both faces', async () => {
    const site = await aGuarded();
    const said = { title: 'Salt & pepper', icon: at('/i.png'), description: 'Spices', image: '' };
    const { status, body } = await detailsOf(site, at('/page'));
    assert.deepEqual([status, body], [200, said]);
    const classic = `/wp-json/wp-block-editor/v1/url-details?url=${encodeURIComponent(at('/moved'))}`;
    assert.deepEqual((await site.as('contributor').get(classic)).body, said);
  });

  test('is told to nobody else, and nobody is asked for them', async () => {
    const nobody: typeof offline = {
      lookup: (name) => assert.fail(`${name} was looked up.`),
      connect: ({ address }) => assert.fail(`${address} was asked.`),
    };
    const site = await aGuarded({ world: nobody });
    const before = remote.asked.length;
    for (const [role, status] of [
      [undefined, 401],
      ['subscriber', 403],
    ] as const) {
      const asked = (url: string) => {
        const path = `${root}/url-details?url=${encodeURIComponent(url)}`;
        return role === undefined ? site.get(path) : site.as(role).get(path);
      };
      for (const url of ['http://named.example.org/', 'http://93.184.216.34/', 'http://site.test/', '']) {
        const answer = await asked(url);
        assert.deepEqual([answer.status, answer.body.code], [status, 'rest_cannot_view_url_details'], url);
      }
      // What an address says of itself is said before; what the operator allows is told to nobody.
      for (const url of [
        at('/page'),
        'http://10.0.0.1/',
        'http://[::1]/',
        'http://a.test',
        'http://db./',
        'ftp://a.org/',
      ]) {
        const answer = await asked(url);
        assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_param'], url);
        assert.deepEqual([Object.keys(answer.body.data.params), answer.body.data.details], [['url'], []], url);
      }
    }
    assert.equal(remote.asked.length, before);
  });

  test('is read from its beginning alone', async () => {
    const { body } = await detailsOf(await aGuarded(), at('/long'));
    assert.deepEqual([body.title, body.description], ['Long', '']);
  });

  test('is nothing, of what is no page', async () => {
    const { status, body } = await detailsOf(await aGuarded(), at('/picture'));
    assert.deepEqual([status, body], [200, { title: '', icon: '', description: '', image: '' }]);
  });

  test('is not told of what does not answer, or answers with nothing', async () => {
    const site = await aGuarded();
    for (const [url, code] of [
      [at('/missing'), 'no_response'],
      [at('/bare'), 'no_response'],
      [at('/empty'), 'no_content'],
      ['', 'rest_invalid_url'],
    ] as const) {
      const { status, body } = await detailsOf(site, url);
      assert.deepEqual([status, body.code], [404, code], url);
    }
  });

  test('is asked of no address inside, however it is written or reached', async () => {
    const site = await aGuarded();
    for (const url of [
      'nope',
      'ftp://example.org/',
      'http://user:pwd@example.org/',
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://0x7f.1/',
      'http://169.254.169.254/latest',
      'http://nowhere.test/',
      'file:///etc/passwd',
      at('/inside'),
    ]) {
      const { status, body } = await detailsOf(site, url);
      assert.equal(status, 400, `${url} ${JSON.stringify(body)}`);
      assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['url']], url);
      assert.deepEqual(body.data.details, []);
    }
  });

  test('is asked once an hour, and again when it was not told', async () => {
    let now = noon;
    const site = await aGuarded({ clock: () => now });
    const asked = async (path: string) => {
      const before = remote.asked.length;
      await detailsOf(site, at(path));
      return remote.asked.length - before;
    };
    assert.deepEqual([await asked('/page'), await asked('/page')], [1, 0]);
    assert.deepEqual([await asked('/missing'), await asked('/missing')], [1, 1]);
    now = new Date(noon.getTime() + hour);
    assert.equal(await asked('/page'), 1);
  });

  test('is told of a page of the site itself no longer than anybody sees it', async () => {
    const site = await aSiteThatReachesItself(engine);
    const author = site.as('author');
    const { body: post } = await author.post('/api/core/v2/posts', {
      title: 'Later closed',
      content: 'x',
      status: 'publish',
    });
    assert.match((await detailsOf(site, post.link)).body.title, /^Later closed/);
    await author.put(`/api/core/v2/posts/${post.id}`, { status: 'private' });
    const { status, body } = await detailsOf(site, post.link);
    assert.deepEqual([status, body.code], [404, 'no_response']);
  });

  test('is looked at for each in their turn, and for nobody without end', async () => {
    const held: (() => void)[] = [];
    const slow = await aRemote((request, response) => {
      const end = (): void => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Slow</title>');
      if (request.url!.startsWith('/slow')) held.push(end);
      else end();
    });
    after(() => slow.close());
    const site = await aSite(engine, { env: { GATEHOUSE_FETCH_ALLOW_HOSTS: slow.host } });
    const ask = (path: string, role: string) => detailsOf(site, new URL(path, slow.url).href, role);
    const waiting = Array.from({ length: 61 }, (_, at) => ask(`/slow${at}`, 'contributor'));
    // Whichever comes last is refused at once; the others wait for the slow site.
    const { status, body, headers } = await Promise.race(waiting);
    const refused = [status, body.code, headers.get('retry-after')];
    const other = await ask('/quick', 'editor');
    assert.deepEqual(refused, [429, 'too_many_requests', '60']);
    assert.equal(other.status, 200);
    assert.ok(held.length <= 2, `${held.length} at once`);
    let over = false;
    const all = Promise.all(waiting).finally(() => {
      over = true;
    });
    while (!over) {
      for (const end of held.splice(0)) end();
      await new Promise(setImmediate);
    }
    const answers = (await all).map((answer) => answer.status).sort();
    assert.deepEqual(answers, [...Array(60).fill(200), 429]);
  });

  test('is told of pages of the site itself, as anybody sees them', async () => {
    const site = await aSiteThatReachesItself(engine);
    const { status, body } = await detailsOf(site, 'http://site.test/');
    assert.equal(status, 200);
    assert.notEqual(body.title, '');
    const secret = await detailsOf(site, 'http://site.test/api/core/v2/users/me');
    assert.deepEqual([secret.status, secret.body.code], [404, 'no_response']);
  });
});

eachEngine('The navigation to begin with', (engine) => {
  const path = `${root}/navigation-fallback`;
  const listed = async (site: TestSite) => (await site.as('administrator').get('/api/core/v2/navigation')).body;

  test('is made once, however many ask at the same time', async () => {
    const site = await aSite(engine);
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.as('administrator').get(path)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    const [made, ...others] = await listed(site);
    assert.deepEqual([made.id, made.status, others], [answers[0]!.body.id, 'publish', []]);
    assert.equal(made.content.raw ?? '<!-- wp:page-list /-->', '<!-- wp:page-list /-->');
    assert.equal(answers[0]!.body._links.self[0].href, `http://site.test/api/core/v2/navigation/${made.id}`);
  });

  test('is the published one that was made last, and another once that is gone', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const add = async (title: string, status: string, date: string) =>
      (await admin.post('/api/core/v2/navigation', { title, status, date })).body.id;
    await add('Old', 'publish', '2026-01-01T12:00:00');
    const last = await add('New', 'publish', '2026-02-01T12:00:00');
    await add('Later', 'draft', '2026-03-01T12:00:00');
    assert.equal((await admin.get(path)).body.id, last);
    for (const { id } of await listed(site)) await admin.delete(`/api/core/v2/navigation/${id}`);
    const { body } = await admin.get(path);
    assert.ok(body.id > last);
  });

  test('is for who looks after the looks of the site, and nobody else leaves one behind', async () => {
    const site = await aSite(engine);
    for (const role of ['subscriber', 'author', 'editor']) {
      const { status, body } = await site.as(role).get(path);
      assert.deepEqual([status, body.code], [403, 'rest_cannot_create'], role);
    }
    const nobody = await site.get(path);
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'rest_cannot_create']);
    assert.deepEqual(await listed(site), []);
  });
});

eachEngine('The look of the site', (engine) => {
  test('comes as an archive, with the patterns that were published', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const add = (title: string, status: string) =>
      admin.post('/api/core/v2/blocks', {
        title,
        status,
        content: `<!-- wp:paragraph --><p>${title}</p><!-- /wp:paragraph -->`,
      });
    const { body: kept } = await add('../../Call to action', 'publish');
    await add('Not yet', 'draft');
    const response = await fetch(`${site.origin}${root}/export`, { headers: await site.credentials('administrator') });
    assert.equal(response.headers.get('content-type'), 'application/zip');
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename=site.zip');
    assert.match(response.headers.get('cache-control') ?? '', /no-store/);
    const names = namesIn(Buffer.from(await response.arrayBuffer()));
    assert.deepEqual(names, [
      'theme.json',
      'style.css',
      ...['index', 'archive', 'single', 'page', '404'].map((name) => `templates/${name}.html`),
      ...['header', 'footer'].map((name) => `parts/${name}.html`),
      `patterns/${kept.id}-call-to-action.json`,
    ]);
  });

  test('is for who looks after it', async () => {
    const site = await aSite(engine);
    for (const role of ['subscriber', 'author', 'editor']) {
      const { status, body } = await site.as(role).get(`${root}/export`);
      assert.deepEqual([status, body.code], [403, 'rest_cannot_export_templates'], role);
    }
    assert.equal((await site.get(`${root}/export`)).status, 401);
  });
});

/** By the list at its end. */
function namesIn(archive: Buffer): string[] {
  const names: string[] = [];
  let at = archive.readUInt32LE(archive.length - 6);
  for (let left = archive.readUInt16LE(archive.length - 12); left > 0; left -= 1) {
    const length = archive.readUInt16LE(at + 28);
    names.push(archive.subarray(at + 46, at + 46 + length).toString());
    at += 46 + length;
  }
  return names;
}

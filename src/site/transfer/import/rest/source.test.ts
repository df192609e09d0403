import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, describe, test } from 'node:test';
import { keptLog } from '#test/databases.ts';
import { aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { noon } from '#test/site.ts';
import { createOutgoing } from '../../../outgoing/guard.ts';
import { discover } from './discovering.ts';
import { type Asking, createSource, type Interface, isSafe } from './source.ts';

/** Another site that answers so, asked through the guard; nobody waits, and it is kept for how long they would. */
async function aSite(answer: RequestListener) {
  const site = await aRemote(answer);
  after(() => site.close());
  const waits: number[] = [];
  const outgoing = createOutgoing({ allowHosts: [site.host], version: '1', log: keptLog() });
  const pace = { wait: async (milliseconds: number) => void waits.push(milliseconds), now: () => noon };
  const asking: Asking = { outgoing, pace };
  return {
    url: site.url,
    asked: site.asked,
    waits,
    asking,
    find: (path = '/') => discover(`${site.url}${path}`, asking),
  };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  [status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body)] as const;

type Reply = readonly [status: number, headers: Record<string, string>, body?: string];

const answering = (reply: (path: string, at: number) => Reply): RequestListener => {
  let at = 0;
  return (request, response) => {
    const [status, headers, body] = reply(request.url ?? '', at++);
    response.writeHead(status, headers).end(body);
  };
};

const index = { name: 'There', home: 'https://there.test/', namespaces: ['x/v1', 'wp/v2'] };
const page: Reply = [200, { 'content-type': 'text/html' }, '<p>Hello'];
const missing: Reply = [404, { 'content-type': 'text/html' }, 'No'];

const inside = ({ root, namespace, home }: Interface) => [root.pathname + root.search, namespace, home];

describe('The interface of a site', () => {
  const places: readonly (readonly [string, asked: string, (path: string) => Reply, found: readonly string[]])[] = [
    [
      'is where its front page says',
      '/',
      (path) => {
        if (path === '/')
          return [200, { 'content-type': 'text/html', link: '</x>; rel="y", </odd/>; rel="https://api.w.org/"' }];
        return path.startsWith('/odd/') ? json(index) : missing;
      },
      ['/odd/', 'wp/v2', 'https://there.test'],
    ],
    [
      'is at the usual place',
      '/blog',
      (path) => (path.startsWith('/blog/wp-json/') ? json(index) : page),
      ['/blog/wp-json/', 'wp/v2', 'https://there.test'],
    ],
    [
      'may be an argument of the front page',
      '/',
      (path) => (path.startsWith('/?rest_route=') ? json(index) : missing),
      ['/?rest_route=%2F', 'wp/v2', 'https://there.test'],
    ],
    [
      'may be named itself',
      '/api/',
      () => json({ namespaces: ['core/v2'], home: 'https://a.test/blog/' }),
      ['/api/', 'core/v2', 'https://a.test/blog'],
    ],
    [
      'is where it leads within its host',
      '/',
      (path) => {
        if (path.startsWith('/wp-json/')) return [301, { location: '/in/wp-json/?_fields=name' }];
        return path.startsWith('/in/') ? json(index) : page;
      },
      ['/in/wp-json/', 'wp/v2', 'https://there.test'],
    ],
  ];
  test('is found where a site says', () =>
    checkRows(places, async ([, asked, reply, found]) =>
      assert.deepEqual(inside(await (await aSite(answering(reply))).find(asked)), found),
    ));

  const refused: readonly (readonly [string, Reply, RegExp])[] = [
    ['that has none', page, /^No API to import from was found at http/],
    ['of another kind', json({ namespaces: ['other/v1'] }), /^No API/],
    ['that answers what is no JSON', [200, { 'content-type': 'application/json' }, '{'], /is not JSON/],
    [
      'that says it is at another host',
      [200, { 'content-type': 'text/html', link: '<http://other.test/wp-json/>; rel="https://api.w.org/"' }],
      /^The API of this site is at http:\/\/other\.test; /,
    ],
    [
      'that leads to another host',
      [302, { location: 'http://other.test/' }],
      /^The other server redirects to another host, other\.test\.$/,
    ],
  ];
  test('is not found, with a sentence that says why', () =>
    checkRows(refused, async ([, reply, sentence]) => {
      const site = await aSite(answering(() => reply));
      await assert.rejects(site.find(), ({ message }: Error) => sentence.test(message));
      assert.ok(site.asked.length <= 6);
    }));

  test('is not looked for at unsafe addresses', () =>
    checkRows(
      [
        ['ftp://a.test', /begins with https/],
        ['https://ada:secret@a.test', /: The URL must not contain a login; give it with --user\.$/],
        ['http://127.0.0.1:9/', /: This URL cannot be used/],
      ] as const,
      async ([address, sentence]) => {
        const { asking } = await aSite(answering(() => page));
        await assert.rejects(discover(address, asking), sentence);
      },
    ));
});

describe('A site that is asked', () => {
  const found = (url: string): Interface => ({ root: new URL('/wp-json/', url), namespace: 'wp/v2', home: url });
  const credential = { login: 'ädä', password: 'a b c' };

  test('is told who asks, at its interface alone, and how much it says there is', async () => {
    const site = await aSite(answering(() => json([], 200, { 'x-wp-total': '12', 'x-wp-totalpages': 'many' })));
    const source = createSource(found(site.url), site.asking, credential);
    assert.deepEqual(await source.get('posts', { page: 2, status: 'any' }), { body: [], total: 12, pages: undefined });
    const [{ url, headers }] = site.asked as [(typeof site.asked)[0]];
    assert.equal(url, '/wp-json/wp/v2/posts?page=2&status=any');
    assert.equal(headers.authorization, `Basic ${Buffer.from('ädä:a b c').toString('base64')}`);
  });

  test('is sent a password over HTTPS or inside the machine alone', () =>
    checkRows(
      [
        ['https://a.test/wp-json/', true],
        ['http://a.test/wp-json/', false],
        ['http://127.0.0.1:8080/wp-json/', true],
        ['http://inside:8080/wp-json/', true],
        ['http://inside/wp-json/', false],
      ] as const,
      ([address, safe]) => assert.equal(isSafe(new URL(address), ['inside:8080']), safe),
    ));

  test('by an argument of its front page', async () => {
    const site = await aSite(answering(() => json([])));
    const root = new URL('/index.php?rest_route=/', site.url);
    await createSource({ ...found(site.url), root }, site.asking).get('posts', { page: 1 });
    assert.equal(site.asked[0]?.url, '/index.php?rest_route=%2Fwp%2Fv2%2Fposts&page=1');
    assert.equal(site.asked[0]?.headers.authorization, undefined);
  });

  test('is asked again as late as it says, or later and later', async () => {
    const date = new Date(noon.getTime() + 9_500).toUTCString();
    const replies: Reply[] = [
      [429, { 'retry-after': '7' }],
      [503, { 'retry-after': date }],
      [502, {}],
      [500, { 'retry-after': 'soon' }],
      json([1]),
    ];
    const site = await aSite(answering((_, at) => replies[at]!));
    assert.deepEqual((await createSource(found(site.url), site.asking).get('posts', {})).body, [1]);
    assert.deepEqual(site.waits, [7000, 9000, 4000, 8000]);
  });

  test('is not asked for ever, nor after a day', async () => {
    const down = await aSite(answering(() => [503, {}]));
    await assert.rejects(createSource(found(down.url), down.asking).get('posts', {}), { fault: 'status', status: 503 });
    assert.deepEqual([down.asked.length, down.waits], [6, [1000, 2000, 4000, 8000, 16_000]]);
    const away = await aSite(answering(() => [503, { 'retry-after': '86400' }]));
    await assert.rejects(createSource(found(away.url), away.asking).get('posts', {}), { status: 503 });
    assert.deepEqual([away.asked.length, away.waits], [1, []]);
  });

  test('is at its end where it says so itself, and not where it is refused', async () => {
    const said = (code: string) => json({ code, data: { status: 400 } }, 400);
    const end = await aSite(answering(() => said('rest_post_invalid_page_number')));
    const beyond = await createSource(found(end.url), end.asking).get('posts', { page: 9 });
    assert.deepEqual(beyond, { body: [], total: undefined, pages: undefined });
    const html = { 'content-type': 'text/html' };
    const others: Reply[] = [said('blocked'), json(null, 400), json([], 400), [400, html, '<p>No'], [400, {}]];
    for (const reply of others) {
      const site = await aSite(answering(() => reply));
      const expected = { fault: 'status', status: 400, message: 'The other server answered with an error (400).' };
      await assert.rejects(createSource(found(site.url), site.asking).get('posts', { page: 9 }), expected);
    }
  });

  test('is not asked again for what it refuses, and believed in nothing but JSON of a bounded size', async () => {
    const large = `"${'a'.repeat(8 * 2 ** 20)}"`;
    for (const [reply, expected] of [
      [[403, {}], { fault: 'status', status: 403 }],
      [page, { fault: 'type' }],
      [[200, { 'content-type': 'application/json' }, large], { fault: 'size' }],
      [
        [200, { 'content-type': 'application/json' }, '[{]'],
        { code: 'malformed', message: 'The answer to posts is not JSON.' },
      ],
      [[200, { 'content-type': 'application/json' }, `${'['.repeat(2e6)}`], { code: 'malformed' }],
    ] as const) {
      const site = await aSite(answering(() => reply));
      await assert.rejects(createSource(found(site.url), site.asking, credential).get('posts', {}), expected);
      assert.equal(site.asked.length, 1);
    }
  });
});

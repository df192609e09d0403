import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { testRows } from '#test/rows.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';

const things = '/api/core/v2/things';
const paging = ({ headers }: Answer) => ({
  total: headers.get('x-wp-total'),
  pages: headers.get('x-wp-totalpages'),
  link: headers.get('link'),
});
const discovery = '<http://site.test/api/>; rel="https://api.w.org/"';
const page = (query: string, rel: string) => `<http://site.test${greetings}?${query}>; rel="${rel}"`;

eachEngine('Pages of a stored collection', (engine) => {
  const filled = async (): Promise<TestSite> => {
    const site = await aSite(engine);
    for (let at = 1; at <= 12; at++) await greet(site, `greeting ${at}`);
    return site;
  };

  test('hold ten items unless asked otherwise, and tell the totals', async () => {
    const site = await filled();
    const first = await site.get(greetings);
    assert.equal(first.body.length, 10);
    assert.deepEqual(paging(first), { total: '12', pages: '2', link: page('page=2', 'next') });
    const last = await site.get(`${greetings}?page=2`);
    assert.deepEqual(
      last.body.map(({ id }: { id: number }) => id),
      [2, 1],
    );
    assert.deepEqual(paging(last), { total: '12', pages: '2', link: page('page=1', 'prev') });
  });

  test('between two others link to both', async () => {
    const site = await filled();
    const middle = await site.get(`${greetings}?per_page=5&page=2&_fields=id`);
    assert.deepEqual(paging(middle), {
      total: '12',
      pages: '3',
      link: `${page('per_page=5&page=1&_fields=id', 'prev')}, ${page('per_page=5&page=3&_fields=id', 'next')}`,
    });
  });

  test('beyond the last are empty, with the true totals, and lead back to the last', async () => {
    const site = await filled();
    for (const beyond of ['50', '9007199254740991', '99999999999999999999']) {
      const answer = await site.get(`${greetings}?page=${beyond}`);
      assert.deepEqual([answer.status, answer.body], [200, []]);
      assert.deepEqual(paging(answer), { total: '12', pages: '2', link: page('page=2', 'prev') }, beyond);
    }
  });

  test('have totals that are numbers, whichever store counted', async () => {
    const site = await filled();
    const { headers } = (await site.get(`${greetings}?_envelope`)).body;
    assert.deepEqual([headers['X-WP-Total'], headers['X-WP-TotalPages']], [12, 2]);
  });

  test('of nothing are none', async () => {
    const site = await filled();
    const answer = await site.get(`${greetings}?search=qqqq`);
    assert.deepEqual([answer.body, paging(answer)], [[], { total: '0', pages: '0', link: discovery }]);
    const beyond = await site.get(`${greetings}?search=qqqq&page=2`);
    assert.deepEqual(paging(beyond).link, discovery);
  });
});

describe('Pages', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('are numbered from 1 and hold 1 to 100 items', async () => {
    const site = await probed();
    for (const query of ['page=0', 'page=-1', 'page=abc', 'page=1.5', 'page=', 'per_page=0', 'per_page=101']) {
      assert.equal((await site.get(`${things}?${query}`)).status, 400, query);
    }
    for (const query of ['page=1', 'page=1.0', 'page=+1', 'per_page=100', 'per_page=1e1', 'per_page=%202']) {
      assert.equal((await site.get(`${things}?${query}`)).status, 200, query);
    }
  });

  const links: [string, string, string][] = [
    ['puts the page at the end when it was not asked for', 'per_page=1', 'per_page=1&page=2'],
    ['replaces it in place', 'page=1&per_page=1', 'page=2&per_page=1'],
    ['writes what was understood, not what was sent', 'per_page=1.0&page=01', 'per_page=1&page=2'],
    ['writes true as 1', 'per_page=1&flag=TRUE', 'per_page=1&flag=1&page=2'],
    ['writes false as a bare name', 'per_page=1&flag=0', 'per_page=1&flag&page=2'],
    ['numbers lists', 'per_page=1&ids[]=2&ids[]=3', 'per_page=1&ids%5B0%5D=2&ids%5B1%5D=3&page=2'],
    ['numbers lists on one line', 'per_page=1&ids=2,3', 'per_page=1&ids%5B0%5D=2&ids%5B1%5D=3&page=2'],
    ['drops empty lists', 'per_page=1&ids=', 'per_page=1&page=2'],
    ['writes a blank as a plus', 'per_page=1&search=river%20stone', 'per_page=1&search=river+stone&page=2'],
    ['keeps reserved arguments', 'per_page=1&_fields=id,title&_embed', 'per_page=1&_fields=id%2Ctitle&_embed&page=2'],
    ['leaves out strangers', 'per_page=1&stranger=%22%3E&x', 'per_page=1&page=2'],
    [
      'lets nothing out of its brackets',
      'per_page=1&search=%3E%3B%22%0D%0A',
      'per_page=1&search=%3E%3B%22%0D%0A&page=2',
    ],
  ];
  const shared = engine.shared(probed);
  testRows('Link names the next page', links, async ([, sent, wanted]) => {
    const site = await shared();
    const { link } = paging(await site.get(`${things}?${sent}`));
    assert.equal(link, `<http://site.test/api/core/v2/things?${wanted}>; rel="next"`);
  });

  test('Link holds the query’s arguments alone, not those of a body', async () => {
    const site = await probed();
    const { link } = paging(await site.post(`${things}?_method=GET&per_page=1`, { search: 'body' }));
    assert.equal(link, '<http://site.test/api/core/v2/things?per_page=1&page=2>; rel="next"');
  });

  test('under rest_route link to the plain address', async () => {
    const site = await probed();
    const { link } = paging(await site.get('/?rest_route=/wp/v2/things&per_page=1'));
    assert.equal(link, '<http://site.test/wp-json/wp/v2/things?per_page=1&page=2>; rel="next"');
  });
});

interface Recorded {
  readonly name: string;
  readonly request: { readonly line: string };
  readonly response: { readonly headers: [string, string][]; readonly status: number };
}

describe('Recorded pages', () => {
  const engine = testEngine('sqlite');
  const file = new URL('../spec/recorded/pagination.json', import.meta.url);
  const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as { exchanges: Recorded[] };
  // The page and the number of pages are those of the recording; so is what its own collections know and ours does not.
  const ours = exchanges.filter(({ name }) => /^(?:page [12]|last page|(?:terms|users|comments) page)/.test(name));

  const shared = engine.shared(() => aSite(engine, withProbe()));
  testRows('have the same headers for the same query on a collection as long', ours, async ({ request, response }) => {
    const recorded = Object.fromEntries(response.headers.map(([key, value]) => [key.toLowerCase(), value]));
    const query = request.line.split(' ')[1]!.split('?')[1]!;
    const site = await shared();
    const answer = await site.get(`/wp-json/probe/v1/long-list?${query}`, { 'x-total': recorded['x-wp-total']! });
    const link = recorded.link!.replaceAll(/\/wp-json\/wp\/v2\/\w+/g, '/wp-json/probe/v1/long-list');
    assert.deepEqual(paging(answer), {
      total: recorded['x-wp-total'],
      pages: recorded['x-wp-totalpages'],
      link,
    });
  });

  test('are not few', () => assert.ok(ours.length >= 9));
});

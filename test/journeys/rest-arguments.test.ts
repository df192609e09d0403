import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { failureOf, greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite, type TestSite } from '#test/site.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const echo = '/api/probe/v1/echo';
const filled = { filled: 7, loose: '5' };

describe('Sources of arguments', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('the path is stronger than a body, a body than the query, and the query than a default', async () => {
    const site = await probed();
    const { body } = await site.post(`${echo}/5?number=7&word=query`, { number: 6, word: 'body' });
    assert.deepEqual(body, { number: 5, word: 'body' });
    assert.deepEqual((await site.post(`${echo}/5?number=7&word=query`, {})).body, { number: 5, word: 'query' });
    assert.deepEqual((await site.post(`${echo}?filled=1`, { filled: 2 })).body.filled, 2);
    assert.deepEqual((await site.post(`${echo}?filled=1`, 'filled=3', form)).body.filled, 3);
    assert.deepEqual((await site.get(`${echo}?filled=1`)).body.filled, 1);
    assert.deepEqual((await site.get(echo)).body, filled);
  });

  test('null in JSON does not hide a weaker source, and counts where the type takes it', async () => {
    const site = await probed();
    assert.equal((await site.post(`${echo}?word=query`, { word: null })).body.word, 'query');
    assert.deepEqual((await site.post(echo, { word: null, number: null })).body, filled);
    assert.equal((await site.post(`${echo}?maybe=query`, { maybe: null })).body.maybe, 'query');
    assert.deepEqual((await site.post(echo, { maybe: null })).body, { ...filled, maybe: null });
  });

  test('defaults are not coerced, and arguments that are left out are absent', async () => {
    const site = await probed();
    assert.deepEqual((await site.get(echo)).body, { filled: 7, loose: '5' });
    assert.deepEqual((await site.get(`${echo}?loose=6`)).body.loose, '6');
  });

  test('unknown and reserved arguments reach no handler', async () => {
    const site = await probed();
    const { body } = await site.post(`${echo}?stranger=1&_locale=user&word=a`, {
      other: 2,
      _fields: 'word',
    });
    assert.deepEqual(body, { ...filled, word: 'a' });
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.deepEqual(
        (
          await site.post(`${echo}?${name}=1&${name}[x]=1`, `{"${name}":{"word":"x"}}`, {
            'content-type': 'application/json',
          })
        ).body,
        filled,
        name,
      );
    }
  });
});

describe('Queries and forms', () => {
  const engine = testEngine('sqlite');
  const args = async (site: TestSite, query: string) => (await site.get(`${echo}?${query}`)).body;

  test('are read with brackets, and a plain key sent twice means its last value', async () => {
    const site = await aSite(engine, withProbe());
    const cases: [string, object][] = [
      ['list[]=a&list[]=b', { list: ['a', 'b'] }],
      ['list=a,b c', { list: ['a', 'b', 'c'] }],
      ['list=', { list: [] }],
      ['tree[x]=1', { tree: { x: '1' } }],
      ['tree[x][y]=1&tree[x][z]=2', { tree: { x: { y: '1', z: '2' } } }],
      ['tree[a][0][b]=1', { tree: { a: [{ b: '1' }] } }],
      ['word=a&word=b', { word: 'b' }],
      ['word=a+b', { word: 'a b' }],
      ['word=a%20b', { word: 'a b' }],
      ['word', { word: '' }],
      ['word=%2B%26%3D', { word: '+&=' }],
      ['&&word=a&', { word: 'a' }],
    ];
    for (const [query, wanted] of cases) {
      assert.deepEqual(await args(site, query), { ...filled, ...wanted }, query);
      const posted = await site.post(echo, query.replace('list=a,b c', 'list=a,b+c'), form);
      assert.deepEqual(posted.body, { ...filled, ...wanted }, `as a form: ${query}`);
    }
  });

  test('dots and spaces in top-level names become underscores', async () => {
    const site = await aSite(engine, withProbe());
    assert.deepEqual((await site.get('/api/probe/v1/passes?per.page=0')).status, 400);
    assert.deepEqual((await site.get('/api/probe/v1/passes?per%20page=5')).status, 200);
    assert.deepEqual((await site.get('/api/probe/v1/passes?per+page=x')).status, 400);
  });

  test('hold at most 1000 names and 64 levels', async () => {
    const site = await aSite(engine, withProbe());
    const names = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=1`).join('&');
    const levels = (count: number) => `tree${'[a]'.repeat(count - 1)}=1`;
    const refused = { status: 400, code: 'rest_invalid_param', data: { status: 400, params: {}, details: [] } };
    assert.equal((await site.post(echo, names(1000), form)).status, 200);
    assert.deepEqual(failureOf(await site.post(echo, names(1001), form)), refused);
    assert.deepEqual(failureOf(await site.get(`${echo}?${names(1001)}`)), refused);
    assert.equal((await site.get(`${echo}?${levels(64)}`)).status, 200);
    assert.deepEqual(failureOf(await site.get(`${echo}?${levels(65)}`)), refused);
  });
});

eachEngine('Arguments of a record', (engine) => {
  test('a body or a query never turns a request to another record', async () => {
    const site = await aSite(engine);
    const one = await greet(site, 'one');
    const two = await greet(site, 'two');
    const admin = site.as('administrator');
    const { body } = await admin.patch(`${greetings}/${one.id}?id=${two.id}`, { id: two.id, text: 'changed' });
    assert.deepEqual([body.id, body.text], [one.id, 'changed']);
    assert.equal((await site.get(`${greetings}/${two.id}`)).body.text, 'two');
  });

  test('fields that are fixed cannot be set, by nobody', async () => {
    const site = await aSite(engine);
    const sent = { author: 77, created_at: '1999-01-01T00:00:00Z', loud: 'no', id: 500 };
    const body = await greet(site, 'hello', sent);
    assert.deepEqual([body.id, body.author, body.loud], [1, 1, 'HELLO']);
    assert.ok(body.created_at.startsWith('2026-11-20T12:00:00'));
    const changed = (await site.as('administrator').put(`${greetings}/1`, sent)).body;
    assert.deepEqual([changed.id, changed.author, changed.loud], [1, 1, 'HELLO']);
  });

  test('null for an optional argument of a write is as if it were not sent', async () => {
    const site = await aSite(engine);
    await greet(site, 'hello', { mood: 'calm', note: 'quiet' });
    const { status, body } = await site.as('administrator').patch(`${greetings}/1`, { mood: null, note: null });
    assert.deepEqual([status, body.mood, body.note], [200, 'calm', 'quiet']);
  });
});

describe('A name that is sent several times', () => {
  const engine = testEngine('sqlite');
  const list = ['1', '2', '3'];

  test('is one list, where the argument is a list', async () => {
    const site = await aSite(engine, withProbe());
    for (const query of ['list=1&list=2&list=3', 'list=1,2&list=3', 'list=1&list[]=2&list[]=3', 'list[]=1&list=2,3']) {
      assert.deepEqual((await site.get(`${echo}?${query}`)).body.list, list, query);
      assert.deepEqual((await site.get(`/wp-json/probe/v1/echo?${query}`)).body.list, list, query);
      assert.deepEqual((await site.get(`/?rest_route=/probe/v1/echo&${query}`)).body.list, list, query);
      assert.deepEqual((await site.post(echo, query, form)).body.list, list, query);
      assert.deepEqual((await site.post(echo, ...inParts(query))).body.list, list, query);
    }
    const { body } = await site.get(`${echo}?list=1&list=2&word=a&word=b&number=3&number=4`);
    assert.deepEqual(body, { ...filled, list: ['1', '2'], word: 'b', number: 4 }, 'and the last one elsewhere');
  });

  test('is one list in the path of a batch', async () => {
    const site = await aSite(engine);
    const first = await site.as('editor').post('/api/core/v2/categories', { name: 'First' });
    const second = await site.as('editor').post('/api/core/v2/categories', { name: 'Second' });
    const path = `/core/v2/posts?title=Sorted&categories=${first.body.id}&categories=${second.body.id}`;
    const { body } = await site.as('editor').post('/api/batch/v1', { requests: [{ method: 'POST', path }] });
    assert.deepEqual(body.responses[0].body.categories, [first.body.id, second.body.id]);
  });

  test('chooses from a list as clients that were generated mean it, whichever answer was kept', async () => {
    const site = await aSite(engine);
    const editor = site.as('editor');
    const made: { id: number; post: number }[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      const { id } = (await editor.post('/api/core/v2/categories', { name })).body;
      const sent = { title: name, status: 'publish', categories: [id] };
      made.push({ id, post: (await editor.post('/api/core/v2/posts', sent)).body.id });
    }
    const [one, two] = made;
    const ids = async (query: string): Promise<number[]> =>
      (await site.get(`/wp-json/wp/v2/posts?orderby=id&order=asc&${query}`)).body.map(({ id }: { id: number }) => id);
    for (let time = 1; time <= 2; time++) {
      const both = [one?.post, two?.post];
      assert.deepEqual(await ids(`categories=${one?.id}&categories=${two?.id}`), both);
      assert.deepEqual(await ids(`categories=${two?.id}&categories=${one?.id}`), both);
      assert.deepEqual(await ids(`categories=${two?.id}`), [two?.post]);
      assert.deepEqual(await ids(`include=${one?.post}&include=${two?.post}`), both);
    }
    const { headers } = await site.get(`/wp-json/wp/v2/posts?per_page=1&categories=${one?.id}&categories=${two?.id}`);
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    assert.equal(new URL(next).searchParams.get('categories[1]'), String(two?.id), 'the next page is of the same list');
  });
});

/** A form in parts that says what this query says. */
function inParts(query: string): [body: string, headers: Record<string, string>] {
  const parts = query.split('&').map((pair) => {
    const [name, value] = pair.split('=');
    return `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  });
  return [`${parts.join('')}--edge--\r\n`, { 'content-type': 'multipart/form-data; boundary=edge' }];
}

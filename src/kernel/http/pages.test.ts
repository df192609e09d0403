import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { speak, written } from '#test/wire.ts';
import { clientAddresses } from './client.ts';
import type { Page, Visit } from './page.ts';
import { createHttp } from './server.ts';

let visits: Visit[] = [];
const visited = (visit: Visit) => {
  visits.push(visit);
  return { status: 200, type: 'text/html; charset=UTF-8', body: 'fine', headers: { 'Set-Cookie': ['a=1', 'b=2'] } };
};
const pages: Page[] = [
  { path: '/read', visit: visited },
  { path: '/form', takesForms: true, visit: visited },
  {
    path: '/broken',
    visit: () => {
      throw new Error('a secret of ours');
    },
  },
];

describe('A page', () => {
  const reported: unknown[] = [];
  const http = createHttp({
    missing: () => ({ status: 404, type: 'text/plain', body: 'There is no such page.\n' }),
    dispatch: () => assert.fail('no page is a route'),
    roots: { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' },
    layout: { base: '', prefix: 'api', faces: 'both' },
    tracking: { track: () => assert.fail(), watch: () => {}, isCurrent: true },
    pages,
    now: () => 0,
    credentialCookie: 'key',
    clientOf: clientAddresses([]),
    observe: () => {},
    report: (error) => reported.push(error),
  });
  let port = 0;
  before(async () => {
    port = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  after(() => http.close(100));

  const ask = async (line: string, body = '', ...headers: string[]) => {
    visits = [];
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
    const head = ['Host: x', 'Connection: close', ...length, ...headers];
    const { statuses, text } = await speak(port, [written(`${line} HTTP/1.1`, head, body)]);
    return { status: statuses[0], text };
  };
  const form = 'Content-Type: application/x-www-form-urlencoded';

  test('is given its query, and answers with every header of the same name', async () => {
    const answer = await ask('GET /read?a=1&b[]=2&b[]=3');
    assert.equal(answer.status, 200);
    assert.deepEqual(visits[0]?.query, { a: '1', b: ['2', '3'] });
    assert.deepEqual(answer.text.match(/^set-cookie: .*(?=\r$)/gim), ['set-cookie: a=1', 'set-cookie: b=2']);
  });

  test('is given what a form sent, when it takes forms', async () => {
    assert.equal((await ask('POST /form', 'log=anna&pwd=a+b%26c', form)).status, 200);
    assert.deepEqual([visits[0]?.method, { ...visits[0]?.form }], ['POST', { log: 'anna', pwd: 'a b&c' }]);
    assert.equal((await ask('POST /read', 'log=anna', form)).status, 404);
    assert.deepEqual(visits, []);
  });

  test('gets nothing from a body of another kind, or from one that came with a read', async () => {
    await ask('POST /form', 'hello', 'Content-Type: text/plain');
    assert.deepEqual({ ...visits[0]?.form }, {});
    await ask('GET /form', 'log=anna', form);
    assert.deepEqual({ ...visits[0]?.form }, {});
  });

  test('is spared a form larger than people write', async () => {
    assert.equal((await ask('POST /form', `log=${'a'.repeat(65_536)}`, form)).status, 413);
    assert.deepEqual(visits, []);
  });

  test('that fails is reported, and says nothing of our insides', async () => {
    const { status, text } = await ask('GET /broken');
    assert.equal(status, 500);
    assert.doesNotMatch(text, /secret/);
    assert.match(String(reported[0]), /a secret of ours/);
  });
});

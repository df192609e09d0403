import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { failureOf, greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const nowhere = { status: 404, code: 'rest_no_route', data: { status: 404 } };

eachEngine('Methods', (engine) => {
  test('_method in the query replaces the method of any request, in any letter case', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Hello');
    const admin = site.as('administrator');
    assert.equal((await admin.request('POST', `${greetings}/${id}?_method=GET`)).body.text, 'Hello');
    assert.equal((await admin.request('GET', `${greetings}/${id}?_method=patch&text=Bye`)).body.text, 'Bye');
    const { body } = await admin.request('GET', `${greetings}/${id}?_method=Delete`);
    assert.equal(body.deleted, true);
    assert.equal((await site.get(`${greetings}/${id}`)).status, 404);
  });

  test('X-HTTP-Method-Override does the same when _method is absent', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Hello');
    const admin = site.as('administrator');
    const as = (method: string) => ({ 'x-http-method-override': method });
    assert.equal((await admin.post(`${greetings}/${id}`, {}, as('get'))).status, 200);
    assert.equal((await admin.post(`${greetings}/${id}?_method=GET`, {}, as('DELETE'))).body.text, 'Hello');
    assert.equal((await admin.post(`${greetings}/${id}`, {}, as('DELETE'))).body.deleted, true);
  });

  test('a form field _method has no effect', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Hello');
    const { body } = await site.as('administrator').post(`${greetings}/${id}`, '_method=DELETE&text=Still', form);
    assert.equal(body.text, 'Still');
    assert.equal((await site.get(`${greetings}/${id}`)).status, 200);
  });

  test('an overridden method needs that method’s permission', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Hello');
    const { status, body } = await site.request('GET', `${greetings}/${id}?_method=DELETE`);
    assert.deepEqual([status, body.code], [401, 'rest_cannot_edit']);
    assert.equal((await site.get(`${greetings}/${id}`)).status, 200);
  });
});

describe('Other methods', () => {
  const engine = testEngine('sqlite');

  test('HEAD has the status and the headers of GET, and no body', async () => {
    const site = await aSite(engine);
    for (const text of ['one', 'two']) await greet(site, text);
    for (const path of [`${greetings}?per_page=1`, `${greetings}/1`, `${greetings}/99`, '/api/', '/api/nope']) {
      const headers = { 'accept-encoding': 'identity' };
      const got = await site.get(path, headers);
      const head = await site.request('HEAD', path, { headers });
      assert.deepEqual([head.status, head.text], [got.status, ''], path);
      const shown = (headers: Headers) =>
        [...headers].filter(([name]) => !/^(?:date|x-request-id|connection|keep-alive)$/.test(name));
      assert.deepEqual(shown(head.headers), shown(got.headers), path);
    }
  });

  test('HEAD of a first request, nothing kept yet, sends no body either', async () => {
    const site = await aSite(engine, withProbe());
    const { status, text, headers } = await site.request('HEAD', '/api/probe/v1/long');
    assert.deepEqual([status, text], [200, '']);
    assert.ok(Number(headers.get('content-length')) > 0 || headers.get('content-encoding') !== null);
    assert.equal((await site.request('HEAD', '/api/probe/v1/csv')).text, '');
  });

  test('_method=HEAD is a GET, and _method=OPTIONS describes', async () => {
    const site = await aSite(engine);
    const head = await site.post(`${greetings}?_method=HEAD`, {});
    assert.deepEqual([head.status, head.text, head.headers.get('content-length')], [200, '', '0']);
    assert.deepEqual((await site.get(`${greetings}?_method=OPTIONS`)).body.methods, ['GET', 'POST']);
  });

  test('OPTIONS is never a 404: an unknown path is an empty list without Allow', async () => {
    const site = await aSite(engine);
    for (const path of ['/api/nope', '/api/hello/v1/nope', `${greetings}/abc`]) {
      const { status, body, headers } = await site.options(path);
      assert.deepEqual([status, body, headers.get('allow')], [200, [], null], path);
    }
  });

  test('every other verb is an unknown route', async () => {
    const site = await aSite(engine);
    for (const method of ['PROPFIND', 'LINK', 'SEARCH']) {
      assert.deepEqual(failureOf(await site.request(method, greetings)), nowhere, method);
    }
    for (const method of ['TRACE', 'FOO', 'CONNECT']) {
      assert.deepEqual(failureOf(await site.post(`${greetings}?_method=${method}`, {})), nowhere, method);
    }
  });

  test('a refusal of an overridden request is stored nowhere; other answers to nobody may be', async () => {
    const site = await aSite(engine);
    const stored = async (method: string, path: string, headers = {}) =>
      (await site.request(method, path, { headers })).headers.get('cache-control');
    const nowhereStored = 'no-cache, must-revalidate, max-age=0, no-store, private';
    assert.equal(await stored('GET', `${greetings}/1?_method=DELETE`), nowhereStored);
    assert.equal(await stored('POST', `${greetings}/1`, { 'x-http-method-override': 'GET' }), nowhereStored);
    assert.equal(await stored('POST', `${greetings}?_method=GET`), null);
    assert.equal(await stored('GET', `${greetings}/1`), null);
  });

  test('an empty _method replaces nothing', async () => {
    const site = await aSite(engine);
    assert.equal((await site.get(`${greetings}?_method=`)).status, 200);
  });
});

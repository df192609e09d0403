import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { failureOf, greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';

const nowhere = { status: 404, code: 'rest_no_route', data: { status: 404 } };

eachEngine('Paths', (engine) => {
  test('are matched in any letter case', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Good morning');
    assert.equal((await site.get(`/api/HELLO/v1/Greetings/${id}`)).body.text, 'Good morning');
    assert.equal((await site.get('/api/Hello/V1')).body.namespace, 'hello/v1');
  });

  test('a path argument is a number however it is spelled, and one that names nothing gives the own 404', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Good morning');
    assert.equal((await site.get(`${greetings}/00${id}`)).body.id, id);
    for (const unknown of ['0', '999999', '99999999999999999999', `${Number.MAX_SAFE_INTEGER}`]) {
      const failure = failureOf(await site.get(`${greetings}/${unknown}`));
      assert.deepEqual(failure, { status: 404, code: 'hello_invalid_id', data: { status: 404 } }, unknown);
    }
  });

  test('a path argument that does not fit its pattern is an unknown path', async () => {
    const site = await aSite(engine);
    for (const unknown of ['abc', '-1', '1.0', '1/more', '%31x']) {
      assert.deepEqual(failureOf(await site.get(`${greetings}/${unknown}`)), nowhere, unknown);
    }
  });
});

describe('Slashes and spellings', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());

  test('one slash at the end is ignored, a doubled one is not', async () => {
    const site = await probed();
    assert.equal((await site.get('/api/probe/v1/echo/5/')).body.number, 5);
    assert.equal((await site.get('/api/')).status, 200);
    assert.equal((await site.get('/api')).status, 200);
    for (const path of ['/api//probe/v1/echo/5', '/api/probe//v1/echo/5', '/api/probe/v1/echo/5//', '/api//']) {
      assert.deepEqual(failureOf(await site.get(path)), nowhere, path);
    }
  });

  test('patterns are anchored at both ends', async () => {
    const site = await probed();
    for (const path of ['/api/x/probe/v1/echo', '/api/probe/v1/echoes', '/api/probe/v1/echo/5/6']) {
      assert.deepEqual(failureOf(await site.get(path)), nowhere, path);
    }
  });

  test('percent signs are decoded once, and what is not well encoded is taken as it is', async () => {
    const site = await probed();
    const words = { 'caf%C3%A9': 'café', 'a%20b': 'a b', 'a+b': 'a+b', '%2541': '%41', '%zz': '%zz', '%ff': '%ff' };
    for (const [sent, word] of Object.entries(words)) {
      assert.deepEqual((await site.get(`/api/probe/v1/word/${sent}`)).body, { word }, sent);
    }
    assert.equal((await site.get('/api/probe/v1/%65cho')).status, 200);
  });

  test('a path with a character that no store keeps is never what it would be without', async () => {
    const site = await probed();
    assert.deepEqual((await site.get('/api/probe/v1/word/a%00b')).body, { word: 'a%00b' });
    for (const path of ['/api/probe/v1/echo/1%00', '/api/probe/v1/ech%00o', '/?rest_route=/probe/v1/ech%00o'])
      assert.deepEqual(failureOf(await site.get(path)), nowhere, path);
  });

  test('an encoded slash is a slash, so that it cannot smuggle one into a path argument', async () => {
    const site = await probed();
    assert.deepEqual(failureOf(await site.get('/api/probe/v1/word/a%2Fb')), nowhere);
  });

  test('an unknown path, an unknown namespace and a known path with a method it lacks are all the same 404', async () => {
    const site = await probed();
    const asked = [
      await site.get('/api/probe/v1/nope'),
      await site.get('/api/nope/v9'),
      await site.delete('/api/probe/v1/long'),
      await site.post('/api/', {}),
      await site.get('/api/batch/v1'),
    ];
    for (const answer of asked) {
      assert.deepEqual(failureOf(answer), nowhere);
      assert.equal(answer.headers.get('allow'), null);
    }
  });

  test('the index answers with and without a slash, and under rest_route', async () => {
    const site = await probed();
    const wanted = (await site.get('/wp-json/')).text;
    for (const path of ['/wp-json', '/?rest_route=/', '/index.php?rest_route=/', '/?rest_route=%2F']) {
      assert.equal((await site.get(path)).text, wanted, path);
    }
  });

  test('rest_route gives the path and is no argument of the route', async () => {
    const site = await probed();
    const { body } = await site.get('/?rest_route=/probe/v1/echo&word=hi');
    assert.deepEqual(body, { word: 'hi', filled: 7, loose: '5' });
    assert.equal((await site.get('/index.php?word=hi&rest_route=%2Fprobe%2Fv1%2Fecho%2F3')).body.number, 3);
    assert.equal((await site.post('/?rest_route=/probe/v1/echo', { word: 'sent' })).body.word, 'sent');
    assert.deepEqual(failureOf(await site.get('/?rest_route=/probe/v1/nope')), nowhere);
    assert.match((await site.get('/?rest_route=')).headers.get('content-type') ?? '', /text\/html/);
    const { body: echoed } = await site.get('/api/probe/v1/echo?rest_route=/probe/v1/long&word=hi');
    assert.equal(echoed.word, 'hi');
  });
});

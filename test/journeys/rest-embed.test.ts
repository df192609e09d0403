import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite, type TestSite } from '#test/site.ts';

const things = '/api/core/v2/things';
const calls = async (site: TestSite) => (await site.get('/api/probe/v1/calls')).body;

eachEngine('_embed', (engine) => {
  test('brings the records that a record links to, as its embed context shows them', async () => {
    const site = await aSite(engine);
    await greet(site, 'first');
    const reply = await greet(site, 'second', { in_reply_to: 1 });
    await greet(site, 'third', { in_reply_to: reply.id });
    const { _embedded, _links } = (await site.get(`${greetings}/${reply.id}?_embed`)).body;
    assert.deepEqual(Object.keys(_embedded), ['in-reply-to', 'wp:replies']);
    assert.equal(_embedded['in-reply-to'].length, _links['in-reply-to'].length);
    const [first] = _embedded['in-reply-to'];
    assert.deepEqual([first.text, first.mood, first._embedded], ['first', undefined, undefined]);
    assert.ok(first._links.self[0].href.endsWith('/greetings/1'));
    const [[third]] = _embedded['wp:replies'];
    assert.deepEqual([third.text, third._embedded], ['third', undefined]);
  });

  test('on a list brings them for each of its items', async () => {
    const site = await aSite(engine);
    await greet(site, 'first');
    await greet(site, 'second', { in_reply_to: 1 });
    const { body } = await site.get(`${greetings}?_embed=in-reply-to`);
    assert.deepEqual(body[0]._embedded['in-reply-to'][0].text, 'first');
    assert.equal('_embedded' in body[1], false);
  });

  test('brings long lists as long as lists may be', async () => {
    const site = await aSite(engine);
    await greet(site, 'first');
    for (let at = 0; at < 12; at++) await greet(site, `reply ${at}`, { in_reply_to: 1 });
    const { _embedded } = (await site.get(`${greetings}/1?_embed`)).body;
    assert.equal(_embedded['wp:replies'][0].length, 12);
  });

  test('puts what has gone in place as its error', async () => {
    const site = await aSite(engine);
    await greet(site, 'first');
    await greet(site, 'second', { in_reply_to: 1 });
    await site.as('administrator').delete(`${greetings}/1`);
    const { status, body } = await site.get(`${greetings}/2?_embed=in-reply-to`);
    const [{ message, ...error }] = body._embedded['in-reply-to'];
    assert.deepEqual([status, error], [200, { code: 'hello_invalid_id', data: { status: 404 } }]);
    assert.equal(typeof message, 'string');
  });
});

describe('_embed in its forms', () => {
  const engine = testEngine('sqlite');
  const embedded = async (query: string, id = 1) => {
    const site = await aSite(engine, withProbe());
    return (await site.get(`${things}/${id}?${query}`)).body._embedded;
  };

  test('empty, 1 and true mean every embeddable link', async () => {
    for (const query of ['_embed', '_embed=', '_embed=1', '_embed=true']) {
      assert.deepEqual(Object.keys(await embedded(query)), ['next', 'wp:all', 'wp:one', 'secret'], query);
    }
  });

  test('a list means these relations, in any form of list', async () => {
    for (const query of ['_embed=next,wp:all', '_embed=next%20wp:all,zzz', '_embed[]=next&_embed[]=wp:all']) {
      assert.deepEqual(Object.keys(await embedded(query)), ['next', 'wp:all'], query);
    }
  });

  test('relations that are unknown or not embeddable bring nothing', async () => {
    for (const query of ['_embed=zzz', '_embed=self,about,curies', '_embed[]=constructor']) {
      assert.equal(await embedded(query), undefined, query);
    }
  });

  test('the list is parallel to the links; a link that is not embeddable has an empty list', async () => {
    const { next } = await embedded('_embed=next');
    assert.deepEqual([next[0].id, next[1], next[2].id], [2, [], 1]);
  });

  test('an error stands for a record that is not there, or not for this caller', async () => {
    const { next, secret } = await embedded('_embed', 3);
    assert.deepEqual([next[0].code, next[0].data], ['thing_invalid_id', { status: 404 }]);
    assert.deepEqual([secret[0].code, secret[0].data], ['rest_forbidden_context', { status: 401 }]);
  });

  test('the address of a linked list may say how long it is', async () => {
    const { 'wp:all': all, 'wp:one': one } = await embedded('_embed=wp:all,wp:one');
    assert.deepEqual([all[0].length, one[0].length], [3, 1]);
  });

  test('embeds with the same face as the answer', async () => {
    const site = await aSite(engine, withProbe());
    const { _embedded } = (await site.get('/wp-json/wp/v2/things/1?_embed=next')).body;
    assert.equal(_embedded.next[0]._links.self[0].href, 'http://site.test/wp-json/wp/v2/things/2');
  });

  test('the same address is fetched once for the whole answer', async () => {
    const site = await aSite(engine, withProbe());
    const { body } = await site.get(`${things}?_embed=next,wp:all`);
    assert.equal(body.length, 3);
    assert.deepEqual(await calls(site), { things: 2, thing: 3 }, 'the list itself, its embed, and things 1, 2 and 3');
  });

  test('an address is read as any request’s is, and one elsewhere is not followed', async () => {
    const site = await aSite(engine, withProbe());
    const { _embedded } = (await site.get('/api/probe/v1/linking?_embed=word,lost,elsewhere')).body;
    assert.deepEqual(_embedded.word, [{ word: 'café noir' }]);
    for (const rel of ['lost', 'elsewhere']) {
      const [{ code, data }] = _embedded[rel];
      assert.deepEqual([code, data], ['rest_no_route', { status: 404 }], rel);
    }
  });

  test('no links, no embeds: _fields without _links has none, with _embedded both', async () => {
    assert.equal(await embedded('_embed&_fields=id'), undefined);
    assert.equal((await embedded('_embed=next&_fields=id,_embedded')).next[0].id, 2);
    assert.equal((await embedded('_embed=next&_fields=id,_links')).next[0].id, 2);
    assert.equal((await embedded('_embed=next&_fields=id,_links.self,_embedded')).next[0].id, 2);
  });

  test('embedded records are whole whatever _fields asks of the record itself', async () => {
    const { next } = await embedded('_embed=next&_fields=id,_embedded');
    assert.deepEqual(next[0].title, { rendered: 'Thing 2' });
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';

const root = 'http://site.test/api';
const things = '/api/core/v2/things';
const curies = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

describe('_links', () => {
  const engine = testEngine('sqlite');

  test('of a record are absolute, their attributes first, without empty relations, with curies last', async () => {
    const site = await aSite(engine, withProbe());
    const { _links } = (await site.get(`${things}/2`)).body;
    assert.equal(
      JSON.stringify(_links),
      JSON.stringify({
        self: [{ href: `${root}/core/v2/things/2`, targetHints: { allow: ['GET'] } }],
        collection: [{ href: `${root}/core/v2/things` }],
        next: [
          { position: 1, embeddable: true, href: `${root}/core/v2/things/3` },
          { position: 2, href: `${root}/core/v2/things/1` },
          { embeddable: true, href: `${root}/core/v2/things/1` },
        ],
        'wp:all': [{ embeddable: true, href: `${root}/core/v2/things` }],
        'wp:one': [{ embeddable: true, href: `${root}/core/v2/things?per_page=1` }],
        secret: [{ embeddable: true, href: `${root}/core/v2/things/1?context=edit` }],
        about: [{ href: 'http://other.test/about' }],
        curies,
      }),
    );
  });

  test('of the items of a list are inside each item', async () => {
    const site = await aSite(engine);
    for (const text of ['one', 'two']) await greet(site, text);
    const { body } = await site.get(greetings);
    const selves = body.map(({ _links }: { _links: { self: { href: string }[] } }) => _links.self[0]?.href);
    assert.deepEqual(selves, [`${root}/hello/v1/greetings/2`, `${root}/hello/v1/greetings/1`]);
    assert.deepEqual(body[0]._links.curies, curies);
  });

  test('are absent from answers without any', async () => {
    const site = await aSite(engine, withProbe());
    assert.equal('_links' in (await site.get('/api/probe/v1/echo')).body, false);
  });
});

describe('targetHints', () => {
  const engine = testEngine('sqlite');

  test('say what this caller may do with this record', async () => {
    const site = await aSite(engine);
    const theirs = (await site.as('editor').post(greetings, { text: 'mine' })).body;
    const ours = await greet(site, 'the administrator’s');
    const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
    const hints = async (role: string | undefined) => {
      const { body } = await (role === undefined ? site : site.as(role)).get(greetings);
      return Object.fromEntries(
        body.map(({ id, _links }: { id: number; _links: Links }) => [id, _links.self[0]?.targetHints.allow]),
      );
    };
    assert.deepEqual(await hints(undefined), { [theirs.id]: ['GET'], [ours.id]: ['GET'] });
    assert.deepEqual(await hints('editor'), { [theirs.id]: all, [ours.id]: ['GET'] });
    assert.deepEqual(await hints('administrator'), { [theirs.id]: all, [ours.id]: all });
  });

  test('are what Allow says of the record itself', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'hello');
    for (const role of ['administrator', 'editor', 'subscriber']) {
      const { body, headers } = await site.as(role).get(`${greetings}/${id}`);
      assert.equal(headers.get('allow'), body._links.self[0].targetHints.allow.join(', '), role);
    }
  });
});

interface Links {
  readonly self: { readonly targetHints: { readonly allow: string[] } }[];
}

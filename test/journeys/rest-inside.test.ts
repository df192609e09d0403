// What is fetched from inside a request, and what a path says of a caller, on an extension that lays traps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { hello } from '../../examples/hello/extension.ts';

interface Trapped {
  readonly id: number;
  readonly name: string;
}

const traps: Entry<null> = ({ route, resource, t, when, created }) => {
  const trap = resource({
    name: 'trap',
    fields: { id: t.fixed(t.integer()), name: t.string() },
    links: (row: Trapped) => ({
      self: [{ href: `/trap/v1/traps/${row.name === '' ? row.id : row.name}` }],
      deed: [{ embeddable: true, href: '/hello/v1/greetings/1?_method=DELETE' }],
      whose: [{ embeddable: true, href: '/trap/v1/address' }],
    }),
  });
  const item = 'traps/(?P<id>[\\d]+)';
  const id = { id: t.integer() };
  const given = ({ args }: { args: { id: number } }) => ({ id: args.id, name: '' });
  return {
    name: 'traps',
    nouns: () => null,
    routes: {
      'trap/v1': [
        route({
          method: 'GET',
          path: 'address',
          summary: 'Where the client is',
          access: 'public',
          handle: ({ request }) => ({ address: request.address }),
        }),
        route({
          method: 'POST',
          path: 'traps',
          summary: 'A new one',
          access: 'public',
          resource: trap,
          args: { name: t.string() },
          handle: ({ args }) => created({ id: 1, name: args.name }),
        }),
        route({
          method: 'GET',
          path: 'document',
          summary: 'A document that looks as if it had links',
          access: 'public',
          handle: () => ({
            _links: { deed: [{ embeddable: true, href: 'http://site.test/api/hello/v1/greetings/1' }] },
          }),
        }),
        route({ method: 'GET', path: item, summary: 'One', access: 'public', resource: trap, args: id, handle: given }),
        route({
          method: 'PATCH',
          path: item,
          summary: 'Only by its owner',
          access: when((caller, args: { id?: number }) => args.id === caller.id),
          resource: trap,
          args: id,
          handle: given,
        }),
        route({
          method: 'DELETE',
          path: item,
          summary: 'Any but the first',
          access: when((_caller, args: { id?: number }) => args.id !== 1),
          resource: trap,
          args: id,
          handle: given,
        }),
      ],
    },
  };
};

describeAsync('From inside a request', async () => {
  const site = await aSite(testEngine('sqlite'), {
    extensions: [hello, traps],
    env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' },
  });

  test('a link is followed by reading, whatever method it names', async () => {
    await greet(site, 'still here');
    const { body } = await site.as('administrator').get('/api/trap/v1/traps/7?_embed=deed');
    assert.equal(body._embedded.deed[0].text, 'still here');
    assert.equal((await site.get(`${greetings}/1`)).status, 200);
  });

  test('a document that only looks as if it had links is left alone', async () => {
    const { status, body } = await site.get('/api/trap/v1/document?_embed');
    assert.deepEqual([status, Object.keys(body)], [200, ['_links']]);
  });

  test('what one client embeds of itself is never kept for the next', async () => {
    const seenBy = async (address: string) => {
      const { body } = await site.get('/api/trap/v1/traps/7?_embed=whose', { 'x-forwarded-for': address });
      return body._embedded.whose[0].address;
    };
    assert.deepEqual([await seenBy('203.0.113.7'), await seenBy('198.51.100.9')], ['203.0.113.7', '198.51.100.9']);
  });

  test('a new record of any name has an address that a header can hold', async () => {
    const { status, headers } = await site.post('/api/trap/v1/traps', { name: '中文\r\nX-Evil: 1' });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), 'http://site.test/api/trap/v1/traps/%E4%B8%AD%E6%96%87X-Evil:%201');
    assert.equal(headers.get('x-evil'), null);
  });

  for (const [id, caller, methods] of [
    [1, 'administrator', 'GET, PATCH'],
    [2, 'administrator', 'GET, DELETE'],
    [2, 'editor', 'GET, PATCH, DELETE'],
  ] as const) {
    test(`what ${caller} may do with ${id} is the same in OPTIONS, Allow and hints, and true`, async () => {
      const client = site.as(caller);
      const path = `/api/trap/v1/traps/${id}`;
      const record = await client.get(path);
      assert.equal(record.headers.get('allow'), methods);
      assert.equal((await client.options(path)).headers.get('allow'), methods);
      assert.equal(record.body._links.self[0].targetHints.allow.join(', '), methods);
      assert.equal((await client.patch(path, {})).status === 200, methods.includes('PATCH'));
      assert.equal((await client.delete(path)).status === 200, methods.includes('DELETE'));
    });
  }
});

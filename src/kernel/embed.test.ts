import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embed, parseEmbed } from './dispatch.ts';
import { RenderedLinks } from './shape.ts';

const link = (href: string, embeddable = true) => ({ href, ...(embeddable && { embeddable: true }) });
const links = (relations: Record<string, unknown>) => Object.assign(new RenderedLinks(), relations);
const fetched: string[] = [];
const fetch = async (href: string) => {
  fetched.push(href);
  return { href };
};

test('what is asked for is everything, or these relations', () => {
  for (const value of ['', '1', 'true', true]) assert.equal(parseEmbed(value), true, String(value));
  assert.equal(parseEmbed(undefined), undefined);
  const cases: [unknown, string[]][] = [
    ['author', ['author']],
    ['author,wp:term', ['author', 'wp:term']],
    ['author, wp:term  up', ['author', 'wp:term', 'up']],
    [
      ['author', 'up,self'],
      ['author', 'up', 'self'],
    ],
    [['author', 5, { x: 1 }], ['author']],
    [',', []],
    [{ x: 'author' }, []],
  ];
  for (const [value, wanted] of cases) assert.deepEqual([...(parseEmbed(value) as Set<string>)], wanted);
});

test('the same address is fetched once for a whole list, and each relation is parallel to its links', async () => {
  fetched.length = 0;
  const records = [1, 2].map((id) => ({
    id,
    _links: links({ up: [link('/up'), link('/no', false), link(`/${id}`)], self: [link('/s', false)] }),
  }));
  const body = (await embed(records, true, fetch)) as { _embedded: Record<string, unknown> }[];
  assert.deepEqual(fetched, ['/up', '/1', '/2']);
  assert.deepEqual(body[1]?._embedded, { up: [{ href: '/up' }, [], { href: '/2' }] });
});

test('a relation without any result is left out, be it the only one', async () => {
  const lists: Record<string, unknown> = { '/none': [], '/one': [{ id: 1 }] };
  const list = async (href: string) => lists[href];
  const record = { _links: links({ replies: [link('/none')], terms: [link('/one'), link('/none')] }) };
  const { _embedded } = (await embed(record, true, list)) as { _embedded: unknown };
  assert.deepEqual(_embedded, { terms: [[{ id: 1 }], []] });
  assert.equal(await embed(record, new Set(['replies']), list), record);
});

test('what has no links, or no embeddable ones, is left as it is', async () => {
  const bodies = [
    null,
    5,
    'text',
    [],
    { id: 1 },
    { _links: links({}) },
    { _links: links({ self: [link('/s', false)] }) },
  ];
  for (const body of bodies) assert.deepEqual(await embed(body, true, fetch), body);
  const record = { _links: links({ up: [link('/up')] }) };
  assert.equal(await embed(record, new Set(['zzz']), fetch), record);
});

test('links that were not made here are never followed, however they look', async () => {
  fetched.length = 0;
  const shapes = [{ up: [link('/up')] }, null, 5, { a: 5 }, { a: [null] }, { a: [{ embeddable: true, href: 5 }] }];
  for (const _links of shapes) assert.deepEqual(await embed({ _links }, true, fetch), { _links });
  assert.deepEqual(fetched, []);
});

test('the record that was given is not changed', async () => {
  const record = { _links: links({ up: [link('/up')] }) };
  const body = await embed(record, true, fetch);
  assert.notEqual(body, record);
  assert.equal('_embedded' in record, false);
});

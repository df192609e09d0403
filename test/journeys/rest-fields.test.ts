import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { testRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';

const things = '/api/core/v2/things';

describe('The context of an answer', () => {
  const engine = testEngine('sqlite');

  test('is view unless asked for, and decides which fields are shown', async () => {
    const site = await aSite(engine);
    const { id } = await greet(site, 'Hello', { note: 'to myself' });
    const admin = site.as('administrator');
    const shown = async (query: string) => {
      const { _links, ...record } = (await admin.get(`${greetings}/${id}${query}`)).body;
      return Object.keys(record);
    };
    const always = ['id', 'author', 'text', 'loud', 'in_reply_to'];
    const view = ['id', 'author', 'created_at', 'text', 'loud', 'mood', 'in_reply_to'];
    assert.deepEqual(await shown(''), view);
    assert.deepEqual(await shown('?context=view'), view);
    assert.deepEqual(await shown('?context=embed'), always);
    assert.deepEqual((await shown('?context=edit')).sort(), [...view, 'note'].sort());
  });

  test('removes members at any depth; an object left empty stays', async () => {
    const site = await aSite(engine, withProbe());
    const { body } = await site.get(`${things}/1`);
    assert.deepEqual([body.title, body.secrets, body.parts], [{ rendered: 'Thing 1' }, {}, [{ name: 'lid' }]]);
    assert.deepEqual((await site.get(`${things}/1?context=embed`)).body.title, { rendered: 'Thing 1' });
  });

  test('outside the three is refused', async () => {
    const site = await aSite(engine);
    const { status, body } = await site.get(`${greetings}?context=all`);
    assert.deepEqual([status, body.data.details.context.code], [400, 'rest_not_in_enum']);
  });

  test('of an answer to a write is edit', async () => {
    const site = await aSite(engine);
    assert.equal((await greet(site, 'Hello', { note: 'to myself' })).note, 'to myself');
    const admin = site.as('administrator');
    assert.equal((await admin.patch(`${greetings}/1`, { note: 'changed' })).body.note, 'changed');
    const gone = (await admin.delete(`${greetings}/1`)).body;
    assert.deepEqual([gone.deleted, gone.previous.note, '_links' in gone.previous], [true, 'changed', false]);
  });
});

describe('_fields', () => {
  const engine = testEngine('sqlite');
  const probed = () => aSite(engine, withProbe());
  const one = { id: 1 };
  const whole = { title: { rendered: 'Thing 1' } };

  const cases: [string, string, unknown][] = [
    ['keeps what it names', 'id,title', { ...one, ...whole }],
    ['may be split at white space', 'id,%20title', { ...one, ...whole }],
    ['may be split at plus signs', 'id+title', { ...one, ...whole }],
    ['selects inside with dots', 'id,title.rendered', { ...one, ...whole }],
    ['keeps the whole when the parent is named too', 'title.nothing,title', whole],
    ['keeps the whole when the parent is named first', 'title,title.nothing', whole],
    ['ignores names that are unknown', 'id,zzz,title.zzz', one],
    ['keeps the order of the record', 'title,id', { ...one, ...whole }],
    ['selects nothing with unknown names alone', 'zzz', []],
    ['leaves a member out when nothing inside it is named', 'title.zzz', []],
    ['does not find what the context hides', 'title.raw', []],
    ['is no way to what every object has', 'constructor,__proto__,toString', []],
  ];
  const shared = engine.shared(probed);
  testRows('keeps what it names', cases, async ([, fields, wanted]) => {
    const site = await shared();
    const { body } = await site.get(`${things}/1?_fields=${fields}`);
    assert.equal(JSON.stringify(body), JSON.stringify(wanted));
  });

  test('may be a list', async () => {
    const site = await probed();
    assert.deepEqual((await site.get(`${things}/1?_fields[]=id&_fields[]=title.rendered`)).body, { ...one, ...whole });
    assert.deepEqual((await site.get(`${things}/1?_fields[]=id,title&_fields[]=zzz`)).body, { ...one, ...whole });
  });

  test('that is empty is as if it were not given', async () => {
    const site = await probed();
    const wanted = (await site.get(`${things}/1`)).body;
    for (const empty of ['_fields=', '_fields', '_fields=,', '_fields=%20', '_fields[]=']) {
      assert.deepEqual((await site.get(`${things}/1?${empty}`)).body, wanted, empty);
    }
  });

  test('is applied to each item of a list, and keeps its paging', async () => {
    const site = await probed();
    const { body, headers } = await site.get(`${things}?_fields=id`);
    assert.deepEqual(body, [{ id: 1 }, { id: 2 }, { id: 3 }]);
    assert.equal(headers.get('x-wp-total'), '3');
  });

  test('must name _links to have them, and may name one of them', async () => {
    const site = await probed();
    const whole = (await site.get(`${things}/1`)).body._links;
    assert.equal('_links' in (await site.get(`${things}/1?_fields=id`)).body, false);
    for (const fields of ['id,_links', 'id,_embedded']) {
      assert.deepEqual((await site.get(`${things}/1?_fields=${fields}`)).body, { id: 1, _links: whole }, fields);
    }
    const self = (await site.get(`${things}/1?_fields=id,_links.self`)).body;
    assert.deepEqual(self, { id: 1, _links: { self: whole.self } });
  });

  test('is honoured in answers to writes, in answers that are no records, and in the index', async () => {
    const site = await probed();
    const admin = site.as('administrator');
    assert.deepEqual((await admin.post(`${greetings}?_fields=id,text`, { text: 'a' })).body, { id: 1, text: 'a' });
    assert.deepEqual((await admin.delete(`${greetings}/1?_fields=deleted`)).body, { deleted: true });
    assert.deepEqual((await site.post('/api/probe/v1/accepted?_fields=deep.one', {})).body, { deep: { one: 1 } });
    const { body } = await site.get('/api/?_fields=name,namespaces');
    assert.deepEqual(Object.keys(body), ['name', 'namespaces']);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from 'kysely';
import { eachEngine } from '#test/databases.ts';
import { type Answer, aSite } from '#test/site.ts';
import type { RuleTables } from './tables.ts';

const path = '/api/secsuite/v1/firewall/rules';
const looking = { parameter: 'get.never', match: { type: 'isset' } };
const config = { type: 'LOG', rules: [looking] };

eachEngine('Rules of the firewall', (engine) => {
  const aSuite = async (clock?: () => Date) => {
    const site = await aSite(engine, { deployment: 'a', ...(clock && { clock }) });
    const admin = site.as('administrator');
    const add = (name: string, more: object = {}) => admin.post(path, { name, config, ...more });
    return { site, admin, add, table: site.app.services.store as never as Store };
  };
  const names = ({ body }: Answer): string[] => body.map(({ name }: { name: string }) => name);

  test('are made, shown, and told where they are', async () => {
    const { admin, add } = await aSuite();
    const { status, body, headers } = await add('Guard the export');
    assert.equal(status, 201);
    const href = `http://site.test${path}/${body.id}`;
    assert.equal(headers.get('location'), href);
    const { id } = body;
    assert.deepEqual(body, {
      id,
      provider: 'user',
      provider_ref: '',
      name: 'Guard the export',
      vulnerability: '',
      config,
      created_at: '2026-11-20T12:00:00+00:00',
      paused_at: null,
      _links: { self: [{ href, targetHints: { allow: ['GET', 'PUT', 'DELETE'] } }] },
    });
    assert.deepEqual((await admin.get(`${path}/${id}`)).body, body);
    const [{ _links, ...embedded }] = (await admin.get(`${path}?context=embed`)).body;
    assert.deepEqual(Object.keys(embedded).sort(), ['created_at', 'id', 'name', 'paused_at', 'provider']);
  });

  test('keep whatever else is said of what they do', async () => {
    const { admin, add } = await aSuite();
    const more = {
      ...config,
      note: 'by hand',
      rules: [{ ...looking, mutations: ['intval'], inclusive: true, note: 1 }],
    };
    const { body } = await add('More', { config: more });
    assert.deepEqual((await admin.get(`${path}/${body.id}`)).body.config, more);
    const several = { ...config, rules: [{ ...looking, parameter: ['get.a', 'get.b'] }] };
    assert.deepEqual((await admin.put(`${path}/${body.id}`, { config: several })).body.config, several);
  });

  const refused: readonly [what: string, body: object, code: string, told?: RegExp][] = [
    ['no name', { config }, 'rest_missing_callback_param'],
    ['an empty name', { name: '', config }, 'rest_invalid_param'],
    ['a name too long', { name: 'x'.repeat(256), config }, 'rest_invalid_param'],
    ['nothing to do', { name: 'x' }, 'rest_missing_callback_param'],
    ['text to do', { name: 'x', config: 'a' }, 'rest_invalid_param'],
    ['no conditions', { name: 'x', config: { type: 'LOG', rules: [] } }, 'rest_invalid_param'],
    ['an unknown type', { name: 'x', config: { type: 'ZZZ', rules: [looking] } }, 'rest_invalid_param'],
    ['the same twice', { name: 'x', config: { type: 'LOG', rules: [looking, looking] } }, 'rest_invalid_param'],
    ['a rest that is no date', { name: 'x', config, paused_at: 'yesterday' }, 'rest_invalid_param'],
    ['false for nowhere', { name: 'x', config: { type: 'LOG', rules: [{ parameter: false }] } }, 'rest_invalid_param'],
    [
      'a match nobody knows',
      { name: 'x', config: { type: 'LOG', rules: [looking, { parameter: 'get.a', match: { type: 'zzz' } }] } },
      'rest_invalid_param',
      /config\.rules\[1\]\.match\.type/,
    ],
    [
      'a pattern that looks ahead',
      {
        name: 'x',
        config: { type: 'LOG', rules: [{ parameter: 'get.a', match: { type: 'regex', value: '/(?=a)/' } }] },
      },
      'rest_invalid_param',
      /config\.rules\[0\]\.match\.value/,
    ],
    [
      'a redirect that leads nowhere',
      { name: 'x', config: { type: 'REDIRECT', rules: [looking] } },
      'rest_invalid_param',
      /config\.type_params/,
    ],
  ];
  test('are refused when nobody could run them', async () => {
    const { admin, add } = await aSuite();
    const { id } = (await add('Good')).body;
    for (const [what, body, code, told] of refused) {
      const answer = await admin.post(path, body);
      assert.deepEqual([answer.status, answer.body.code], [400, code], what);
      if (told === undefined) continue;
      assert.match(answer.body.data.params.config, told, what);
      const changed = await admin.put(`${path}/${id}`, body);
      assert.deepEqual([changed.status, changed.body.code], [400, code], what);
    }
    assert.deepEqual(names(await admin.get(path)), ['Good']);
  });

  test('rest from now on, whatever time is sent, and run again', async () => {
    const time = { now: new Date('2026-11-20T12:00:00Z') };
    const { admin, add } = await aSuite(() => time.now);
    const { body } = await add('Resting', { paused_at: '2020-01-01T00:00:00Z' });
    assert.equal(body.paused_at, '2026-11-20T12:00:00+00:00');
    time.now = new Date('2026-11-20T13:00:00Z');
    const one = `${path}/${body.id}`;
    assert.equal((await admin.put(one, { paused_at: '2020-01-01T00:00:00Z' })).body.paused_at, body.paused_at);
    const renamed = await admin.put(one, { name: 'Other' });
    assert.deepEqual(
      [renamed.body.name, renamed.body.paused_at, renamed.body.config],
      ['Other', body.paused_at, config],
    );
    assert.equal((await admin.put(one, { paused_at: null })).body.paused_at, null);
    assert.equal(
      (await admin.put(one, { paused_at: '2020-01-01T00:00:00Z' })).body.paused_at,
      '2026-11-20T13:00:00+00:00',
    );
  });

  test('are found by a part of their name and by where they come from', async () => {
    const { admin, add, table } = await aSuite();
    for (const name of ['Guard the Export', 'Guard 100%', 'Élan']) await add(name);
    await add('Resting', { paused_at: '2020-01-01T00:00:00Z' });
    await table.write((tx) =>
      tx
        .updateTable('secsuite_firewall_rules')
        .set({ provider: 'vpatch', vulnerability: 'cve-1' })
        .where('name', '=', 'Élan')
        .execute(),
    );
    const found = async (query: string) => names(await admin.get(`${path}?${query}`));
    assert.deepEqual(await found(''), ['Resting', 'Élan', 'Guard 100%', 'Guard the Export']);
    assert.deepEqual(await found('search=guard'), ['Guard 100%', 'Guard the Export']);
    assert.deepEqual(await found('search=%25'), ['Guard 100%']);
    assert.deepEqual(await found('search=élAN'), ['Élan']);
    assert.deepEqual(await found('paused=true'), ['Resting']);
    assert.deepEqual(await found('paused=false&search=e'), ['Élan', 'Guard the Export']);
    assert.deepEqual(await found('provider[]=vpatch&provider[]=nobody'), ['Élan']);
    assert.deepEqual(await found('vulnerability[]=cve-1&provider[]=user'), []);
    const paged = await admin.get(`${path}?per_page=1&page=2&provider[]=user`);
    assert.deepEqual(names(paged), ['Guard 100%']);
    assert.deepEqual([paged.headers.get('x-wp-total'), paged.headers.get('x-wp-totalpages')], ['3', '3']);
    const beyond = await admin.get(`${path}?per_page=1&page=99`);
    assert.deepEqual([beyond.status, beyond.body], [200, []]);
    assert.match(beyond.headers.get('link') ?? '', /per_page=1&page=4>; rel="prev"/);
  });

  test('are gone once they were deleted', async () => {
    const { admin, add } = await aSuite();
    const one = `${path}/${(await add('Gone')).body.id}`;
    assert.equal((await admin.delete(one)).status, 204);
    for (const verb of ['get', 'delete', 'put'] as const)
      assert.deepEqual(codeOf(await admin[verb](one)), [404, 'rest_not_found'], verb);
  });

  test('are for those who manage the security of the site', async () => {
    const { site, add } = await aSuite();
    const { id } = (await add('Mine')).body;
    for (const [who, status] of [
      [site, 401],
      [site.as('editor'), 403],
    ] as const) {
      assert.deepEqual(codeOf(await who.get(path)), [status, 'rest_forbidden']);
      assert.deepEqual(codeOf(await who.get(`${path}/${id}`)), [status, 'rest_forbidden']);
      assert.deepEqual(codeOf(await who.post(path, { name: 'x', config })), [status, 'rest_forbidden']);
      assert.deepEqual(codeOf(await who.put(`${path}/${id}`, { name: 'x' })), [status, 'rest_forbidden']);
      assert.deepEqual(codeOf(await who.delete(`${path}/${id}`)), [status, 'rest_forbidden']);
    }
  });

  test('that cannot be read are counted and left out, keep nobody out, and can be written anew', async () => {
    const { site, admin, add, table } = await aSuite();
    await add('Good');
    const one = `${path}/${(await add('Broken')).body.id}`;
    await table.write((tx) =>
      tx.updateTable('secsuite_firewall_rules').set({ config: '{"rul' }).where('name', '=', 'Broken').execute(),
    );
    const listed = await admin.get(path);
    assert.deepEqual([names(listed), listed.headers.get('x-wp-total')], [['Good'], '2']);
    assert.deepEqual(codeOf(await admin.get(one)), [500, 'secsuite.firewall.invalid-rule']);
    assert.deepEqual(codeOf(await admin.put(one, { name: 'x' })), [500, 'secsuite.firewall.invalid-rule']);
    assert.equal((await site.get('/api/core/v2/posts')).status, 200);
    assert.equal((await admin.put(one, { config })).status, 200);
    await table.write((tx) => tx.updateTable('secsuite_firewall_rules').set({ config: '[]' }).execute());
    assert.equal((await admin.delete(one)).status, 204);
    site.log.lines.length = 0;
  });
});

interface Store {
  write(work: (tx: Transaction<RuleTables>) => Promise<unknown>): Promise<unknown>;
}

const codeOf = ({ status, body }: Answer) => [status, body.code];

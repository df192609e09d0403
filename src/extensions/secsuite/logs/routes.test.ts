import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite, noon } from '#test/site.ts';
import { hash } from '../../../../bench/log-entries.ts';
import { type NewEntry, toTheSecond } from './entry.ts';
import { createKeep } from './keeping.ts';

const root = '/api/secsuite/v1/logs';

const entry = (of: Partial<NewEntry>, ago = 0): NewEntry => ({
  parent_id: 0,
  module: 'core',
  code: 'done',
  type: 'notice',
  data: 'false',
  site: 1,
  user_id: 0,
  created_at: toTheSecond(noon.getTime() - ago),
  started_at: toTheSecond(noon.getTime() - ago),
  memory_current: 5,
  memory_peak: 7,
  url: 'https://site.example/page',
  remote_ip: '127.0.0.1',
  ...of,
});

async function aSiteWith(engine: TestEngine, entries: readonly NewEntry[], modules: Record<string, boolean> = {}) {
  const site = await aSite(engine, { deploys: () => ({ modules }) });
  const ids = await createKeep(site.app.services.store, hash)(entries);
  const admin = site.as('administrator');
  const found = async (query: string) => {
    const { status, body } = await admin.get(`${root}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.map(({ code }: { code: { raw: { code: string } } }) => code.raw.code);
  };
  return { site, admin, found, ids };
}

eachEngine('The log on the wire', (engine) => {
  test('shows an entry as it was kept, with names for people and links', async () => {
    const blocked = { module: 'firewall', code: 'BLOCK::6,x', type: 'action', data: '{"method":"GET"}' } as const;
    const { site, admin, ids } = await aSiteWith(engine, [entry({ ...blocked, remote_ip: '8.8.8.8', user_id: 3 })], {
      geolocation: true,
    });
    const { status, body } = await admin.get(`${root}/${ids[0]}`);
    assert.equal(status, 200);
    const { _links, ...record } = body;
    assert.deepEqual(record, {
      id: ids[0],
      parent: 0,
      module: { raw: 'firewall', rendered: 'Firewall' },
      code: { raw: { code: 'BLOCK', data: ['6', 'x'] }, rendered: 'Request blocked by rule 6' },
      type: { raw: 'action', rendered: 'Action' },
      created_at: '2026-11-20T12:00:00+00:00',
      request_started_at: '2026-11-20T12:00:00+00:00',
      url: 'https://site.example/page',
      ip: { raw: '8.8.8.8' },
      user: 3,
      memory_current: 5,
      memory_peak: 7,
      data: { method: 'GET' },
      site: 1,
    });
    const base = `${site.config.url}/api/secsuite/v1`;
    assert.deepEqual(_links.self, [{ targetHints: { allow: ['GET'] }, href: `${base}/logs/${ids[0]}` }]);
    assert.deepEqual(_links['secsuite:geolocate'], [{ embeddable: true, href: `${base}/geolocate/8.8.8.8` }]);
    assert.deepEqual(_links['secsuite:firewall-rule'], [{ embeddable: true, href: `${base}/firewall/rules/6` }]);
    assert.deepEqual([_links.curies.length, _links.curies[0].name], [1, 'secsuite']);
  });

  test('shows less of it where it is embedded', async () => {
    const { admin, ids } = await aSiteWith(engine, [entry({ code: 'a::1', module: 'unknown' })]);
    const { body } = await admin.get(`${root}/${ids[0]}?context=embed`);
    const { _links, ...record } = body;
    assert.deepEqual(Object.keys(record), [
      'id',
      'parent',
      'module',
      'code',
      'type',
      'created_at',
      'url',
      'ip',
      'user',
    ]);
    assert.deepEqual(Object.keys(_links), ['self'], 'nobody can be found at such an address');
    assert.deepEqual([record.module.rendered, record.code.rendered], ['unknown', 'a::1']);
    const { status, body: refusal } = await admin.get(`${root}?context=edit`);
    assert.deepEqual([status, refusal.code], [400, 'rest_invalid_param']);
  });

  test('is for whoever manages the site alone', async () => {
    const { site, ids } = await aSiteWith(engine, [entry({})]);
    for (const path of [root, `${root}/${ids[0]}`, `${root}/99999`])
      for (const [client, status] of [
        [site, 401],
        [site.as('editor'), 403],
      ] as const) {
        const refused = await client.get(path);
        assert.deepEqual([refused.status, refused.body.code], [status, 'rest_forbidden']);
      }
    const gone = await site.as('administrator').get(`${root}/99999`);
    assert.deepEqual([gone.status, gone.body.code], [404, 'rest_not_found']);
  });

  test('is found by every filter, and paged', async () => {
    const { admin, found } = await aSiteWith(engine, [
      entry({ module: 'm1', code: 'c1::a', type: 'error', user_id: 1, remote_ip: '2001:db8::1' }, 4 * minute),
      entry({ module: 'm1', code: 'c2', type: 'debug', user_id: 2, url: 'wp-cron', remote_ip: '' }, 3 * minute),
      entry({ module: 'm2', code: 'c3', type: 'error', user_id: 1, url: 'https://x.example/wp-login.php' }, 2 * minute),
    ]);
    const cases: readonly (readonly [query: string, codes: readonly string[]])[] = [
      ['order=asc&module[]=m1', ['c1', 'c2']],
      ['module[]=m1&module[]=m2&type=error', ['c3', 'c1']],
      ['module[]=m2&code[]=c1', []],
      ['code[]=c1', []],
      ['code[]=c1%25', ['c1']],
      ['code[]=c1%25&code[]=c3', ['c3', 'c1']],
      ['user[]=1&order=asc', ['c1', 'c3']],
      ['ip[]=2001:DB8:0::1', ['c1']],
      ['search=login&module[]=m2', ['c3']],
      ['search=2001:', ['c1']],
      ['module[]=m1&before=2026-11-20T11:57:00Z', ['c1']],
      ['module[]=m1&after=2026-11-20T12:56:00%2B01:00', ['c2']],
      ['module[]=m1&after=2026-11-20T11:56:00', ['c2']],
      ['module[]=m1&module[]=m2&orderby=user&order=asc', ['c1', 'c3', 'c2']],
      ['module[]=m1&module[]=m2&orderby=site', ['c3', 'c2', 'c1']],
      ['after=9999-12-31T23:59:59Z', []],
      ['module[]=m1&before=9999-12-31T23:59:59Z&after=0001-01-01T00:00:00Z', ['c2', 'c1']],
    ];
    for (const [query, codes] of cases) assert.deepEqual(await found(query), codes, query);
    const page = await admin.get(`${root}?module[]=m1&module[]=m2&per_page=2`);
    assert.deepEqual([page.headers.get('X-WP-Total'), page.headers.get('X-WP-TotalPages')], ['3', '2']);
    assert.match(page.headers.get('Link') ?? '', /page=2>; rel="next"/);
    const beyond = await admin.get(`${root}?module[]=m1&page=9`);
    assert.deepEqual([beyond.status, beyond.body, beyond.headers.get('X-WP-Total')], [200, [], '2']);
  });

  const wrong = [
    'type=loud',
    'ip[]=nowhere',
    'before=soon',
    'user[]=ada',
    'orderby=data',
    'per_page=101',
    `search=${'x'.repeat(1_001)}`,
    `module=${Array(101).fill('m').join(',')}`,
  ];
  test('refuses what nothing can be found by', async () => {
    const { admin } = await aSiteWith(engine, []);
    for (const query of wrong) {
      const { status, body } = await admin.get(`${root}?${query}`);
      assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], query.slice(0, 40));
    }
  });

  test('leads to the place of an address only where places are known', async () => {
    const { admin, ids } = await aSiteWith(engine, [entry({ remote_ip: '8.8.8.8' })]);
    assert.deepEqual(Object.keys((await admin.get(`${root}/${ids[0]}`)).body._links), ['self']);
  });

  test('takes odd terms for what they are', async () => {
    const url = "https://x.example/a'b\\100%_";
    const { found } = await aSiteWith(engine, [entry({ module: 'm', code: 'c', url, remote_ip: '' })]);
    const here = ["a'b", '\\100%_', '%_', '_', '%', "a\0'b"];
    for (const term of here) assert.deepEqual(await found(`module=m&search=${encodeURIComponent(term)}`), ['c'], term);
    const nowhere = ['__', '%%', '*', 'A', '\u{10ffff}', 'x'.repeat(1_000), '" or 1=1'];
    for (const term of nowhere) assert.deepEqual(await found(`module=m&search=${encodeURIComponent(term)}`), [], term);
  });

  test('goes into a file that nobody finds by guessing, under one name for good', async () => {
    const { admin } = await aSiteWith(engine, []);
    const settings = '/api/secsuite/v1/settings/global';
    const set = async (values: object) => (await admin.patch(settings, values)).body.log_info;
    assert.equal(await set({ log_type: 'database' }), '');
    const name = await set({ log_type: 'both' });
    assert.match(name, /^[\w-]{24}$/);
    for (const values of [{ log_type: 'file' }, { log_type: 'database' }, { log_type: 'both' }, { log_info: 'mine' }])
      assert.equal(await set(values), name, JSON.stringify(values));
  });
});

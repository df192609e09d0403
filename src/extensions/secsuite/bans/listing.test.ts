import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMany, bans, labelsOf, linkOf, list, suiteOfBans } from '#test/bans-alone.ts';
import { onBothStores } from '#test/databases.ts';
import { type Answer, noon } from '#test/site.ts';

onBothStores('Lists of bans', (engine) => {
  const aSuite = (clock?: () => Date) => suiteOfBans(engine, clock);
  const nextOf = (answer: Answer) => linkOf(answer, 'next');

  test('the newest come first, a stretch at a time, and each of them once', async () => {
    let now = noon.getTime();
    const { add, admin } = await aSuite(() => new Date(now));
    for (let at = 0; at < 7; at++) {
      if (at % 2 === 0) now += 1_500;
      await add(`203.0.113.${at}`);
    }
    const seen: string[] = [];
    let page = await admin.get(`${bans}?per_page=3&actor_type=user`);
    for (;;) {
      seen.push(...labelsOf(page));
      const next = nextOf(page);
      assert.ok(next?.startsWith(`${bans}?per_page=3&actor_type=user&after=`) ?? labelsOf(page).length === 1);
      if (next === undefined) break;
      page = await admin.get(next);
    }
    assert.deepEqual(
      seen,
      [6, 5, 4, 3, 2, 1, 0].map((at) => `203.0.113.${at}`),
    );
    assert.equal(nextOf(await admin.get(`${list}?per_page=7`)), undefined);
    assert.notEqual(nextOf(await admin.get(`${list}?per_page=6`)), undefined);
  });

  test('a place in the list that nobody gave out is refused', async () => {
    const { admin, add } = await aSuite();
    await add('203.0.113.5');
    const texts = ['zzz', '', '1-2', '1-2-3-4', '-1-2-3', '1.5-2-3', `${'9'.repeat(20)}-1-1`, "1-2-3' or 1=1"];
    for (const after of [...texts.map((text) => Buffer.from(text).toString('base64url')), '%', 'MS0yLTM=', 'M S0yLTM'])
      assert.deepEqual(
        (({ status, body }) => [status, body.code])(await admin.get(`${bans}?after=${encodeURIComponent(after)}`)),
        [400, 'secsuite_malformed_cursor'],
        after,
      );
  });

  test('bans are found by who made them and when', async () => {
    let now = noon.getTime();
    const { add, admin } = await aSuite(() => new Date(now));
    await add('203.0.113.1');
    now += 60_000;
    await add('203.0.113.2', { created_by: { type: 'lockout_module', id: 'brute_force' } });
    const found = async (query: string) => labelsOf(await admin.get(`${bans}?${query}`));
    assert.deepEqual(await found('actor_type=user'), ['203.0.113.1']);
    assert.deepEqual(await found('actor_type=lockout_module&actor_id=brute_force'), ['203.0.113.2']);
    assert.deepEqual(await found('actor_type=lockout_module&actor_id=1'), []);
    assert.deepEqual(await found('created_after=2026-11-20T12:00:00Z'), ['203.0.113.2']);
    assert.deepEqual(await found('created_after=2026-11-20T11:59:59'), ['203.0.113.2', '203.0.113.1']);
    assert.deepEqual(await found('created_before=2026-11-20T14:01:00%2B02:00'), ['203.0.113.1']);
    assert.deepEqual(await found('created_before=2020-01-01T00:00:00Z'), []);
    for (const [query, code] of [
      ['actor_type=zzz', 'rest_not_in_enum'],
      ['created_after=zzz', 'rest_invalid_date'],
      ['per_page=0', 'rest_out_of_bounds'],
      ['per_page=101', 'rest_out_of_bounds'],
    ] as const) {
      const { status, body } = await admin.get(`${bans}?${query}`);
      const [detail] = Object.values(body.data.details) as { code: string }[];
      assert.deepEqual([status, detail?.code], [400, code]);
    }
  });

  test('whoever looks for an address finds the narrowest ban that covers it, and for words those that say them', async () => {
    const { add, admin } = await aSuite();
    for (const host of ['1.0.0.0/8', '1.2.3.*', '1.2.3.4', '2001:db9::/32']) await add(host, { comment: `Of ${host}` });
    await add('9.9.9.9', { comment: '100%_Sure! It is ÉCOLE' });
    const found = async (search: string, more = '') =>
      labelsOf(await admin.get(`${bans}?search=${encodeURIComponent(search)}${more}`));
    assert.deepEqual(await found('1.2.3.77'), ['1.2.3.0/24']);
    assert.deepEqual(await found(' 1.2.3.4 '), ['1.2.3.4']);
    assert.deepEqual(await found('1.2.3.0/25', '&actor_type=lockout_module'), ['1.2.3.0/24']);
    assert.deepEqual(await found('1.2.*.*'), ['1.0.0.0/8']);
    assert.deepEqual(await found('2001:db9:ffff::1'), ['2001:db9::/32']);
    assert.deepEqual(await found('2.2.2.2'), []);
    assert.deepEqual(await found('1.0.0.0/7'), []);
    assert.deepEqual(await found('of 1.2'), ['1.2.3.4', '1.2.3.0/24']);
    assert.deepEqual(await found('%_sure'), ['9.9.9.9']);
    assert.deepEqual(await found('1.2.3.'), ['1.2.3.4', '1.2.3.0/24']);
    assert.deepEqual(await found('école'), []);
    assert.deepEqual(await found('cole'), ['9.9.9.9']);
    assert.equal((await found('  ')).length, 5);
    assert.deepEqual(await found('x'.repeat(1_000)), []);
    const { body } = await admin.get(`${bans}?search=${'x'.repeat(1_001)}`);
    assert.equal(body.data.details.search.code, 'rest_too_long');
  });

  test('without a list of its own the site knows no bans, and managers are told where to make one', async () => {
    const { add, admin, switches } = await aSuite();
    await add('203.0.113.5');
    assert.equal(linkOf(await admin.get(bans), 'create-form'), list);
    assert.equal(linkOf(await admin.get(list), 'create-form'), undefined);
    switches.showsActivity = false;
    assert.equal('related' in (await admin.get(bans)).body[0]._links, false);
    switches.isListed = false;
    const hidden = await admin.get(bans);
    assert.deepEqual([hidden.body, linkOf(hidden, 'create-form')], [[], undefined]);
  });

  test('what may be done with bans is told with what they are', async () => {
    const { admin } = await aSuite();
    const { body } = await admin.options(list);
    assert.equal(body.schema.title, 'secsuite-ban');
    assert.deepEqual(Object.keys(body.schema.properties), [
      ...['id', 'source', 'label', 'created_by', 'created_at', 'comment'],
    ]);
    assert.deepEqual(
      body.schema.links.map(({ rel, href }: Record<string, string>) => [rel, href]),
      [
        ['create-form', `http://site.test${list}`],
        ['edit-form', `http://site.test${list}/{id}`],
        ['create-form', `http://site.test${addMany}`],
      ],
    );
    const [, making] = body.endpoints;
    assert.deepEqual(
      Object.entries<{ required?: boolean }>(making.args).map(([name, { required }]) => [name, required]),
      [
        ['host', false],
        ['created_by', true],
        ['comment', false],
      ],
    );
    assert.equal('required' in making.args.created_by.properties.type, false);
    for (const [method, path] of [
      ['PATCH', `${list}/1`],
      ['POST', `${list}/1`],
      ['POST', `${bans}/nope`],
    ] as const)
      assert.equal((await admin.request(method, path, { body: {} })).body.code, 'rest_no_route');
  });
});

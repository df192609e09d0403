import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Alone, bansAlone } from '#test/bans-alone.ts';
import { eachEngine } from '#test/databases.ts';
import { type Answer, aSite, noon } from '#test/site.ts';

const bans = '/api/secsuite/v1/bans';
const list = `${bans}/database`;
const addMany = '/api/secsuite/rpc/ban-users/add-many';
const byUser = { type: 'user', id: '1' };

eachEngine('Bans', (engine) => {
  const aSuite = async (clock = () => noon) => {
    const switches = { isListed: true, showsActivity: true };
    let alone: Alone | undefined;
    const entry = bansAlone(switches, (made) => {
      alone = made;
    });
    const site = await aSite(engine, { extensions: [entry], clock });
    await alone?.enforced.ready;
    const admin = site.as('administrator');
    const add = (host: unknown, more: object = {}) => admin.post(list, { host, created_by: byUser, ...more });
    return { ...site, switches, admin, add, over: (address: string) => alone!.enforced.over(address) };
  };
  const labels = ({ body }: Answer): string[] => body.map(({ label }: { label: string }) => label);
  const linkOf = ({ headers }: Answer, rel: string): string | undefined =>
    new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]?.replace('http://site.test', '');
  const nextOf = (answer: Answer) => linkOf(answer, 'next');

  test('an address is banned by a manager, told as it is kept, and kept out from then on', async () => {
    const { add, over, admin } = await aSuite();
    assert.equal(over('203.0.113.5'), undefined);
    const { status, body, headers } = await add('203.0.113.5', { comment: 'made by hand' });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `http://site.test${list}/${body.id}`);
    const { _links, ...record } = body;
    const created_by = { type: 'user', id: '1', label: 'administrator' };
    const created_at = '2026-11-20T12:00:00+00:00';
    const { id } = record;
    assert.deepEqual(record, {
      ...{ id, source: 'database', label: '203.0.113.5', created_by, created_at, comment: 'made by hand' },
    });
    assert.deepEqual(_links.self, [
      { href: `http://site.test${list}/${id}`, targetHints: { allow: ['GET', 'PUT', 'DELETE'] } },
    ]);
    const [related] = _links.related;
    assert.deepEqual(
      [related.href, related.media],
      ['http://site.test/api/secsuite/v1/logs?ip[]=203.0.113.5', 'application/json'],
    );
    assert.equal(over('203.0.113.5'), id);
    assert.deepEqual((await admin.get(`${list}/${id}`)).body, body);
  });

  const stored: readonly [string, string][] = [
    ['203.0.113.128/25', '203.0.113.128/25'],
    ['203.0.113.200/25', '203.0.113.128/25'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['2001:db8:1::/48', '2001:db8:1::/48'],
    ['198.51.100.*', '198.51.100.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
  ];
  test('an address is kept in one way, however it is written', async () => {
    const { add, admin } = await aSuite();
    for (const [host, label] of stored) {
      const { body } = await add(host);
      assert.equal(body.label, label);
      assert.equal('related' in body._links, !label.includes('/'));
      assert.equal((await add(label)).body.code, 'secsuite_duplicate_ban');
      await admin.delete(`${list}/${body.id}`);
    }
  });

  const refused: readonly [what: string, body: object, status: number, code: string, detail?: string][] = [
    ['text', { host: 'nope' }, 400, 'rest_invalid_param', 'host'],
    ['a number', { host: 5 }, 400, 'rest_invalid_param', 'host'],
    ['an address in blanks', { host: ' 203.0.113.99 ' }, 400, 'rest_invalid_param', 'host'],
    ['a mask too long', { host: '203.0.113.0/99' }, 400, 'rest_invalid_param', 'host'],
    ['two ends', { host: '203.0.113.1-203.0.113.9' }, 400, 'rest_invalid_param', 'host'],
    ['nothing', {}, 400, 'rest_missing_callback_param'],
    ['one’s own address', { host: '127.0.0.1' }, 400, 'secsuite_cannot_ban_self'],
    ['one’s own address, written otherwise', { host: '::ffff:7f00:1' }, 400, 'secsuite_cannot_ban_self'],
    ['a range around oneself', { host: '127.0.0.0/8' }, 400, 'secsuite_cannot_ban_self'],
    ['everybody', { host: '0.0.0.0/0' }, 400, 'secsuite_cannot_ban_self'],
    ['everybody who comes another way', { host: '::/0' }, 400, 'secsuite_cannot_ban_self'],
    ['whom it always lets in', { host: '192.0.2.1' }, 400, 'secsuite_cannot_ban_authorized_host'],
    ['a range around them', { host: '192.0.2.0/30' }, 400, 'secsuite_cannot_ban_authorized_host'],
    ['a part of them', { host: '2001:db8:a:1::/64' }, 400, 'secsuite_cannot_ban_authorized_host'],
    ['a note too long', { host: '203.0.113.5', comment: 'x'.repeat(256) }, 400, 'rest_invalid_param', 'comment'],
    ['nobody who bans', { host: '203.0.113.5', created_by: {} }, 400, 'rest_invalid_param', 'created_by'],
    ['half an actor', { host: '203.0.113.5', created_by: { type: 'user' } }, 400, 'rest_invalid_param', 'created_by'],
    ['no actor', { host: '203.0.113.5', created_by: '1' }, 400, 'rest_invalid_param', 'created_by'],
    [
      ...(['an actor of no kind', { host: '203.0.113.5', created_by: { type: 'zzz', id: '1' } }] as const),
      ...([400, 'rest_invalid_param', 'created_by'] as const),
    ],
  ];
  test('what is no ban is refused, and leaves no trace', async () => {
    const { admin } = await aSuite();
    for (const [what, sent, status, code, detail] of refused) {
      const { body, ...answer } = await admin.post(list, { created_by: byUser, ...sent });
      assert.deepEqual([answer.status, body.code], [status, code], what);
      if (detail !== undefined) assert.deepEqual(Object.keys(body.data.params), [detail], what);
    }
    assert.deepEqual((await admin.post(list, { host: '203.0.113.5' })).body.data.params, ['created_by']);
    assert.deepEqual((await admin.get(bans)).body, []);
  });

  test('what is banned already is so once; a range around it is another ban', async () => {
    const { add, over } = await aSuite();
    const { body } = await add('203.0.113.5');
    const again = await add('203.0.113.5/32');
    assert.deepEqual([again.status, again.body.code], [409, 'secsuite_duplicate_ban']);
    assert.equal((await add('203.0.113.0/24')).status, 201);
    assert.equal(over('203.0.113.5'), body.id);
  });

  test('who banned is told by the name they have, and nothing of whom nobody knows', async () => {
    const { add, admin, user, app } = await aSuite();
    const by = async (type: string, id: string, host: string) =>
      (await add(host, { created_by: { type, id } })).body.created_by;
    assert.equal((await by('lockout_module', 'brute_force', '203.0.113.1')).label, 'Brute force');
    assert.equal((await by('lockout_module', 'gone', '203.0.113.2')).label, 'Rule gone');
    for (const [at, id] of ['999', 'x', '0', '1e0', ''].entries())
      assert.equal(await by('user', id, `203.0.114.${at}`), null);
    const ada = await user({ login: 'ada', name: 'Ada L.' });
    assert.equal((await by('user', String(ada.id), '203.0.113.3')).label, 'Ada L.');
    await app.services.identity.users.erase(ada, undefined);
    assert.equal((await admin.get(`${list}?search=203.0.113.3`)).body[0].created_by, null);
  });

  test('the note alone is changed, and stays where none is sent', async () => {
    const { add, admin } = await aSuite();
    const { body } = await add('203.0.113.5', { comment: null });
    assert.equal(body.comment, '');
    const put = (sent: object) => admin.put(`${list}/${body.id}`, sent);
    const changed = await put({ host: '203.0.113.200', comment: '<b>moved</b>' });
    assert.deepEqual([changed.status, changed.body.label, changed.body.comment], [200, '203.0.113.5', '<b>moved</b>']);
    assert.equal((await put({ host: 'nope' })).body.comment, '<b>moved</b>');
    assert.equal((await put({ comment: '' })).body.comment, '');
  });

  test('lifting a ban lets in at once, and is done once', async () => {
    const { add, admin, over } = await aSuite();
    const { body } = await add('203.0.113.0/24');
    const gone = await admin.delete(`${list}/${body.id}`);
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.equal(over('203.0.113.7'), undefined);
    for (const { status, body: why } of [await admin.delete(`${list}/${body.id}`), await admin.get(`${list}/9999`)])
      assert.deepEqual([status, why.code], [404, 'secsuite_ban_not_found']);
    assert.equal((await add('203.0.113.0/24')).status, 201);
    assert.notEqual(over('203.0.113.7'), undefined);
  });

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
      seen.push(...labels(page));
      const next = nextOf(page);
      assert.ok(next?.startsWith(`${bans}?per_page=3&actor_type=user&after=`) ?? labels(page).length === 1);
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
    const found = async (query: string) => labels(await admin.get(`${bans}?${query}`));
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
      labels(await admin.get(`${bans}?search=${encodeURIComponent(search)}${more}`));
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
    assert.deepEqual(await found('x'.repeat(5_000)), []);
  });

  test('many are banned at once, each with its note; what is there, always let in or oneself is left out', async () => {
    const { add, admin, over } = await aSuite();
    const { body: known } = await add('192.0.2.11');
    const lines = [
      '203.0.113.7 # guesses passwords #',
      ' 198.51.100.0/24# a whole network ',
      '',
      '   ',
      ...['192.0.2.11', '203.0.113.7', '192.0.2.1', '127.0.0.1', '0.0.0.0/0', '::/0', '2001:db8:7::/48 ## x'],
    ];
    const { status, body } = await admin.post(addMany, { bans: lines });
    assert.equal(status, 200);
    assert.equal(body.length, 3);
    const all = (await admin.get(bans)).body;
    assert.deepEqual(
      all.map(({ id, label, comment }: Record<string, unknown>) => [id, label, comment]),
      [
        [body[2], '2001:db8:7::/48', 'x'],
        [body[1], '198.51.100.0/24', 'a whole network'],
        [body[0], '203.0.113.7', 'guesses passwords'],
        [known.id, '192.0.2.11', ''],
      ],
    );
    assert.equal(all[0].created_by.label, 'administrator');
    assert.equal(over('198.51.100.9'), body[1]);
    assert.deepEqual((await admin.post(addMany, { bans: lines })).body, []);
    assert.equal((await admin.post(addMany, { bans: '192.0.2.30' })).body.length, 1);
    assert.equal((await admin.post(addMany, { bans: [`192.0.2.31#${'n '.repeat(1_000)}`] })).body.length, 1);
    assert.equal((await admin.get(`${bans}?search=192.0.2.31`)).body[0].comment.length, 255);
  });

  test('one line that is wrong refuses them all, and each that is wrong is named', async () => {
    const { admin } = await aSuite();
    const { status, body } = await admin.post(addMany, {
      bans: ['192.0.2.20', 'bad', '', 'worse # x', '# only a note'],
    });
    assert.deepEqual([status, body.code, body.data], [400, 'rest_invalid_param', { status: 400 }]);
    assert.match(body.message, /bans\.1/);
    assert.deepEqual(
      body.additional_errors.map(({ code, message, data }: Record<string, string>) => [
        code,
        /bans\.\d+/.exec(message!)?.[0],
        data,
      ]),
      [
        ['rest_invalid_param', 'bans.3', { status: 400 }],
        ['rest_invalid_param', 'bans.4', { status: 400 }],
      ],
    );
    assert.deepEqual((await admin.get(bans)).body, []);
    const empty = await admin.post(addMany, { bans: [] });
    assert.equal(empty.body.data.details.bans.code, 'rest_too_few_items');
    assert.deepEqual((await admin.post(addMany, {})).body.data.params, ['bans']);
    assert.equal((await admin.post(addMany, {})).body.code, 'rest_missing_callback_param');
  });

  test('nearly a hundred thousand lines are banned, or refused in a few words, and more are too many', async () => {
    const { admin, over } = await aSuite();
    const lines = Array.from({ length: 99_990 }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
    assert.equal((await admin.post(addMany, { bans: [...lines, ...lines] })).status, 413);
    const wrong = await admin.post(addMany, { bans: lines.map((line) => `${line}.`) });
    assert.equal(wrong.status, 400);
    assert.ok(wrong.body.additional_errors.length <= 1_000);
    const { status, body } = await admin.post(addMany, { bans: lines });
    assert.deepEqual([status, body.length], [200, 99_990]);
    assert.equal(over(lines.at(-1)!), body.at(-1));
  });

  test('nobody but managers may see, make, change or lift a ban', async () => {
    const { as, get, post, put, add, delete: erase } = await aSuite();
    const { body } = await add('203.0.113.5');
    const one = `${list}/${body.id}`;
    const { get: subscriberGets, post: posts, put: puts, delete: erases } = as('subscriber');
    const sent = { host: '203.0.113.6', created_by: byUser };
    const cases: readonly [string, Promise<Answer>, Promise<Answer>][] = [
      ['rest_cannot_view', get(bans), subscriberGets(bans)],
      ['rest_cannot_view', get(list), subscriberGets(list)],
      ['rest_cannot_view', get(one), subscriberGets(one)],
      ['rest_cannot_create', post(list, sent), posts(list, sent)],
      ['rest_cannot_edit', put(one, { comment: 'x' }), puts(one, { comment: 'x' })],
      ['rest_cannot_delete', erase(one), erases(one)],
      ['rest_forbidden', post(addMany, { bans: ['1.2.3.4'] }), posts(addMany, { bans: ['1.2.3.4'] })],
    ];
    for (const [code, anonymous, known] of cases) {
      const [nobody, somebody] = [await anonymous, await known];
      assert.deepEqual([nobody.status, nobody.body.code], [401, code]);
      assert.deepEqual([somebody.status, somebody.body.code], [403, code]);
    }
    assert.equal((await as('administrator').get(bans)).body.length, 1);
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

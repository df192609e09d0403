import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMany, bans, byUser, list, suiteOfBans } from '#test/bans-alone.ts';
import { eachEngine } from '#test/databases.ts';
import type { Answer } from '#test/site.ts';

eachEngine('Bans', (engine) => {
  const aSuite = () => suiteOfBans(engine);

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
      id,
      source: 'database',
      label: '203.0.113.5',
      created_by,
      created_at,
      comment: 'made by hand',
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

  test('a ban is of whoever asks for it, unless they say whose it is', async () => {
    const { admin } = await aSuite();
    const { status, body } = await admin.post(list, { host: '203.0.113.5' });
    assert.deepEqual([status, body.created_by], [201, { type: 'user', id: '1', label: 'administrator' }]);
  });

  const refused: readonly [what: string, body: object, status: number, code: string, detail?: string][] = [
    [
      'a reason that is too long',
      { host: '203.0.113.5', created_by: { type: 'lockout_module', id: 'x'.repeat(65) } },
      400,
      'rest_invalid_param',
      'created_by',
    ],
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
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMany, bans, suiteOfBans } from '#test/bans-alone.ts';
import { onBothStores } from '#test/databases.ts';

onBothStores('Many bans at once', (engine) => {
  const aSuite = () => suiteOfBans(engine);

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
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import type { Ended } from '#test/gatehouse.ts';
import { offendersAmong } from '#test/offenders.ts';
import { aMadePlace, aSitePlace, type SitePlace } from '#test/serving.ts';
import { soon } from '#test/soon.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

const addAnna = async ({ run }: SitePlace): Promise<void> => {
  const anna = ['user', 'create', 'anna', '--email', 'anna@site.test', '--generate', '--role', 'administrator'];
  fine(await run(...anna));
};

const asking = async (origin: string, password: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`anna:${password.trim()}`).toString('base64')}`;
  return (await fetch(`${origin}/api/core/v2/users/me`, { headers: { authorization } })).status;
};

eachEngine('gatehouse app-password', (engine) => {
  test('one that is made beside a serving site opens it at once, and is refused soon after it is revoked', async () => {
    const place = await aMadePlace(engine);
    const { run } = place;
    await addAnna(place);
    const { origin } = await place.serveHere();
    const made = await run('app-password', 'create', 'anna', '--name', 'Phone');
    assert.match(fine(made), /^[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5}\n$/);
    assert.equal(await asking(origin, made.out), 200);
    const uuid = /revoke anna ([0-9a-f-]{36}) --data \S+\n$/.exec(made.err)?.[1] ?? '';
    assert.equal(fine(await run('app-password', 'revoke', 'anna', uuid)), 'Revoked: Phone.\n');
    await soon(() => asking(origin, made.out), 401);
    const again = await run('app-password', 'revoke', 'anna', uuid);
    assert.equal(again.code, 1);
    assert.match(again.err, /^[^\n]+\n$/);
  });

  test('the list names each and shows none; revoking all leaves nothing', async () => {
    const place = await aMadePlace(engine);
    const { run } = place;
    await addAnna(place);
    for (const name of ['One', 'Two\u202e']) fine(await run('app-password', 'create', 'anna', '--name', name));
    const table = fine(await run('app-password', 'list', 'anna'));
    assert.match(table, /^UUID +NAME .*\n[0-9a-f-]{36} {2}One .*never\n[0-9a-f-]{36} {2}Two/);
    assert.doesNotMatch(table, /\u202e/);
    const [first] = JSON.parse(fine(await run('app-password', 'list', 'anna', '--json')));
    const shown = [
      'app_id',
      'created_at',
      'enabled_for',
      'last_ip',
      'last_used',
      'name',
      'rest_api_permissions',
      'uuid',
    ];
    assert.deepEqual(Object.keys(first).sort(), shown);
    assert.equal(fine(await run('app-password', 'revoke', 'anna', '--all', '--yes')), 'Revoked: 2.\n');
    assert.equal(fine(await run('app-password', 'list', 'anna', '--json')), '[]\n');
  });
});

describe('gatehouse app-password', () => {
  const engine = testEngine('sqlite');

  const misuses: readonly [readonly string[], RegExp][] = [
    [['create', 'anna'], /^gatehouse app-password create needs --name text; /],
    [['create', '--name', 'x'], /^gatehouse app-password create needs LOGIN; /],
    [['revoke', 'anna'], /^Give the UUID of one, .* or --all\.$/],
    [['revoke', 'anna', 'x', '--all', '--yes'], /^Give UUID or --all, not both\.$/],
    [['revoke', 'anna', '--all'], /; add --yes\.$/],
  ];
  test('what cannot be meant is wrong use', async () => {
    const { run } = await aSitePlace(engine);
    const offenders = await offendersAmong(misuses, String, async ([args, sentence]) => {
      const { code, out, err } = await run('app-password', ...args);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err.trimEnd(), sentence);
    });
    assert.deepEqual(offenders, []);
  });

  test('none is made that the site would not take', async () => {
    const place = await aMadePlace(engine);
    await addAnna(place);
    const create = ['app-password', 'create', 'anna', '--name', 'Phone', '--url', 'http://example.org'];
    const { code, out, err } = await place.run(...create);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^Application passwords do not work at http:\/\/example\.org because it is not https; .*\n$/);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { type Ended, spawned } from '#test/gatehouse.ts';
import { offendersAmong } from '#test/offenders.ts';
import { aSitePlace } from '#test/serving.ts';
import { soon } from '#test/soon.ts';
import { fine, placeWithoutUsers } from '#test/without-users.ts';

/** What the account page answers to the session that anna got; nothing when she got none. */
async function signedIn(origin: string, pwd: string): Promise<(() => Promise<number>) | undefined> {
  const body = new URLSearchParams({ log: 'anna', pwd });
  const answer = await fetch(`${origin}/login`, { method: 'POST', body, redirect: 'manual' });
  if (answer.status !== 302) return undefined;
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return async () => (await fetch(`${origin}/account`, { headers: { cookie }, redirect: 'manual' })).status;
}

eachEngine('gatehouse user', (engine) => {
  test('somebody is added, shown, given other roles and deleted, in the words of the command line', async () => {
    const { run, add } = await placeWithoutUsers(engine);
    fine(await add('root', '--role', 'administrator'));
    const made = await add('anna', '--name', 'Anna Bell', '--role', 'editor', '--role', 'author');
    assert.match(made.out, /^[a-z2-9]{20}\n$/);
    assert.equal(made.err.split('\n').at(-2), 'Created anna, role editor, author.');
    assert.match(fine(await run('user', 'show', 'ANNA@site.test')), /^Name +Anna Bell$/m);
    assert.equal(fine(await run('user', 'set-role', 'anna', 'author')), 'anna now has the role author.\n');
    const { login, roles } = JSON.parse(fine(await run('user', 'show', 'anna', '--json')));
    assert.deepEqual([login, roles], ['anna', ['author']]);
    assert.equal(fine(await run('user', 'delete', 'anna', '--reassign', 'root', '--yes')), 'anna is deleted.\n');
    const gone = await run('user', 'show', 'anna');
    assert.deepEqual([gone.code, gone.out, gone.err], [1, '', 'User anna does not exist.\n']);
  });

  test('the list is a table for people and JSON for scripts, and shows nobody a control character', async () => {
    const { run, add } = await placeWithoutUsers(engine);
    fine(await add('root', '--role', 'administrator'));
    fine(await add('eve', '--name', 'Eve \u202e\u009b2J'));
    const table = fine(await run('user', 'list'));
    assert.match(
      table,
      /^LOGIN {2}NAME .*\nroot .*administrator {2}\d{4}-\d\d-\d\d\neve .*subscriber {5}\d{4}-\d\d-\d\d\n$/,
    );
    for (const text of [table, fine(await run('user', 'list', '--json'))]) {
      assert.doesNotMatch(text, /[\u009b\u202e]/);
    }
    const found = JSON.parse(fine(await run('user', 'list', '--search', 'EVE@', '--json')));
    assert.deepEqual(
      found.map(({ login }: { login: string }) => login),
      ['eve'],
    );
    assert.equal('password' in found[0], false);
    assert.match(fine(await run('user', 'list', '--role', 'administrator')), /^LOGIN.*\nroot [^\n]*\n$/);
    const none = await run('user', 'list', '--role', 'editor', '--json');
    assert.equal(fine(none), '[]\n');
  });

  test('what the site refuses is one sentence, and changes nothing', async () => {
    const { run, add } = await placeWithoutUsers(engine);
    fine(await add('root', '--role', 'administrator'));
    const refused: [Promise<Ended>, RegExp][] = [
      [add('Root'), /^Another user has the login or email address Root; choose another LOGIN\.$/],
      [run('user', 'create', 'anna', '--email', 'ROOT@site.test', '--generate'), /another --email\.$/],
      [run('user', 'set-email', 'nobody', 'nobody@site.test'), /^User nobody does not exist\.$/],
      [run('user', 'set-role', 'root', 'editor'), /administrator/],
      [run('user', 'delete', 'root', '--delete-content', '--yes'), /administrator/],
      [run('user', 'set-password', 'nobody', '--generate'), /^User nobody does not exist\.$/],
    ];
    for (const [asked, sentence] of refused) {
      const { code, out, err } = await asked;
      assert.deepEqual([code, out], [1, '']);
      assert.match(err.trimEnd(), sentence);
      assert.equal(err.trimEnd().includes('\n'), false, err);
    }
    assert.equal(JSON.parse(fine(await run('user', 'list', '--json'))).length, 1);
  });

  test('a password comes by standard input, and never from the command line', async () => {
    const { fed, run, where, env } = await placeWithoutUsers(engine);
    const create = ['user', 'create', 'anna', '--email', 'anna@site.test', '--password-stdin', ...where];
    const made = await spawned(
      [...create, '--role', 'administrator'],
      env,
      undefined,
      'a long phrase é\nand no more\n',
    );
    assert.deepEqual([made.code, made.out], [0, ''], made.err);
    const bad: [string | Uint8Array, RegExp][] = [
      ['', /found no password/],
      ['\n', /found no password/],
      [`${'x'.repeat(5000)}\n`, /longer than 4096 bytes/],
      [new Uint8Array([0x70, 0xff, 0x0a]), /is not UTF-8/],
    ];
    for (const [input, sentence] of bad) {
      const { code, err } = await fed(input, 'user', 'set-password', 'anna', '--password-stdin');
      assert.equal(code, 2);
      assert.match(err, sentence);
    }
    assert.match((await run('user', 'set-password', 'anna', '--password', 'x')).err, /has no flag --password\./);
  });

  test('a new password lets its owner in at once, and ends every session', async () => {
    const { fed, add, serveHere } = await placeWithoutUsers(engine);
    fine(await add('anna', '--role', 'administrator'));
    const { origin } = await serveHere();
    const set = async (password: string) =>
      fine(await fed(`${password}\n`, 'user', 'set-password', 'anna', '--password-stdin'));
    await set('a long enough phrase');
    const account = await signedIn(origin, 'a long enough phrase');
    assert.equal(await account?.(), 200);
    await set('and now another one');
    await soon(async () => account?.(), 302);
    assert.equal(await signedIn(origin, 'a long enough phrase'), undefined);
    assert.ok(await signedIn(origin, 'and now another one'));
  });

  test('a new email address ends every session; the same in other letters ends none', async () => {
    const { run, add, serveHere } = await placeWithoutUsers(engine);
    const { out } = await add('anna', '--role', 'administrator');
    const { origin } = await serveHere();
    const account = await signedIn(origin, out.trim());
    const same = await run('user', 'set-email', 'anna', 'Anna@site.test');
    assert.equal(fine(same), 'Changed the email address of anna to Anna@site.test.\n');
    assert.doesNotMatch(same.err, /signed out/);
    assert.equal(await account?.(), 200);
    const other = await run('user', 'set-email', 'anna@SITE.test', 'bell@site.test');
    assert.equal(fine(other), 'Changed the email address of anna to bell@site.test.\n');
    assert.match(other.err, /^Signed anna out everywhere\.\n/);
    await soon(async () => account?.(), 302);
    assert.match(fine(await run('user', 'show', 'bell@site.test')), /^Email address +bell@site\.test$/m);
  });
});

describe('gatehouse user, before anything is opened', () => {
  const engine = testEngine('sqlite');

  test('the first who is made is told when nobody is an administrator yet', async () => {
    const { add } = await placeWithoutUsers(engine);
    assert.match(
      (await add('anna')).err,
      /\nNo user has the role administrator yet: gatehouse user set-role anna administrator\n$/,
    );
  });

  const misuses: readonly [readonly string[], RegExp][] = [
    [['create'], /^gatehouse user create needs LOGIN; /],
    [['create', 'anna', '--generate'], /^gatehouse user create needs --email address; /],
    [
      ['create', 'anna', '--email', 'a@b.test'],
      /^There is no terminal to ask for a password; add --password-stdin or /,
    ],
    [['create', 'anna', '--email', 'a@b.test', '--generate', '--password-stdin'], /not both\.$/],
    [
      ['create', 'anna', '--email', 'a@b.test', '--generate', '--role', 'editr'],
      /^Role editr does not exist; did you mean editor\?$/,
    ],
    [['create', 'ånna', '--email', 'a@b.test', '--generate'], /^LOGIN cannot be used: A user name can have 1 to 60 /],
    [['create', 'anna', '--email', 'nowhere', '--generate'], /^--email cannot be used: /],
    [['create', 'anna', '--email', 'a@b.test', '--generate', '--name', 'x'.repeat(251)], /^--name cannot be used: /],
    [['set-email', 'anna'], /^gatehouse user set-email needs ADDRESS; /],
    [['set-email', 'anna', 'nowhere'], /^ADDRESS cannot be used: /],
    [['set-password', 'anna'], /^There is no terminal /],
    [['set-role', 'anna'], /^gatehouse user set-role needs ROLE; /],
    [['set-role', 'anna', 'king'], /^Role king does not exist; the roles here are administrator, /],
    [['show', 'anna', 'bob'], /^gatehouse user show takes no "bob"; /],
    [['delete', 'anna', '--yes'], /^Choose what happens to the content of the user: /],
    [
      ['delete', 'anna', '--reassign', 'bob', '--delete-content', '--yes'],
      /^Choose what happens to the content of the user: /,
    ],
    [
      ['delete', 'anna', '--delete-content'],
      /^This cannot be undone, and there is no terminal to ask for confirmation; add --yes\.$/,
    ],
  ];
  test('what cannot be meant is wrong use, and makes nothing', async () => {
    const { data, run } = await aSitePlace(engine);
    const offenders = await offendersAmong(misuses, String, async ([args, sentence]) => {
      const { code, out, err } = await run('user', ...args);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err.trimEnd(), sentence);
      assert.equal(existsSync(join(data, 'gatehouse.db')), false);
    });
    assert.deepEqual(offenders, []);
  });

  for (const [args, input] of [
    [['list'], ''],
    [['create', 'anna', '--email', 'anna@site.test', '--password-stdin'], 'a long enough phrase\n'],
  ] as const) {
    test(`a folder without a site is probably another one than was meant: user ${args[0]} makes nothing in it`, async () => {
      const { data, fed } = await aSitePlace(engine);
      const { code, err } = await fed(input, 'user', ...args);
      const sentence = `There is no site in ${data} yet; create one with "gatehouse serve", or give the folder of another one with --data.\n`;
      assert.deepEqual([code, err], [1, sentence]);
      assert.equal(existsSync(join(data, 'gatehouse.db')), false);
      assert.equal(existsSync(join(data, 'secret')), false);
    });
  }

  test('a password of a script is judged before anything is opened, and has at least eight characters', async () => {
    const { fed } = await aSitePlace(engine);
    for (const wanted of ['create anna --email anna@site.test', 'set-password anna']) {
      const { code, err } = await fed('7 chars\n', 'user', ...wanted.split(' '), '--password-stdin');
      assert.equal(code, 2);
      assert.match(err, /^The password on standard input cannot be used: [^\n]*at least 8 [^\n]*\n$/);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { createPasswordRule, faultForAnybody } from './rule.ts';

const rule = createPasswordRule({
  capabilitiesOf: ([role]) =>
    new Set(role === 'author' ? ['read', 'publish_posts'] : ['read', 'edit_posts', 'level_1']),
});

test('a password of somebody who can publish or manage has 12 characters, of others 8', async () => {
  const cases: [string, string, boolean][] = [
    ['author', 'eleven char', false],
    ['author', 'twelve chars', true],
    ['contributor', 'seven 7', false],
    ['contributor', 'eight: 8', true],
    ['contributor', '🔑🔑🔑🔑', false],
    ['contributor', '🔑🔑🔑🔑🔑🔑🔑🔑', true],
    // One character, however the keyboard wrote it.
    ['contributor', 'üüüü'.normalize('NFD'), false],
    ['author', 'x'.repeat(1024), true],
    ['author', 'x'.repeat(1025), false],
    ['author', 'twelve \\ chars', false],
    // Spaces around it are guessed first.
    ['author', ' '.repeat(12), false],
    ['author', '  eleven char  ', false],
    ['author', ' twelve chars ', true],
  ];
  for (const [role, password, isFine] of cases) {
    const fault = await rule.fault(password, [role]);
    assert.equal(fault === undefined, isFine, `${role} ${password.slice(0, 20)} ${fault}`);
    if (fault !== undefined) assert.match(fault, /^[A-Z].*\.$/);
  }
  assert.match(faultForAnybody('seven 7') ?? '', /at least 8 characters/);
});

test('a password is none of the 49,000 most common, whatever its capitals', async () => {
  for (const password of ['baseball', 'Baseball', 'QWERTYuiop', 'ｂａｓｅｂａｌｌ', ' baseball '])
    assert.match((await rule.fault(password, ['contributor'])) ?? '', /most common/, password);
  for (const password of ['1qaz2wsx3edc', 'password1234'])
    assert.match((await rule.fault(password, ['author'])) ?? '', /most common/, password);
  assert.equal(await rule.fault('baseball in june', ['author']), undefined);
});

const users = '/api/core/v2/users';

eachEngine('A password that somebody chooses by the interface', (engine) => {
  test('is held to the rule by the roles they have or get', async () => {
    const site = await aSite(engine);
    const administrator = site.as('administrator');
    let made = 0;
    const add = (password: string, roles?: string[]) => {
      const [username, email] = [`user${++made}`, `user${made}@site.test`];
      return administrator.post(users, { username, email, password, ...(roles && { roles }) });
    };
    const refused = await add('1', ['administrator']);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.data.details.password.code],
      [400, 'rest_invalid_param', 'rest_user_invalid_password'],
    );
    assert.equal((await add('elevenchars', ['author'])).status, 400);
    assert.equal((await add('1qaz2wsx3edc', ['author'])).status, 400);
    const { body: anna } = await add('elevenchars');
    assert.deepEqual(anna.roles, ['subscriber']);
    const one = `${users}/${anna.id}`;
    assert.equal((await administrator.post(one, { roles: ['author'], password: 'eleven char' })).status, 400);
    const raised = await administrator.post(one, { roles: ['author'] });
    assert.deepEqual([raised.status, raised.body.roles], [200, ['author']]);
    const { signIn } = site.app.services.identity;
    assert.equal(await signIn.isPassword((await site.app.services.identity.users.get(anna.id))!, 'elevenchars'), true);
    assert.equal((await administrator.post(one, { password: 'elevenchar2' })).status, 400);
    assert.equal((await administrator.post(one, { password: 'twelve chars' })).status, 200);
  });
});

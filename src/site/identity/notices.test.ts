import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aSite } from '#test/site.ts';

eachEngine('notices', (engine) => {
  async function someone() {
    const site = await aSite(engine);
    const { identity } = site.app.services;
    const ada = await identity.users.add({
      login: 'ada',
      email: 'ada@site.test',
      name: 'Ada',
      password: 'the very old one',
    });
    const letters = () => mailsOf(site);
    return { identity, users: identity.users, ada, letters };
  }

  test('a changed password is told to its owner, and the password is not', async () => {
    const { users, ada, letters } = await someone();
    assert.deepEqual(await letters(), []);
    await users.change(ada, { password: 'the very new one' });
    const [letter, ...others] = await letters();
    assert.deepEqual(others, []);
    assert.equal(letter?.to, 'ada@site.test');
    assert.match(letter?.subject ?? '', /^\[.*\] Your password was changed$/);
    assert.match(letter?.text ?? '', /^Hello Ada,/);
    assert.doesNotMatch(letter?.text ?? '', /the (?:old|new) one|argon/);
  });

  test('a changed email address is told to the old one and the new one, and the old one does not learn the new', async () => {
    const { users, ada, letters } = await someone();
    await users.change(ada, { email: 'ada@other.test' });
    const [old, current, ...others] = await letters();
    assert.deepEqual([old?.to, current?.to, others], ['ada@site.test', 'ada@other.test', []]);
    assert.match(old?.subject ?? '', /Your email address was changed$/);
    assert.doesNotMatch(old?.text ?? '', /other\.test/);
  });

  test('nobody is written to about other changes, or without an address', async () => {
    const { users, ada, letters } = await someone();
    await users.change(ada, { name: 'Ada L.', url: 'https://ada.test' });
    const bob = await users.add({ login: 'bob' });
    await users.change(bob, { password: 'something else' });
    assert.deepEqual(await letters(), []);
  });

  test('a password for an app is told to whom it acts for, whoever made it, but for the operator', async () => {
    const { identity, ada, letters } = await someone();
    const { password } = await identity.applicationPasswords.add(ada, { name: 'Phone' }, { by: 99 });
    await identity.applicationPasswords.add(ada, { name: 'Desk' }, { by: ada.id });
    await identity.applicationPasswords.add(ada, { name: 'Machine' });
    const [letter, own, ...others] = await letters();
    assert.deepEqual([letter?.to, own?.to, others], ['ada@site.test', 'ada@site.test', []]);
    assert.match(letter?.text ?? '', /an administrator of [^§]*"Phone"/);
    assert.match(
      own?.text ?? '',
      /you created a password for the app "Desk"[^§]*If it was not you, revoke the password/,
    );
    assert.equal(letter?.text.includes(password), false);
  });
});

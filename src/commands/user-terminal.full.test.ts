import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { needs } from '#test/needs.ts';
import { atTerminal, hasTerminal } from '#test/terminal.ts';
import { fine, placeWithoutUsers } from '#test/without-users.ts';

describe('gatehouse user at a terminal', () => {
  const engine = testEngine('sqlite');
  const act = (name: string, run: () => Promise<void>): void => needs(hasTerminal, 'script of util-linux', name, run);

  for (const [what, pasted] of [
    ['two lines', 'a long enough phrase\ra long enough phrase\r'],
    ['a line and the next without its end', 'a long enough phrase\ra long enough'],
  ] as const) {
    act(`takes ${what} pasted in one go for both questions`, async () => {
      const { where, run, env } = await placeWithoutUsers(engine);
      const rest = pasted.endsWith('\r') ? [] : ([[/Repeat the password: $/, ' phrase\r']] as const);
      const create = ['user', 'create', 'anna', '--email', 'anna@site.test', ...where];
      const { code, screen } = await atTerminal(create, [[/Password: $/, pasted], ...rest], env);
      assert.equal(code, 0, screen);
      assert.doesNotMatch(screen, /phrase/);
      assert.equal((await run('user', 'show', 'anna')).code, 0);
    });
  }

  act("asks for no password when the login or the address is somebody else's", async () => {
    const { where, add, env } = await placeWithoutUsers(engine);
    fine(await add('anna'));
    const { code, screen } = await atTerminal(['user', 'create', 'anna', '--email', 'b@site.test', ...where], [], env);
    assert.deepEqual([code, screen], [1, 'Another user has the login or email address anna; choose another LOGIN.\n']);
  });

  act('says what is wrong with a password before it asks for it again', async () => {
    const { where, add, env } = await placeWithoutUsers(engine);
    fine(await add('anna'));
    const tooShort = [/Password: $/, '7 chars\r'] as const;
    const { code, screen } = await atTerminal(
      ['user', 'set-password', 'anna', ...where],
      [tooShort, tooShort, tooShort],
      env,
    );
    assert.equal(code, 1);
    assert.match(screen, /at least 8 .*\n.*at least 8 .*\n.*at least 8 .*\nNothing was changed\.\n$/s);
  });

  act('asks before somebody is deleted, and anything but yes changes nothing', async () => {
    const { where, run, add, env } = await placeWithoutUsers(engine);
    fine(await add('root', '--role', 'administrator'));
    fine(await add('anna'));
    const remove = ['user', 'delete', 'anna', '--delete-content', ...where];
    for (const typed of ['y\r', '\r', '\u0003', '\u0004']) {
      const { code, screen } = await atTerminal(remove, [[/Type yes: $/, typed]], env);
      assert.equal(code, 1, screen);
      assert.match(screen, /[Nn]othing was changed\.\n$/);
    }
    const { code } = await atTerminal(remove, [[/Type yes: $/, 'yes\r']], env);
    assert.equal(code, 0);
    assert.equal((await run('user', 'show', 'anna')).code, 1);
  });
});

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { needs } from '#test/needs.ts';
import { atTerminal, hasTerminal } from '#test/terminal.ts';
import { placeWithoutUsers } from '#test/without-users.ts';

describe('gatehouse user at a terminal', () => {
  const engine = testEngine('sqlite');
  const act = (name: string, run: () => Promise<void>): void => needs(hasTerminal, 'script of util-linux', name, run);

  act('asks for the password twice, shows nothing of it, and asks again when the two differ', async () => {
    const { where, run, env } = await placeWithoutUsers(engine);
    const first = /Password: $/;
    const again = /Repeat the password: $/;
    const { code, screen } = await atTerminal(
      ['user', 'create', 'anna', '--email', 'anna@site.test', ...where],
      [
        [first, 'one of the two\r'],
        [again, 'the other\r'],
        [first, 'a long enough phrase\r'],
        [again, 'a long enough phrase\r'],
      ],
      env,
    );
    assert.equal(code, 0, screen);
    assert.match(screen, /The two passwords differ\./);
    assert.doesNotMatch(screen, /phrase|other/);
    assert.equal((await run('user', 'show', 'anna')).code, 0);
  });
});

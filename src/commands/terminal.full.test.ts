// What commands ask and show somebody at a terminal.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { needs } from '#test/needs.ts';
import { aMadePlace, aSitePlace } from '#test/serving.ts';
import { atTerminal, hasTerminal } from '#test/terminal.ts';
import { fine, placeWithoutUsers } from '#test/without-users.ts';

describe('At a terminal', () => {
  const engine = testEngine('sqlite');

  needs(hasTerminal, 'script of util-linux', 'who revokes all is asked at a terminal', async () => {
    const place = await placeWithoutUsers(engine);
    fine(await place.add('anna', '--role', 'administrator'));
    fine(await place.run('app-password', 'create', 'anna', '--name', 'Phone'));
    const revoke = ['app-password', 'revoke', 'anna', '--all', ...place.where];
    const question = /Revoke all 1 application passwords of anna\? Type yes: $/;
    assert.equal((await atTerminal(revoke, [[question, 'no\r']], place.env)).code, 1);
    assert.equal((await atTerminal(revoke, [[question, 'yes\r']], place.env)).code, 0);
  });

  needs(hasTerminal, 'script of util-linux', 'nothing is deactivated before somebody says yes', async () => {
    const { run, where, env } = await aMadePlace(engine);
    const deactivate = ['extension', 'deactivate', 'security-suite', ...where];
    const question = /Deactivate the security suite\? Type yes: $/;
    assert.equal((await atTerminal(deactivate, [[question, 'no\r']], env)).code, 1);
    assert.match((await run('extension', 'list')).out, /^security-suite .* on /m);
    assert.equal((await atTerminal(deactivate, [[question, 'yes\r']], env)).code, 0);
    assert.match((await run('extension', 'list')).out, /^security-suite .* off /m);
  });

  needs(
    hasTerminal,
    'script of util-linux',
    'shows the password once to who sits at the terminal, and keeps no file',
    async () => {
      const { data, where, env } = await aSitePlace(engine);
      const serve = ['serve', '--port', '0', ...where];
      const { code, screen } = await atTerminal(serve, [[/Deployment .*\n/, '\u0003']], env);
      assert.equal(code, 0, screen);
      assert.match(screen, /as admin {2}with [a-z2-9]{20} {2}\(shown this once\)\n/);
      assert.equal(existsSync(join(data, 'first-password')), false);
    },
  );
});

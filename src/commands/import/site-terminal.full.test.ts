import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { aSource } from '#test/moving.ts';
import { needs } from '#test/needs.ts';
import { aSite } from '#test/site.ts';
import { atTerminal, hasTerminal } from '#test/terminal.ts';

const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };

describe('The command import site at a terminal', () => {
  const engine = testEngine('sqlite');

  needs(hasTerminal, 'script of util-linux', 'asks for the application password, and shows it to nobody', async () => {
    const source = await aSource(engine);
    const home = await aSite(engine);
    await home.credentials('administrator');
    const { authorization = '' } = await source.credentials('administrator');
    const password = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[1]!;
    const { data, url } = home.config;
    const where = ['--fetch-allow-hosts', `127.0.0.1:${source.port}`, '--data', data, '--url', url];
    const args = ['import', 'site', source.origin, '--user', 'administrator', '--dry-run', ...where];
    const { code, screen } = await atTerminal(
      args,
      [[/Application password of administrator: /, `${password}\r`]],
      env,
    );
    assert.equal(code, 0, screen);
    assert.match(screen, /\npost +6 +0 +0\n/);
    assert.ok(!screen.includes(password));
  });
});

// What the commands about the security log find after a site was killed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { startGatehouse } from '#test/gatehouse.ts';
import { aSitePlace, stopped } from '#test/serving.ts';

eachEngine('gatehouse logs', (engine) => {
  test('find what a site logged that was killed, and all of one that was stopped', async () => {
    const place = await aSitePlace(engine);
    const attempt = async (origin: string, name: string) => {
      const headers = { authorization: `Basic ${btoa(`${name}:wrong`)}` };
      assert.equal((await fetch(`${origin}/api/core/v2/users/me`, { headers })).status, 401);
    };
    const names = async () => {
      const { out } = await place.run('logs', 'export', '--format', 'jsonl', '--code', 'invalid-login%');
      const about = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).about[0]);
      return about.sort();
    };
    const first = await place.serve();
    const tail = startGatehouse(['logs', 'tail', ...place.where], place.env);
    engine.atEnd(async () => {
      tail.child.kill('SIGKILL');
      await tail.ended;
    });
    await attempt(first.origin, 'ada');
    await tail.until(/invalid-login::username-ada/);
    first.child.kill('SIGKILL');
    await first.ended;
    assert.deepEqual(await names(), ['username-ada']);

    const second = await place.serve();
    await attempt(second.origin, 'ben');
    await stopped(second);
    assert.deepEqual(await names(), ['username-ada', 'username-ben']);
  });
});

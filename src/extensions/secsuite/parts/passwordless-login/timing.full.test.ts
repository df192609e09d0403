// How long a request for a link takes does not tell whether there is such a user; nor does a wrong link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';

const tries = 200;
const median = (times: number[]): number => times.sort((one, other) => one - other)[Math.floor(times.length / 2)]!;

eachEngine('links by email', (engine) => {
  test('take as long for an unknown user as for a known one', async () => {
    const options = { clock: () => noon, env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' }, refusalTakes: 30 };
    const [site, suite] = await aGuardedSite(engine, options);
    await suite.switches.set('passwordless-login', true, { caller: { id: 0, can: () => true } });
    await site.user({ login: 'known', email: 'known@site.test', roles: ['author'] });
    const wrong = { pwd: '', method: 'magic', token: 'x'.repeat(43) };
    const ways = [
      ['/sign-in-link', (login: string) => ({ user_login: login })],
      ['/login', (login: string) => ({ ...wrong, log: login })],
    ] as const;
    const uneven: string[] = [];
    for (const [path, formOf] of ways) {
      const times: Record<string, number[]> = { known: [], nobody: [] };
      for (let time = 0; time < 2 * tries; time += 1) {
        const login = time % 2 === 0 ? 'known' : 'nobody';
        const address = `10.${path.length}.${Math.floor(time / 200)}.${time % 200}`;
        const begun = performance.now();
        await aVisitor(site, { 'x-forwarded-for': address }).post(path, formOf(login));
        times[login]!.push(performance.now() - begun);
      }
      const ratio = median(times.known!) / median(times.nobody!);
      if (Math.max(ratio, 1 / ratio) > 1.1) uneven.push(`${path}: ${ratio}`);
    }
    assert.deepEqual(uneven, []);
  });
});

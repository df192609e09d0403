// own process
// How long a wrong try takes tells nobody whether there is such a user.
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { testEngine } from '#test/databases.ts';
import { rpc } from '#test/passkeys-site.ts';
import { strong } from '#test/password-rules.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon, type TestSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { aVisitor } from '#test/visitor.ts';

const tries = 200;
const maxRatio = 1.1;

describeAsync('Wrong tries', async () => {
  const engine = testEngine('sqlite');
  let now = noon;
  let site: TestSite;
  before(async () => {
    const env = { GATEHOUSE_URL: 'http://localhost' };
    // As short as it may be: what is left of it would hide a difference.
    [site] = await aGuardedSite(engine, { clock: () => now, env, refusalTakes: 25 });
    const admin = site.as('administrator');
    const settings = { max_attempts_host: 0, max_attempts_user: 0 };
    assert.equal((await admin.patch('/api/secsuite/v1/settings/brute-force', settings)).status, 200);
    await admin.put('/api/secsuite/v1/modules/passwordless-login', { status: { selected: 'active' } });
    await site.user({ login: 'kim', email: 'kim@site.test', password: strong, roles: ['editor'] });
    await site.app.services.identity.applicationPasswords.add((await site.app.services.identity.users.named('kim'))!, {
      name: 'App',
    });
  });

  /** The medians for a known and an unknown name, in milliseconds, tried in turn. */
  async function medians(t: TestContext, attempt: (name: string) => Promise<unknown>) {
    const took: Record<'kim' | 'zoe', number[]> = { kim: [], zoe: [] };
    for (let at = -10; at < tries; at += 1)
      for (const name of at % 2 === 0 ? (['kim', 'zoe'] as const) : (['zoe', 'kim'] as const)) {
        // No hourly limit may end what is done for a known name alone.
        now = new Date(now.getTime() + 15 * minute);
        const begun = performance.now();
        await attempt(name);
        if (at >= 0) took[name].push(performance.now() - begun);
        await site.app.services.events.settled();
      }
    const median = (all: readonly number[]): number => all.toSorted((one, other) => one - other)[all.length / 2]!;
    const [known, unknown] = [median(took.kim), median(took.zoe)];
    const ratio = Math.max(known, unknown) / Math.min(known, unknown);
    t.diagnostic(`known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ratio ${ratio.toFixed(3)}`);
    return ratio;
  }

  const assertAlike = (ratio: number): void =>
    assert.ok(ratio <= maxRatio, `The medians differ by ${ratio.toFixed(3)}.`);

  test('on the sign-in page', async (t) => {
    assertAlike(await medians(t, (name) => aVisitor(site).signIn(name, 'not the password')));
  });

  test('with an application password', async (t) => {
    const attempt = (name: string) => {
      const authorization = `Basic ${Buffer.from(`${name}:abcd EFGH ijkl MNOP qrst UVWX`).toString('base64')}`;
      return site.get('/api/core/v2/users/me', { authorization });
    };
    assertAlike(await medians(t, attempt));
  });

  test('for a link to choose a new password', async (t) => {
    const attempt = (name: string) => aVisitor(site).post('/login?action=lostpassword', { user_login: name });
    assertAlike(await medians(t, attempt));
  });

  // The interface tells the two apart by what it answers (1.5), so the times are only reported.
  test('to begin with a passkey', async (t) => {
    await medians(t, (user) => site.post(`${rpc}/verify-credential`, { user }));
  });
});

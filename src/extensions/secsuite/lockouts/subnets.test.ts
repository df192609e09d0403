// Addresses of IPv6: whoever has one has a whole network of them, and is locked out with all of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { onBothStores } from '#test/databases.ts';
import { aLockedSite, codesOf, stranger } from '#test/lockouts-alone.ts';

const posts = '/api/core/v2/posts';
const me = '/api/core/v2/users/me';
const theirs = '2600:9000:1:2';
const others = '2600:9000:1:3';

onBothStores('Somebody with a network of IPv6', (engine) => {
  /** A site behind a proxy, whose visitors come from anywhere. */
  const aFrontedSite = async () => {
    const site = await aLockedSite(engine);
    await site.alone.settings.keep('global', { proxy: 'manual', proxy_header: 'HTTP_X_FORWARDED_FOR' });
    const ask = async (address: string, path = posts, headers: Record<string, string> = {}) =>
      site.from('127.0.0.9').ask(path, { headers: { 'x-forwarded-for': address, ...headers } });
    const guesses = async (address: string): Promise<number> => {
      const authorization = `Basic ${Buffer.from(`${stranger()}:x`).toString('base64')}`;
      return (await ask(address, me, { authorization })).status;
    };
    /** Another address each time. */
    const wrong = async (network: string): Promise<number[]> => {
      const statuses: number[] = [];
      for (let at = 1; at <= 5; at++) statuses.push(await guesses(`${network}:${at}::${site.time.now % 7}`));
      return statuses;
    };
    const status = async (address: string) => (await ask(address)).status;
    return { site, ask, wrong, status };
  };

  test('is locked out with every address of it, and let in again with every one', async () => {
    const { site, wrong, status } = await aFrontedSite();
    assert.deepEqual(await wrong(theirs), [401, 401, 401, 401, 403]);
    assert.deepEqual([await status(`${theirs}:ffff::1`), await status(`${others}::1`)], [403, 200]);
    const { items } = await site.alone.lockouts.list({ limit: 9, offset: 0 });
    assert.deepEqual(
      items.map(({ host }) => host),
      [`${theirs}:5::${site.time.now % 7}`],
    );
    assert.equal(await site.alone.lockouts.releaseAddress(`${theirs}::77`), 1);
    assert.equal(await status(`${theirs}:ffff::1`), 200);
  });

  test('is banned with all of it', async () => {
    const { site, wrong, status } = await aFrontedSite();
    for (let time = 0; time < 3; time++) {
      await wrong(theirs);
      site.time.now += 16 * minute;
    }
    const [ban] = await site.alone.bans.newest(9);
    assert.deepEqual([ban?.host, ban?.actor_id], [`${theirs}::/64`, 'brute_force']);
    assert.deepEqual([await status(`${theirs}:ffff::1`), await status(`${others}::1`)], [403, 200]);
  });

  test('is banned by hand with all of it', async () => {
    const { site, wrong } = await aFrontedSite();
    await wrong(theirs);
    const banned = await site.as('administrator').post('/api/secsuite/v1/lockouts/1/ban-lockout');
    assert.deepEqual([banned.status, banned.body.label], [200, `${theirs}::/64`]);
    assert.equal((await site.as('administrator').get('/api/secsuite/v1/lockouts/1')).body.bannable, false);
  });

  test('is let in by a link with all of it', async () => {
    const { site } = await aFrontedSite();
    const { id } = await site.user({ login: 'ada', email: 'ada@example.org', roles: ['editor'] });
    const lock = async () => {
      for (let at = 1; at <= 10; at++)
        await site.alone.lockouts.strike({
          type: 'brute_force',
          address: `203.0.113.${at}`,
          user: { id, login: 'ada' },
        });
    };
    const post = (fields: Record<string, string>) => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `${theirs}::1`,
      };
      return site
        .from('127.0.0.9')
        .ask('/unlock', { method: 'POST', headers, body: String(new URLSearchParams(fields)) });
    };
    await lock();
    await post({ log: 'ada' });
    await site.app.services.events.settled();
    const link = new URL(site.alone.told.letters.at(-1)!.tags!.login_url!);
    assert.equal((await post({ key: link.searchParams.get('key')! })).status, 200);
    await lock();
    const { enforced } = site.alone.defence;
    const spared = ['1::', 'ffff::2'].map((end) => enforced.isSpared(id, `${theirs}:${end}`));
    assert.deepEqual([enforced.user(id), ...spared], [true, true, true]);
    assert.equal(enforced.isSpared(id, `${others}::1`), false);
  });

  test('is not locked out beside a manager', async () => {
    const { site, ask, wrong } = await aFrontedSite();
    await ask(`${theirs}::42`, me, await site.credentials('administrator'));
    assert.deepEqual(await wrong(theirs), Array(5).fill(401));
    assert.ok((await codesOf(site)).includes('notice whitelisted-host-triggered-host-lockout'));
  });
});

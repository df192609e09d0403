import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import type { Ended } from '#test/gatehouse.ts';
import { visitorFrom, wrong } from '#test/lockouts-alone.ts';
import { aMadePlace, aSitePlace, type SitePlace } from '#test/serving.ts';
import { soon } from '#test/soon.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

/** A site that serves, people who come to it from several addresses, and its administrator. */
async function aServing(place: SitePlace) {
  const site = await place.serveHere();
  const port = Number(new URL(site.origin).port);
  const password = fine(await place.run('app-password', 'create', 'admin', '--name', 'test')).trim();
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const from = (address: string) => visitorFrom(port, address);
  const isIn = async (address: string): Promise<boolean> => (await from(address).ask('/')).status === 200;
  return {
    site,
    from,
    isIn,
    /** What was done from the machine, as the log says it; the newest last. */
    deeds: async (): Promise<string[]> => {
      const { body } = await from('127.0.0.2').ask('/api/secsuite/v1/logs?module[]=lockout&type[]=action&order=asc', {
        headers: { authorization },
      });
      const deeds = (body as { code: { rendered: string }; data: { actor?: string }; url: string }[]).filter(
        ({ data, url }) => data.actor === 'command line' && url === 'wp-cli',
      );
      return deeds.map(({ code }) => code.rendered);
    },
    ban: async (host: string): Promise<void> => {
      const { status, text } = await from('127.0.0.2').ask('/api/secsuite/v1/bans/database', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ host, created_by: { type: 'user', id: '1' } }),
      });
      assert.equal(status, 201, text);
    },
    hears: (address: string) => soon(() => isIn(address), true),
  };
}

eachEngine('The way back in from the machine', (engine) => {
  test('lets in again whom the suite keeps out, while the site serves', async () => {
    const place = await aSitePlace(engine);
    const { run } = place;
    const { from, isIn, ban, hears, deeds } = await aServing(place);
    await Promise.all(['127.0.0.9', '127.0.0.10', '127.0.0.11'].map((address) => wrong(5, from(address))));
    await ban('127.0.0.20');
    await ban('127.0.0.16/29');
    for (const address of ['127.0.0.9', '127.0.0.10', '127.0.0.11', '127.0.0.20'])
      assert.equal(await isIn(address), false, address);

    assert.equal(fine(await run('security', 'unblock', '127.0.0.9')), '1 lockout of 127.0.0.9 ended.\n');
    await hears('127.0.0.9');
    const again = await run('security', 'unblock', '127.0.0.9');
    assert.equal(fine(again), '127.0.0.9 is neither locked out nor banned.\n');

    const narrow = await run('security', 'unblock', '127.0.0.20');
    assert.equal(fine(narrow), 'The ban of 127.0.0.20 was lifted.\n');
    assert.match(narrow.err, /The IP range 127\.0\.0\.16\/29, .* is still banned\.\nAdd --ranges /);
    assert.equal(await isIn('127.0.0.20'), false);
    const wide = await run('security', 'unblock', '127.0.0.20', '--ranges');
    assert.deepEqual([fine(wide), wide.err], ['The ban of 127.0.0.16/29 was lifted.\n', '']);
    await hears('127.0.0.20');

    assert.match(
      fine(await run('security', 'trust', '127.0.0.10', '--for', '2')),
      /is a trusted IP address until \d{4}-.{11} UTC/,
    );
    await hears('127.0.0.10');
    assert.equal(await isIn('127.0.0.11'), false);

    await ban('127.0.0.30');
    const unasked = await run('security', 'unblock', '--all');
    assert.deepEqual([unasked.code, unasked.out], [2, '']);
    assert.match(unasked.err, /can try again at once, and there is no terminal to ask for confirmation; add --yes/);
    assert.equal(await isIn('127.0.0.11'), false);
    const unlocked = await run('security', 'unblock', '--all', '--yes');
    assert.match(fine(unlocked), /^\d+ lockouts ended\.\n$/);
    assert.match(unlocked.err, /^1 ban stays\. .* gatehouse security unblock ADDRESS\n$/);
    await hears('127.0.0.11');
    assert.equal(await isIn('127.0.0.30'), false);
    assert.equal(fine(await run('security', 'unblock', '--all', '--yes')), 'No IP address or account is locked out.\n');
    assert.deepEqual(await deeds(), [
      'IP address unblocked by a command: 127.0.0.9',
      ...Array(2).fill('IP address unblocked by a command: 127.0.0.20'),
      'IP address trusted by a command: 127.0.0.10',
      'All lockouts ended by a command',
    ]);
  });

  test('takes one IP address, and a number of hours', async () => {
    const place = await aMadePlace(engine);
    const cases: readonly (readonly [args: readonly string[], said: RegExp])[] = [
      [['unblock'], /Name an IP address, or add --all/],
      [['unblock', '198.51.100.0/24'], /198\.51\.100\.0\/24 is an IP range\. Name one IP address/],
      [['unblock', '198.51.100.7', '--all'], /--all cannot be combined with/],
      [['unblock', '--all', '--ranges'], /--all cannot be combined with/],
      [['trust'], /ADDRESS/],
      [['trust', 'here'], /here is not a valid IP address/],
      [['trust', '198.51.100.7', '--for', '0'], /--for must be a number of hours from 1 to 720/],
      [['trust', '198.51.100.7', '--for', '721'], /--for must be/],
    ];
    for (const [args, said] of cases) {
      const ended = await place.run('security', ...args);
      assert.deepEqual([ended.code, ended.out], [2, ''], ended.err);
      assert.match(ended.err, said);
    }
  });

  test('has its old names in this version, which say so', async () => {
    const place = await aMadePlace(engine);
    const rows = [
      [['secsuite', 'release', '198.51.100.7'], /neither locked out nor banned/, 'security unblock'],
      [['secsuite', 'allow', '198.51.100.7'], /a trusted IP address until/, 'security trust'],
      [['doctor', '--unlock', '--yes'], /No IP address or account is locked out/, 'security unblock --all'],
    ] as const;
    for (const [args, out, name] of rows) {
      const ended = await place.run(...args);
      assert.match(fine(ended), out);
      assert.match(
        ended.err,
        new RegExp(`is now "gatehouse ${name}"\\. The old name stops working in the next version\\.\n$`),
      );
    }
    assert.equal((await place.run('doctor', '--unlock', '--json', '--yes')).code, 2);
  });
});

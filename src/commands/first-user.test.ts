import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { offendersAmong } from '#test/offenders.ts';
import { aMadePlace, aSitePlace, type SitePlace, stopped } from '#test/serving.ts';

const everybody = async ({ run }: SitePlace): Promise<{ login: string; email: string; roles: string[] }[]> =>
  JSON.parse((await run('user', 'list', '--json')).out);

/** Where signing in leads: somewhere else, or nowhere. */
const signedIn = async (origin: string, log: string, pwd: string): Promise<boolean> => {
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ log, pwd }),
    redirect: 'manual',
  });
  return answer.status === 302;
};

eachEngine('the first start', (engine) => {
  test('touches nothing when a setting of the first user cannot be used', async () => {
    const place = await aSitePlace(engine);
    const ended = await place
      .serveHere({ GATEHOUSE_ADMIN_EMAIL: 'nowhere' })
      .then(stopped, (error: Error) => error.message);
    assert.match(String(ended), /\(2\) .*GATEHOUSE_ADMIN_EMAIL cannot be used for the first user: /s);
    assert.match((await place.run('user', 'list')).err, /^(?:There is no site in|This database holds no site) /);
  });

  test('is long past once its password was changed: what stands in the file is said to be old', async () => {
    const place = await aSitePlace(engine);
    await stopped(await place.serveHere());
    await place.run('user', 'set-password', 'admin', '--generate');
    const { said } = await place.serveHere();
    assert.match(said, /Delete .*first-password {2}it no longer holds the password of the first user\n/);
  });

  test('makes an administrator, whose password stands in a file of the owner alone until it is deleted', async () => {
    const place = await aSitePlace(engine);
    const file = join(place.data, 'first-password');
    const first = await place.serveHere();
    assert.ok(first.said.includes(`/login  as admin  with the password in ${file}\n`), first.said);
    const password = readFileSync(file, 'utf8').trim();
    assert.match(password, /^[a-z2-9]{20}$/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(await signedIn(first.origin, 'admin', password), true);
    const { out, err } = await stopped(first);
    assert.equal(`${out}${err}`.includes(password), false);
    const [admin, ...others] = await everybody(place);
    assert.deepEqual([admin?.login, admin?.roles, others], ['admin', ['administrator'], []]);
    const again = await place.serveHere();
    assert.match(
      again.said,
      /Delete .*first-password {2}once you have read it: it holds the password of the first user\n/,
    );
    assert.doesNotMatch(again.said, /as admin/);
    await stopped(again);
    assert.equal(readFileSync(file, 'utf8').trim(), password);
  });

  test('takes name, password and email address from the settings, which later starts do not read', async () => {
    const place = await aSitePlace(engine);
    const given = { GATEHOUSE_ADMIN_USER: 'anna', GATEHOUSE_ADMIN_PASSWORD: 'a long enough phrase' };
    const first = await place.serveHere({ ...given, GATEHOUSE_ADMIN_EMAIL: 'anna@site.test' });
    assert.match(first.said, /\/login {2}as anna\n/);
    assert.equal(existsSync(join(place.data, 'first-password')), false);
    assert.equal(await signedIn(first.origin, 'anna', 'a long enough phrase'), true);
    await stopped(first);
    assert.match((await place.run('settings', 'show', 'site')).out, /email +anna@site\.test/, 'of the site as well');
    await stopped(await place.serveHere({ GATEHOUSE_ADMIN_USER: 'é', GATEHOUSE_ADMIN_PASSWORD: '\\' }));
    assert.deepEqual(
      (await everybody(place)).map(({ login, email }) => [login, email]),
      [['anna', 'anna@site.test']],
    );
  });

  test('says how to name the site, once', async () => {
    const place = await aSitePlace(engine);
    const [first, again] = [await place.serveHere(), await place.serveHere()];
    assert.match(first.said, /^Gatehouse \S+ serves A new site\n/);
    assert.match(first.said, /Name it +gatehouse settings set site title "…"/);
    assert.doesNotMatch(again.said, /Name it/);
    await Promise.all([stopped(first), stopped(again)]);
  });
});

describe('the first start', () => {
  const engine = testEngine('sqlite');

  const wrong: readonly [name: string, value: string][] = [
    ['GATEHOUSE_ADMIN_PASSWORD', 'with a \\ in it'],
    ['GATEHOUSE_ADMIN_PASSWORD', '7 chars'],
    ['GATEHOUSE_ADMIN_USER', 'ånna'],
    ['GATEHOUSE_ADMIN_EMAIL', 'nowhere'],
  ];
  test('stops with one sentence when a setting of the first user cannot be used, and touches nothing', async () => {
    const offenders = await offendersAmong(wrong, String, async ([name, value]) => {
      const { data, where } = await aSitePlace(engine);
      const { code, out, err } = await gatehouse(['serve', '--port', '0', ...where], { [name]: value });
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, new RegExp(`^${name} cannot be used for the first user: [^\\n]+\\n$`));
      assert.equal(name === 'GATEHOUSE_ADMIN_PASSWORD' && err.includes(value), false);
      assert.deepEqual(readdirSync(data), []);
    });
    assert.deepEqual(offenders, []);
  });

  test('of a database that was only migrated is judged as well', async () => {
    const place = await aMadePlace(engine);
    const ended = await place
      .serveHere({ GATEHOUSE_ADMIN_USER: 'ånna' })
      .then(stopped, (error: Error) => error.message);
    assert.match(String(ended), /\(2\) .*GATEHOUSE_ADMIN_USER cannot be used for the first user: /s);
    assert.deepEqual(await everybody(place), []);
  });

  test('replaces what an earlier site left in the file', async () => {
    const place = await aSitePlace(engine);
    writeFileSync(join(place.data, 'first-password'), 'of another site\n', { mode: 0o600 });
    await stopped(await place.serveHere());
    assert.match(readFileSync(join(place.data, 'first-password'), 'utf8'), /^[a-z2-9]{20}\n$/);
  });
});

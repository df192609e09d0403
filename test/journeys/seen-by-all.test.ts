// What is changed through one process is soon seen by all.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { aVisitor } from '#test/visitor.ts';

const secret = 'a secret that only this test knows of, long enough';

/** Two sites on one database, as two processes have it. */
async function twoOf(engine: TestEngine): Promise<readonly [TestSite, TestSite]> {
  const where = await engine.place();
  const shared: TestEngine = { ...engine, place: async () => where };
  const options = { env: { GATEHOUSE_SECRET: secret } };
  return [await aSite(shared, options), await aSite(shared, options)];
}

onBothStores('Two processes of one site', (engine) => {
  let [here, there]: readonly (TestSite | undefined)[] = [];
  const both = () => [here!, there!] as const;
  before(async () => {
    [here, there] = await twoOf(engine);
  });

  test('know what an account may no longer do', async () => {
    const [here, there] = both();
    const anna = await here.user({ login: 'anna', roles: ['administrator'] });
    await here.credentials('administrator');
    const headers = await here.credentials(anna);
    const users = async () => (await there.get('/api/core/v2/users?context=edit', headers)).status;
    await soon(users, 200);
    const changed = await here.as('administrator').post(`/api/core/v2/users/${anna.id}`, { roles: ['subscriber'] });
    assert.equal(changed.status, 200, changed.text);
    await soon(users, 403);
  });

  test('know that an account signed out', async () => {
    const [here, there] = both();
    await here.user({ login: 'ben', password: 'the password of ben', roles: ['author'] });
    const browser = aVisitor(here);
    await browser.signIn('ben', 'the password of ben');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const account = async () => (await there.get('/account', { cookie })).status;
    await soon(account, 200);
    const token = await browser.token('/account', 'action=logout');
    await browser.get(`/wp-login.php?action=logout&_wpnonce=${token}`);
    assert.equal((await here.get('/account', { cookie })).status, 302, 'here it is over');
    await soon(account, 302);
  });

  test('know the title of the site, cached answers and pages included', async () => {
    const sites = both();
    const names = async (path: string) =>
      (await Promise.all(sites.map((site) => site.get(path)))).map(({ text }) => text);
    const called = async (name: string) =>
      (await Promise.all(['/', '/no/page', '/api/', '/wp-json/openapi.json'].map(names)))
        .flat()
        .every((text) => text.includes(name));
    for (let again = 0; again < 2; again++) assert.equal(await called('Riverside School'), true);
    const { data, database } = sites[0].config;
    const where = ['--data', data, ...(database ? ['--database', database] : [])];
    const set = ['settings', 'set', 'site', 'title', 'Hillside School', ...where];
    const { code, err } = await gatehouse(set, { GATEHOUSE_SECRET: secret });
    assert.equal(code, 0, err);
    await soon(() => called('Hillside School'), true);
    const { settings, siteGroup } = sites[0].app.services;
    await settings.change(siteGroup, { title: 'Lakeside School' }, 1);
    assert.equal((await sites[0].get('/api/')).body.name, 'Lakeside School', 'and who changed it, in the next answer');
    await soon(() => called('Lakeside School'), true);
  });
});

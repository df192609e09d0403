// What the tweaks of the interface and of accounts do, and that they do nothing while they are off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { upload } from '#test/paper.ts';
import { picture } from '#test/pictures.ts';
import { aSite, type SiteOptions, type TestSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';

const settings = '/api/secsuite/v1/settings/core-tweaks';
const password = 'quiet harbour beneath a violet kettle';

async function aTweakedSite(engine: TestEngine, options: SiteOptions = {}) {
  const site = await aSite(engine, { deployment: 'a', ...options });
  const set = async (values: object) => {
    const { status, text } = await site.as('administrator').patch(settings, values);
    assert.equal(status, 200, text);
  };
  return { site, set };
}

const readBy = async (site: TestSite, paths: readonly string[], role?: string): Promise<(string | number)[]> =>
  Promise.all(
    paths.map(async (path) => {
      const { status, body } = await (role === undefined ? site : site.as(role)).get(path);
      return status === 200 ? 200 : `${status} ${body?.code}`;
    }),
  );

const closed = [
  ...['/api/core/v2/posts', '/wp-json/wp/v2/pages', '/?rest_route=/wp/v2/media', '/wp-json/wp/v2/categories'],
  ...['/api/core/v2/tags', '/api/core/v2/comments', '/api/core/v2/types', '/api/core/v2/statuses'],
  ...['/api/core/v2/users', '/wp-json/wp%2Fv2/users', '/wp-json/WP/v2/Users/1'],
];

eachEngine('The tweak of the interface', (engine) => {
  test('shows lists to those only who work on them, however they are asked for, and kept answers to nobody', async () => {
    const { site, set } = await aTweakedSite(engine);
    const found = closed.filter((path) => !/%2F|Users/.test(path));
    for (const _ of 'twice') assert.deepEqual(await readBy(site, found), Array(found.length).fill(200));
    await set({ rest_api: 'restrict-access' });
    for (const said of await readBy(site, closed))
      assert.ok(
        ['401 secsuite_rest_api_access_restricted', '404 rest_no_route', '404 undefined'].includes(`${said}`),
        `${said}`,
      );
    assert.deepEqual(
      await readBy(site, found, 'subscriber'),
      Array(found.length).fill('403 secsuite_rest_api_access_restricted'),
    );
    assert.deepEqual(await readBy(site, found, 'administrator'), Array(found.length).fill(200));
    const own = ['/api/core/v2/users/me', '/api/core/v2/users/me/application-passwords', '/api/'];
    assert.deepEqual(await readBy(site, own, 'subscriber'), [200, 200, 200]);
    const { id } = (await site.as('administrator').get('/api/core/v2/users/me')).body;
    assert.deepEqual(await readBy(site, [`/api/core/v2/users/${id}`], 'subscriber'), [
      '403 secsuite_rest_api_access_restricted',
    ]);
    const overridden = await site.post('/api/core/v2/users?_method=GET', {});
    assert.deepEqual([overridden.status, overridden.body.code], [401, 'secsuite_rest_api_access_restricted']);
    const batch = await site.post('/api/batch/v1', { requests: [{ method: 'GET', path: '/core/v2/users' }] });
    assert.ok(!JSON.stringify(batch.body).includes('"slug"'));
    await site.as('administrator').post('/api/core/v2/posts', { title: 'Peace', status: 'publish' });
    const embedded = async (role?: string) => {
      const { body } = await (role === undefined ? site : site.as(role)).get('/api/core/v2/search?_embed');
      return body[0]._embedded.self[0];
    };
    assert.deepEqual((await embedded()).code, 'secsuite_rest_api_access_restricted');
    assert.equal((await embedded('administrator')).type, 'post');
    await set({ rest_api: 'default-access' });
    assert.deepEqual(await readBy(site, found), Array(found.length).fill(200));
    assert.equal((await embedded()).type, 'post');
  });

  test('keeps records back that an answer for everybody was made with before', async () => {
    const { site, set } = await aTweakedSite(engine);
    const admin = site.as('administrator');
    const { id } = (await upload(admin, '/api/core/v2/media', 'logo.png', await picture(8, 8, 'png'))).body;
    await admin.post('/api/core/v2/settings', { site_logo: id });
    const logo = async () => {
      const { _embedded: all } = (await site.get('/api/?_embed')).body;
      return Object.values(all as Record<string, readonly { media_type?: string; code?: string }[]>).flat()[0] ?? {};
    };
    for (const _ of [1, 2, 3]) assert.equal((await logo()).media_type, 'image');
    await set({ rest_api: 'restrict-access' });
    for (const _ of [1, 2, 3]) assert.equal((await logo()).code, 'secsuite_rest_api_access_restricted');
    await admin.post('/api/core/v2/settings', { title: 'Another' });
    for (const _ of [1, 2, 3]) {
      assert.equal((await logo()).code, 'secsuite_rest_api_access_restricted');
      await site.app.services.jobs.settled();
    }
  });
});

eachEngine('The tweak of signing in', (engine) => {
  test('asks for a mail address or for a name, as it is set, and of programs for neither', async () => {
    const { site, set } = await aTweakedSite(engine);
    await site.user({ login: 'kim', email: 'kim@site.test', password, roles: ['editor'] });
    const outcomes = () =>
      Promise.all(['kim', 'KIM@site.test'].map(async (log) => (await aVisitor(site).signIn(log, password)).status));
    assert.deepEqual(await outcomes(), [302, 302]);
    await set({ valid_user_login_type: 'email' });
    assert.deepEqual((await outcomes())[1], 302);
    const refused = await aVisitor(site).signIn('kim', password);
    assert.deepEqual([refused.status, refused.given], [403, []]);
    assert.match(refused.text, /with your email address/);
    const stranger = await aVisitor(site).signIn('nobody', password);
    assert.equal(stranger.text.replaceAll('nobody', 'kim'), refused.text);
    await set({ valid_user_login_type: 'username' });
    assert.equal((await outcomes())[0], 302);
    assert.match((await aVisitor(site).signIn('kim@site.test', password)).text, /with your user name/);
    assert.equal((await site.as('editor').get('/api/core/v2/users/me')).status, 200);
  });
});

eachEngine('The tweak of names in addresses', (engine) => {
  test('has new people named after their name, not after their login, and moves others when they are changed', async () => {
    const { site, set } = await aTweakedSite(engine);
    const admin = site.as('administrator');
    let people = 0;
    const add = async (more: object) =>
      (await admin.post('/api/core/v2/users', { email: `person${++people}@site.test`, password, ...more })).body;
    const old = await add({ username: 'ada.l' });
    assert.equal(old.slug, 'ada-l');
    await set({ force_unique_nicename: true });
    assert.equal((await add({ username: 'grace', name: 'Rear Admiral' })).slug, 'rear-admiral');
    assert.equal((await add({ username: 'alan' })).slug, 'author');
    assert.equal((await add({ username: 'kurt', slug: 'kurt' })).slug, 'author-2');
    const path = `/api/core/v2/users/${old.id}`;
    const refused = await admin.patch(path, { slug: 'ada.l' });
    assert.deepEqual([refused.status, refused.body.code], [400, 'rest_user_invalid_slug']);
    assert.equal((await admin.patch(path, { name: 'Countess' })).body.slug, 'author-3');
    assert.equal((await admin.patch(path, { slug: 'countess' })).body.slug, 'countess');
    await set({ force_unique_nicename: false });
    assert.equal((await add({ username: 'edsger' })).slug, 'edsger');
  });
});

eachEngine('HTTPS for everything', (engine) => {
  test('sends on whoever came to the proxy without it, while it is on', async () => {
    const url = 'https://site.test';
    const { site } = await aTweakedSite(engine, { config: { url } });
    const plain = { 'x-forwarded-proto': 'http' };
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(`${site.origin}${path}`, { headers, redirect: 'manual' });
    assert.equal((await ask('/', plain)).status, 200);
    const switched = await site
      .as('administrator')
      .put('/api/secsuite/v1/modules/ssl', { status: { selected: 'active' } });
    assert.equal(switched.status, 200, switched.text);
    const sent = await ask('/?a=1', plain);
    assert.deepEqual([sent.status, sent.headers.get('location')], [302, `${url}/?a=1`]);
    const refused = await ask('/api/', plain);
    assert.deepEqual([refused.status, refused.headers.get('location')], [403, `${url}/api/`]);
    assert.equal((await ask('/', { 'x-forwarded-proto': 'https' })).status, 200);
    assert.equal((await ask('/', {})).status, 200);
  });

  test('is told by a proxy that is trusted, where some are', async () => {
    const { site } = await aTweakedSite(engine, {
      env: { GATEHOUSE_TRUST_PROXY: '203.0.113.7' },
      config: { url: 'https://site.test' },
    });
    await site.as('administrator').put('/api/secsuite/v1/modules/ssl', { status: { selected: 'active' } });
    const { status } = await site.get('/', { 'x-forwarded-proto': 'http' });
    assert.equal(status, 200);
  });
});

// The hidden sign-in page: where it is, where it is not, and who is led there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '#lib/html.ts';
import type { Step } from '#site/identity/checks.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { linkIn, mailsOf } from '#test/mails.ts';
import { aSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';

const settings = '/api/secsuite/v1/settings/hide-backend';
const password = 'quiet harbour beneath a violet kettle';

async function aHiddenSite(engine: TestEngine, values: object = {}) {
  const site = await aSite(engine, { deployment: 'a' });
  await site.user({ login: 'kim', email: 'kim@site.test', password, roles: ['editor'] });
  await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
  const set = async (said: object) => {
    const { status, text } = await site.as('administrator').patch(settings, said);
    assert.equal(status, 200, text);
  };
  const whole = { enabled: true, slug: 'way-in', register: 'register', theme_compat: true, post_logout_slug: '' };
  await set({ ...whole, theme_compat_slug: 'not_found', ...values });
  return { site, set, visitor: () => aVisitor(site) };
}

const former = ['/login', '/login/', '/wp-login.php?action=lostpassword', '/wp-admin', '/wp-admin/profile.php'];

eachEngine('The hidden sign-in page', (engine) => {
  test('is at its own address alone, and all it says leads back there', async () => {
    const { site, visitor } = await aHiddenSite(engine);
    for (const path of former) assert.equal((await visitor().get(path)).to, '/not_found', path);
    const kim = visitor();
    const page = await kim.get('/way-in?redirect_to=%2F');
    assert.equal(page.status, 200);
    assert.match(page.text, /action="\/way-in"/);
    assert.match(page.text, /href="\/way-in\?action=lostpassword"/);
    assert.doesNotMatch(page.text, /\/login/);
    assert.equal((await visitor().post('/login', { log: 'kim', pwd: password })).given.length, 0);
    const signedIn = await kim.post('/way-in', { log: 'kim', pwd: password });
    assert.deepEqual([signedIn.status, signedIn.given.length], [302, 1]);
    const account = await kim.get('/account');
    assert.match(account.text, /action="\/way-in\?action=logout"/);
    const token = await kim.token('/way-in?action=logout');
    const left = await kim.post('/way-in?action=logout', { _wpnonce: token });
    assert.equal(left.to, '/way-in?loggedout=true');
    assert.equal((await site.get('/api/core/v2/users/me')).status, 401);
  });

  test('is shown to nobody on the way: not on public pages, not in redirects, not by other spellings', async () => {
    const { site, visitor } = await aHiddenSite(engine);
    const kim = visitor();
    await kim.post('/way-in', { log: 'kim', pwd: password });
    await kim.get('/');
    for (const path of ['/', '/account', '/authorize-application', '/export', ...former]) {
      const { text, to } = await visitor().get(path);
      assert.ok(!text.includes('way-in') && !to?.includes('way-in'), path);
      assert.doesNotMatch(text, /href="\/login"|name="pwd"/, path);
    }
    const escaped = [
      '/%6cogin',
      '/%6Cogin/',
      '/wp%2Dlogin.php',
      '/wp-login%2ephp',
      '/wp-%61dmin/profile.php',
      '/wp-admin//',
    ];
    for (const path of escaped) assert.equal((await visitor().get(path)).to, '/not_found', path);
    const wanted = await visitor().post('/%6cogin', { log: 'kim', pwd: password });
    assert.deepEqual([wanted.to, wanted.given.length], ['/not_found', 0]);
    const odd = ['?action=postpass', '?action=postpass&action=', '?action=postpass&action[]=', '?action=rp'];
    for (const query of odd)
      assert.doesNotMatch((await visitor().get(`/wp-login.php${query}`)).text, /name="pwd"/, query);
    assert.notEqual((await visitor().post('/wp-login.php?action=postpass', { post_password: 'x' })).to, '/not_found');
    const form = { log: 'kim', pwd: password, action: 'postpass' };
    assert.equal((await visitor().post('/wp-login.php', form)).given.length, 0);
    assert.equal(site.log.lines.filter(({ level }) => level === 'error').length, 0);
  });

  test('is named in letters to those who may sign in there', async () => {
    const { visitor, site } = await aHiddenSite(engine);
    const asked = await visitor().post('/way-in?action=lostpassword', { user_login: 'kim' });
    assert.equal(asked.to, '/way-in?checkemail=confirm');
    const link = await linkIn(site);
    assert.match(link, /^\/way-in\?action=rp&key=/);
    const kim = visitor();
    assert.equal((await kim.get(link)).to, '/way-in?action=rp');
    assert.match((await kim.get('/way-in?action=rp')).text, /name="pass1"/);
  });

  test('asks further steps of a sign-in at its own address', async () => {
    const { visitor, site } = await aHiddenSite(engine);
    const sheet = { title: 'Your code', reason: 'Enter it.', body: html`<input name="code">`, button: 'Check' };
    const take: Step['take'] = async ({ form }) => (form.code === '7' ? {} : { faults: { code: 'This is wrong.' } });
    const step: Step = { name: 'code', kind: 'proof', due: () => 'always', form: () => sheet, take };
    site.app.services.identity.checks.also({ step });
    const kim = visitor();
    const asked = await kim.post('/way-in', { log: 'kim', pwd: password });
    assert.match(asked.text, /action="\/way-in\?action=step"/);
    assert.doesNotMatch(asked.text, /\/login/);
    assert.equal((await visitor().post('/way-in?action=step', { code: '7' })).to, '/way-in?step=over');
    assert.equal((await kim.post('/way-in?action=step', { code: '7' })).to, '/account');
    assert.equal((await kim.get('/account')).status, 200);
  });

  test('refuses instead of sending on, as it is set, and moves, and is where it used to be once it is off', async () => {
    const { site, set, visitor } = await aHiddenSite(engine, { theme_compat: false, post_logout_slug: 'own' });
    assert.equal((await visitor().get('/login')).status, 403);
    assert.match((await visitor().get('/login?action=own')).text, /name="pwd"/);
    await set({ slug: 'other-way' });
    assert.equal((await visitor().get('/way-in')).status, 404);
    assert.match((await visitor().get('/other-way')).text, /name="pwd"/);
    for (const slug of ['wp-cron', 'unlock', 'export', '%6cogin', 'a%2fb', 'a%zz', 'a%20b', '%00', '%e2%80%ae', '?x']) {
      const refused = await site.as('administrator').patch(settings, { slug });
      assert.deepEqual([refused.status, refused.body.code], [400, 'secsuite.hide-backend.slug-taken'], slug);
    }
    await set({ enabled: false });
    assert.equal((await visitor().get('/other-way')).status, 404);
    assert.match((await visitor().get('/login')).text, /name="pwd"/);
    assert.match((await visitor().get('/')).text, /href="\/login"/);
    const told = (await mailsOf(site)).filter(({ to }) => to === 'boss@site.test');
    assert.deepEqual(
      told.map(({ text }) => /sign in here.*?site\.test(\S+)/.exec(text)?.[1]),
      ['/way-in', '/other-way', '/wp-login.php'],
    );
  });
});

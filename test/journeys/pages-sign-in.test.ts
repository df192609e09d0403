import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { eachEngine, testEngine } from '#test/databases.ts';
import { testRows } from '#test/rows.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { aVisitor, tokenIn } from '#test/visitor.ts';

const password = 'a quiet river';

async function withAda(site: TestSite): Promise<TestSite> {
  await site.user({ login: 'ada', name: 'Ada "L" & Co', roles: ['author'], password });
  return site;
}

eachEngine('Signing in', (engine) => {
  const opened = async (options?: SiteOptions) => withAda(await aSite(engine, options));

  test('leads to the account, which knows who came', async () => {
    const visitor = aVisitor(await opened());
    const answer = await visitor.signIn('ADA', password, { testcookie: '1' });
    assert.deepEqual([answer.status, answer.to], [302, '/account']);
    const { status, text } = await visitor.get('/account');
    assert.equal(status, 200);
    assert.match(text, /Ada &quot;L&quot; &amp; Co/);
    assert.match(text, /ada@site\.test/);
  });

  test('says one thing, whatever was wrong, and keeps the name', async () => {
    const visitor = aVisitor(await opened());
    const wrong = await visitor.signIn('ada', 'a loud river');
    const unknown = await visitor.signIn('eva', 'a loud river');
    assert.deepEqual([wrong.status, unknown.status, wrong.given, unknown.given], [200, 200, [], []]);
    assert.equal(wrong.text.replaceAll('"ada"', ''), unknown.text.replaceAll('"eva"', ''));
    assert.match(wrong.text, /role="alert"/);
    assert.match(wrong.text, /id="log"[^>]*value="ada"/);
    assert.doesNotMatch(wrong.text, /loud/);
  });

  test('is over after two days, or two weeks for who stays signed in', async () => {
    let now = noon;
    const site = await opened({ clock: () => now });
    const [short, long] = [aVisitor(site), aVisitor(site)];
    const [once] = (await short.signIn('ada', password)).given;
    const [kept] = (await long.signIn('ada', password, { rememberme: 'forever' })).given;
    assert.match(once!, /^site_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.match(kept!, /^site_session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/);
    now = new Date(noon.getTime() + 2 * day + 1000);
    assert.deepEqual([(await short.get('/account')).status, (await long.get('/account')).status], [302, 200]);
    now = new Date(noon.getTime() + 14 * day + 1000);
    assert.equal((await long.get('/account')).status, 302);
  });

  test('ends the session the browser had', async () => {
    const site = await opened();
    const visitor = aVisitor(site);
    await visitor.signIn('ada', password);
    const stolen = aVisitor(site, { cookie: `site_session=${visitor.cookies.get('site_session')}` });
    assert.equal((await stolen.get('/account')).status, 200);
    await visitor.signIn('ada', password);
    assert.deepEqual([(await stolen.get('/account')).status, (await visitor.get('/account')).status], [302, 200]);
  });

  test('out ends the session at once with the link of the page, and asks without it', async () => {
    const site = await opened();
    const visitor = aVisitor(site);
    await visitor.signIn('ada', password);
    const cookie = visitor.cookies.get('site_session');
    const asked = await visitor.get('/wp-login.php?action=logout');
    assert.match(asked.text, /Sign out\?/);
    assert.match((await visitor.get('/wp-login.php?action=logout&_wpnonce=wrong')).text, /Sign out\?/);
    assert.equal((await visitor.get('/account')).status, 200, 'nothing was done');
    const out = await visitor.get(`/wp-login.php?action=logout&_wpnonce=${tokenIn(asked.text)}`);
    assert.deepEqual([out.status, out.to], [302, '/login?loggedout=true']);
    assert.match(out.given.join(), /^site_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/);
    assert.match((await visitor.get(out.to!)).text, /You are signed out/);
    const stolen = aVisitor(site, { cookie: `site_session=${cookie}` });
    assert.equal((await stolen.get('/account')).status, 302);
  });
});

describeAsync('The page to sign in', async () => {
  const engine = testEngine('sqlite');
  const site = await withAda(await aSite(engine));
  const goal = async (redirect: string): Promise<string | null> =>
    (await aVisitor(site).signIn('ada', password, { redirect_to: redirect })).to;

  test('leads on to a page of this host, and to the account instead of any other', async () => {
    assert.equal(await goal('/wp-admin/?a=1#b'), '/wp-admin/?a=1#b');
    assert.equal(await goal('http://site.test/wp-admin/'), '/wp-admin/');
    const others = ['//evil.test', '/\\evil.test', 'http://evil.test', 'http://site.test@evil.test/', '/\t/evil.test'];
    for (const other of [
      ...others,
      'http://site.test//evil.test',
      'https://site.test/',
      'javascript:alert(1)',
      '/a\r\nX: y',
    ])
      assert.equal(await goal(other), '/account', other);
  });

  test('carries the goal along, and nothing of a foreign one', async () => {
    const ours = await aVisitor(site).get('/login?redirect_to=%2Fwp-admin%2F%3Fa%3D%2522');
    assert.match(ours.text, /name="redirect_to" value="\/wp-admin\/\?a=%22"/);
    const foreign = await aVisitor(site).get('/login?redirect_to=http%3A%2F%2Fevil.test');
    assert.doesNotMatch(foreign.text, /evil/);
  });

  test('sends on who is signed in already, unless they are asked for once more', async () => {
    const visitor = aVisitor(site);
    await visitor.signIn('ada', password);
    assert.equal((await visitor.get('/login?redirect_to=%2Fwp-admin%2F')).to, '/wp-admin/');
    const again = await visitor.get('/login?reauth=1');
    assert.match(again.text, /id="log"[^>]*value="ada"/);
  });

  const refused: readonly (readonly [what: string, headers: Record<string, string>])[] = [
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site', origin: 'http://other.site.test' }],
    ['another site, in a browser that says no more', { origin: 'https://evil.test' }],
    ['a page without an origin', { origin: 'null' }],
    ['the same host on another port', { origin: 'http://site.test:8080' }],
  ];
  testRows('refuses forms of other origins, and says where to come from', refused, async ([, headers]) => {
    const form = { log: 'ada', pwd: password };
    const answer = await aVisitor(site).post('/login', form, headers);
    assert.deepEqual([answer.status, answer.given], [403, []]);
    assert.match(answer.text, /href="http:\/\/site\.test\/"/);
  });

  test('takes a form of its own, whichever way the browser says so', async () => {
    const ways = [
      ['sec-fetch-site', 'same-origin'],
      ['sec-fetch-site', 'none'],
      ['origin', 'http://site.test'],
    ] as const;
    for (const [name, said] of ways) {
      const answer = await aVisitor(site).post('/login', { log: 'ada', pwd: password }, { [name]: said });
      assert.equal(answer.status, 302);
    }
  });

  const odd: readonly (readonly [what: string, form: string | Uint8Array])[] = [
    ['lists instead of text', 'log[]=ada&pwd[]=x&redirect_to[]=/x&rememberme[]=1'],
    ['names of the language itself', 'constructor=1&__proto__=2&log[__proto__]=ada&pwd=x'],
    ['bytes that are no text', Buffer.from([...Buffer.from('log='), 0xff, 0xfe, 0x00, ...Buffer.from('&pwd=%ff%00')])],
    ['no password', 'log=ada'],
    ['nothing', ''],
    ['long values', `log=${'a'.repeat(30_000)}&pwd=${'b'.repeat(30_000)}`],
    ['markup', 'log=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&pwd=x'],
  ];
  testRows('answers these forms as any wrong password', odd, async ([, form]) => {
    const { status, text } = await aVisitor(site).post('/login', form);
    assert.equal(status, 200);
    assert.match(text, /The user name or the password is wrong\. Please try again/);
    assert.doesNotMatch(text, /<script/);
  });

  test('takes the last of values that come twice', async () => {
    const form = new URLSearchParams({ log: 'eva', pwd: 'x' }).toString();
    assert.equal(
      (await aVisitor(site).post('/login', `${form}&${new URLSearchParams({ log: 'ada', pwd: password })}`)).status,
      302,
    );
  });

  test('reads no form that is larger than any of ours', async () => {
    assert.equal((await aVisitor(site).post('/login', `log=${'a'.repeat(70_000)}`)).status, 413);
  });

  test('says things of its own only, whatever its address says', async () => {
    const { text } = await aVisitor(site).get(
      '/login?loggedout=constructor&checkemail=%3Cb%3E&password=x&reauth=toString',
    );
    assert.doesNotMatch(text, /role="status"|function|<b>/);
  });

  test('treats actions it does not know as a sign-in', async () => {
    assert.match((await aVisitor(site).get('/wp-login.php?action=unknown')).text, /<title>Sign in · /);
  });

  test('starts no session for a request without a cookie that signs out', async () => {
    assert.equal((await aVisitor(site).get('/login?action=logout')).to, '/login?loggedout=true');
  });
});

describeAsync('Behind HTTPS and below a path', async () => {
  const engine = testEngine('sqlite');
  const site = await withAda(await aSite(engine, { config: { url: 'https://site.test/cms' } }));

  test('the cookie is for that path and for HTTPS, and every way stays below it', async () => {
    const answer = await aVisitor(site).signIn('ada', password);
    assert.equal(answer.to, '/cms/account');
    assert.match(answer.given[0]!, /; Path=\/cms; HttpOnly; SameSite=Lax; Secure$/);
    const page = await aVisitor(site).get('/cms/login');
    assert.match(page.text, /action="\/cms\/login"/);
    assert.doesNotMatch(page.text, /(?:action|href)="\/(?!cms)/);
    assert.equal((await aVisitor(site).get('/cms/account')).to, '/cms/login?redirect_to=%2Fcms%2Faccount');
  });
});

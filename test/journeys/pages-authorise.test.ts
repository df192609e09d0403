import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { basicOf } from '#test/people.ts';
import { testRows } from '#test/rows.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { aVisitor, tokenIn, type Visitor } from '#test/visitor.ts';

const password = 'a quiet river';
const path = '/wp-admin/authorize-application.php';
const appId = '6e2f5f6c-0f0f-4a3c-9d2b-3c5b0f1f2a3b';
const asked = { app_name: 'Phone', app_id: appId, success_url: 'phone://in?x=1', reject_url: 'phone://out' };
const query = (about: Record<string, string>): string => `${path}?${new URLSearchParams(about)}`;

async function withAda(site: TestSite): Promise<{ site: TestSite; ada: Visitor }> {
  await site.user({ login: 'ada', name: 'Ada', roles: ['author'], password });
  const ada = aVisitor(site);
  await ada.signIn('ada', password);
  return { site, ada };
}

const me = (site: TestSite, name: string, secret: string) =>
  site.get('/wp-json/wp/v2/users/me', { authorization: basicOf(name, secret) });

eachEngine('An app that asks to be let in', (engine) => {
  const opened = async (options?: SiteOptions) => withAda(await aSite(engine, options));

  test('sends people to sign in first, and back to its question', async () => {
    const { site } = await opened();
    const visitor = aVisitor(site);
    const first = await visitor.get(query(asked));
    assert.equal(first.status, 302);
    const back = new URL(first.to!, site.origin).searchParams.get('redirect_to')!;
    const second = await visitor.post('/login', { log: 'ada', pwd: password, redirect_to: back });
    assert.equal(second.to, back);
    const { status, text } = await visitor.get(second.to!);
    assert.equal(status, 200);
    assert.match(text, /value="Phone"/);
    assert.match(text, /phone:/);
    assert.match(text, /Ada/);
  });

  test('gets a credential that works, at its own address, once the person says yes', async () => {
    const { site, ada } = await opened();
    const { text } = await ada.get(query(asked));
    const answer = await ada.post(path, { ...asked, app_name: 'My phone', approve: '1', _wpnonce: tokenIn(text) });
    assert.equal(answer.status, 302);
    const target = new URL(answer.to!);
    assert.match(
      answer.to!,
      /^phone:\/\/in\?x=1&site_url=http%3A%2F%2Fsite\.test&user_login=ada&password=[A-Za-z\d]{24}$/,
    );
    assert.equal((await me(site, 'ada', target.searchParams.get('password')!)).body.name, 'Ada');
    const user = await site.app.services.identity.users.named('ada');
    const [made] = await site.app.services.identity.applicationPasswords.list(user!);
    assert.deepEqual([made?.name, made?.app_id], ['My phone', appId]);
  });

  test('is let in once by a form that is sent twice', async () => {
    const { site, ada } = await opened();
    const { text } = await ada.get(query(asked));
    const [, uuid = ''] = /name="uuid" value="([^"]+)"/.exec(text) ?? [];
    const form = { ...asked, uuid, approve: '1', _wpnonce: tokenIn(text) };
    assert.equal((await ada.post(path, form)).status, 302);
    const again = await ada.post(path, form);
    assert.deepEqual([again.status, again.to], [400, null]);
    assert.match(again.text, /You allowed this app already/);
    assert.match(again.text, /href="\/account"/);
    const user = await site.app.services.identity.users.named('ada');
    const made = await site.app.services.identity.applicationPasswords.list(user!);
    assert.deepEqual(
      made.map((one) => one.uuid),
      [uuid],
    );
  });

  test('is told no, and nothing is made, when the person says no', async () => {
    const { site, ada } = await opened();
    const deny = async (about: Record<string, string>) => {
      const _wpnonce = tokenIn((await ada.get(query(about))).text);
      return (await ada.post(path, { ...about, reject: '1', _wpnonce })).to;
    };
    assert.equal(await deny(asked), 'phone://out');
    assert.equal(await deny({ ...asked, reject_url: '' }), 'phone://in?x=1&success=false');
    assert.equal(await deny({ app_name: 'Phone' }), '/account');
    const user = await site.app.services.identity.users.named('ada');
    assert.deepEqual(await site.app.services.identity.applicationPasswords.list(user!), []);
  });

  test('without an address of its own has its password shown, once', async () => {
    const { site, ada } = await opened();
    const { text } = await ada.get(query({ app_name: 'Phone' }));
    const answer = await ada.post(path, { app_name: 'Phone', approve: '1', _wpnonce: tokenIn(text) });
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
    const [, shown = ''] = /<code class="secret">([^<]+)</.exec(answer.text) ?? [];
    assert.match(shown, /^(?:\w{4} ){5}\w{4}$/);
    assert.equal((await me(site, 'ada', shown)).status, 200);
    assert.equal((await ada.get('/account')).text.includes(shown), false);
  });

  test('gets nothing without the token of its form', async () => {
    const { site, ada } = await opened();
    const other = aVisitor(site);
    await other.signIn('ada', password);
    const foreign = tokenIn((await other.get(query(asked))).text);
    const ofAccount = await ada.token('/account', 'action="/account"');
    for (const _wpnonce of ['', 'x', foreign, ofAccount]) {
      const answer = await ada.post(path, { ...asked, approve: '1', _wpnonce });
      assert.deepEqual([answer.status, answer.to], [403, null]);
      assert.equal((await ada.post(path, { ...asked, reject: '1', _wpnonce })).to, null);
    }
    const user = await site.app.services.identity.users.named('ada');
    assert.deepEqual(await site.app.services.identity.applicationPasswords.list(user!), []);
  });

  test('needs a sign-in of the last twelve hours', async () => {
    let now = noon;
    const { ada } = await opened({ clock: () => now });
    const { text } = await ada.get(query(asked));
    now = new Date(noon.getTime() + 12 * 60 * 60 * 1000 + 1);
    const answer = await ada.post(path, { ...asked, approve: '1', _wpnonce: tokenIn(text) });
    assert.match(answer.to!, /^\/login\?redirect_to=.*&reauth=1$/);
    const again = await ada.get(answer.to!);
    assert.match(again.text, /This step needs your password again/);
    const back = new URL(answer.to!, 'http://site.test').searchParams.get('redirect_to')!;
    await ada.signIn('ada', password);
    assert.equal((await ada.get(back)).status, 200);
  });
});

describeAsync('The page that lets an app in', async () => {
  const engine = testEngine('sqlite');
  const { ada } = await withAda(await aSite(engine));

  test('is framed by nobody, kept by nobody, and sends its forms only where the answer goes', async () => {
    const { headers } = await ada.get(query({ ...asked, reject_url: 'https://phone.test/no' }));
    assert.match(
      headers.get('content-security-policy')!,
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self' phone: https:; frame-ancestors 'none'$/,
    );
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-robots-tag'), 'noindex');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
  });

  const refused: readonly (readonly [what: string, about: string])[] = [
    ['an address that runs', 'success_url=javascript:alert(1)'],
    ['one without encryption', 'success_url=http://phone.test/'],
    ['one that hides its host', 'success_url=https://site.test@evil.test/'],
    ['a way back that runs', 'reject_url=data:text/html,x'],
    ['a list of addresses', 'success_url[]=https://a.test/'],
    ['an id that is none', 'app_id=1'],
    ['a list of ids', `app_id[]=${appId}`],
    ['line breaks in an address', 'success_url=https://a.test/%0d%0aX-Y:%20z'],
  ];
  testRows('refuses this, by a link and by a form', refused, async ([, about]) => {
    const answer = await ada.get(`${path}?${about}`);
    assert.deepEqual([answer.status, answer.to], [400, null]);
    assert.doesNotMatch(answer.text, /javascript:alert|evil\.test|data:text/);
    const _wpnonce = await ada.token(query(asked));
    assert.equal((await ada.post(path, `${about}&app_name=x&approve=1&_wpnonce=${_wpnonce}`)).status, 400);
  });

  test('shows the name an app gives itself as text, and leaves a long one short', async () => {
    const { text } = await ada.get(query({ app_name: '"><script>alert(1)</script>' }));
    assert.doesNotMatch(text, /<script/);
    assert.match((await ada.get(query({ app_name: 'x'.repeat(3000) }))).text, /"x{250}"/);
  });

  test('tells beside the field what is wrong with a name', async () => {
    const _wpnonce = await ada.token(query(asked));
    const { status, text } = await ada.post(path, { ...asked, app_name: ' ', approve: '1', _wpnonce });
    assert.equal(status, 400);
    assert.match(text, /id="app_name-fault"/);
    assert.match(text, /aria-invalid="true"/);
  });

  test('says what to do when no app answers, where an app on the device is to', async () => {
    assert.match((await ada.get(query(asked))).text, /If nothing happens after your choice, open the app/);
    for (const about of [{ ...asked, success_url: 'https://phone.test/' }, { app_name: 'Phone' }])
      assert.doesNotMatch((await ada.get(query(about))).text, /If nothing happens/);
  });

  test('answers at the address of our own too', async () => {
    assert.equal((await ada.get('/authorize-application/?app_name=Phone')).status, 200);
    assert.equal((await ada.get('/authorize-application?app_name=Phone')).status, 200);
  });
});

describeAsync('A site that gives apps no passwords', async () => {
  const engine = testEngine('sqlite');
  const { ada } = await withAda(await aSite(engine, { env: { GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'off' } }));

  test('says so, with the way back to the app', async () => {
    const { status, text } = await ada.get(query(asked));
    assert.equal(status, 501);
    assert.match(text, /href="phone:\/\/out\?error=disabled"/);
    const without = await ada.get(query({ success_url: 'phone://in' }));
    assert.match(without.text, /href="phone:\/\/in\?success=false&amp;error=disabled"/);
  });

  test('makes none on the account page either', async () => {
    assert.match((await ada.get('/account')).text, /You cannot create app passwords/);
    const _wpnonce = await ada.token('/account', 'action="/account"');
    const answer = await ada.post('/account', { do: 'add', name: 'x', _wpnonce });
    assert.equal(answer.status, 501);
    assert.doesNotMatch(answer.text, /class="secret"/);
  });
});

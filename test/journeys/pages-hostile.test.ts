// Whatever is sent to a page: an answer a person can read, nothing of the insides, nothing that runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testEngine } from '#test/databases.ts';
import { nastyText } from '#test/nasty.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { aVisitor, type Shown } from '#test/visitor.ts';

const password = 'a quiet river';
const paths = [
  '/login',
  '/wp-login.php',
  '/account',
  '/authorize-application',
  '/wp-admin/authorize-application.php',
  '/wp-admin/admin-ajax.php',
  '/wp-admin/',
];
const names = [
  ...['action', 'log', 'pwd', 'rememberme', 'redirect_to', 'user_login', 'key', 'login', 'pass1', 'pass2', 'current'],
  ...['app_name', 'app_id', 'success_url', 'reject_url', 'approve', 'reject', 'do', 'uuid', 'name', 'done', '_wpnonce'],
];
const actions = ['logout', 'lostpassword', 'rp', 'resetpass', 'rest-nonce', 'add', 'revoke', 'revoke-all', 'password'];

const value = fc.oneof(nastyText, fc.constantFrom(...actions, 'ada', 'phone://in', 'https://app.test/'));
const pair = fc.tuple(fc.constantFrom(...names), fc.constantFrom('', '', '', '[]', '[x]', '[__proto__]'), value);
const sent = fc.record({
  path: fc.constantFrom(...paths),
  query: fc.array(pair, { maxLength: 5 }),
  form: fc.option(fc.array(pair, { maxLength: 8 })),
  known: fc.boolean(),
  right: fc.boolean(),
});

const written = (pairs: readonly (readonly [string, string, string])[]): string =>
  pairs.map(([name, more, text]) => `${name}${more}=${encodeURIComponent(text.toWellFormed())}`).join('&');

/** The one script that a page itself has, with nothing in it that was sent. */
const ownScript =
  /<script>\nvar wpApiSettings = \{"root":"[^"]*","nonce":"[\w-]{24}","versionString":"wp\/v2\/"\};\n[^<]*<\/script>/;

function holds({ status, text: shown, headers }: Shown): void {
  const text = shown.replace(ownScript, '');
  assert.ok(status < 500 || status === 501 || status === 503, `${status} ${text}`);
  assert.doesNotMatch(text, /<script|node:internal|\bat .*\.ts:\d|argon2|SQLITE|select .* from/i);
  assert.equal(headers.get('x-poison'), null);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  if (status !== 200 || headers.get('content-type')?.startsWith('text/html') !== true) return;
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
}

describeAsync('Pages that are sent whatever comes to mind', async () => {
  const engine = testEngine('sqlite');
  const site = await aSite(engine);
  await site.user({ login: 'ada', roles: ['author'], password });

  test('answer it, and never with a failure', async () => {
    const ada = aVisitor(site);
    const tokens = new Map<string, string>();
    const cookie = async (): Promise<string> => {
      if ((await ada.get('/account')).status === 200) return `site_session=${ada.cookies.get('site_session')}`;
      await ada.signIn('ada', password);
      tokens.set('/account', await ada.token('/account', 'action="/account"'));
      tokens.set('/authorize-application', await ada.token('/authorize-application?app_name=x'));
      return cookie();
    };
    const property = fc.asyncProperty(sent, async ({ path, query, form, known, right }) => {
      const visitor = aVisitor(site, known ? { cookie: await cookie() } : {});
      const address = `${path}?${written(query).slice(0, 6000)}`;
      if (form === null) return holds(await visitor.get(address));
      const token = right ? `&_wpnonce=${tokens.get(path) ?? ''}` : '';
      holds(await visitor.post(address, `${written(form)}${token}`));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  test('take no form in another shape for one', async () => {
    const json = { 'content-type': 'application/json' };
    const answer = await aVisitor(site).post('/login', JSON.stringify({ log: 'ada', pwd: password }), json);
    assert.deepEqual([answer.status, answer.given], [200, []]);
    const parts = { 'content-type': 'multipart/form-data; boundary=x' };
    const body = ['log', 'pwd'].map((name) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nada\r\n`);
    assert.equal((await aVisitor(site).post('/login', `${body.join('')}--x--\r\n`, parts)).status, 200);
    assert.equal((await aVisitor(site).post('/login', '--x\r\nbroken', parts)).status, 400);
  });

  test('take only the methods of pages', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      assert.equal((await site.request(method, '/account')).status, 404, method);
    const head = await site.request('HEAD', '/login');
    assert.deepEqual([head.status, head.text], [200, '']);
  });

  test('of a cookie that is no session show the way in', async () => {
    for (const value of ['', 'x', '"', '%00', 'a'.repeat(4000), '__proto__', 'x; site_session=y'])
      assert.equal((await aVisitor(site, { cookie: `site_session=${value}` }).get('/account')).status, 302, value);
  });
});

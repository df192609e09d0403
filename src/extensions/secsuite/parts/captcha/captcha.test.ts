// Captchas in a site of their own.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { describe, test } from 'node:test';
import { inOneSite, password, secret, usual } from '#test/captcha.ts';
import { testEngine } from '#test/databases.ts';
import { answering } from '#test/hub-double.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { checkRows } from '#test/rows.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aVisitor } from '#test/visitor.ts';
import type { Event } from '../../logs/entry.ts';
import type { Saving, Values } from '../../settings/types.ts';

const codesOf = (logged: readonly Event[]) => logged.filter(({ type }) => type !== 'debug').map(({ code }) => code);

const everywhere = '<script src="https://www.google.com/recaptcha/api.js?render=public-key"';

const firstPage = { limit: 1, offset: 0, order: 'asc', orderBy: 'id' } as const;

const makers: readonly (readonly [provider: string, field: string, path: string])[] = [
  ['google', 'g-recaptcha-response', '/recaptcha/api/siteverify'],
  ['cloudflare', 'cf-turnstile-response', '/turnstile/v0/siteverify'],
  ['hcaptcha', 'h-captcha-response', '/siteverify'],
];

describe('A captcha at the door', () => {
  const site = inOneSite(testEngine('sqlite'));
  test('of each provider lets in whoever solved it, and sends the provider nothing but the answer', () =>
    checkRows(makers, async ([provider, field, path]) => {
      const { maker, signsIn, counted, made } = await site({ provider, login: true });
      assert.equal((await signsIn({ [field]: 'an answer' })).status, 302);
      assert.deepEqual(
        maker.asked.map((one) => [one.path, Object.fromEntries(one.form)]),
        [[path, { secret, response: 'an answer' }]],
      );
      assert.deepEqual(counted, []);
      assert.deepEqual([made.now.validated, made.now.last_error], [true, '']);
    }));

  test('keeps out whoever sends none, with the right password too, and counts it', async () => {
    const { maker, signsIn, counted, logged } = await site({ login: true });
    for (const answer of [undefined, '', 'x'.repeat(8193)]) {
      const page = await signsIn(answer === undefined ? {} : { 'g-recaptcha-response': answer });
      assert.equal(page.given.length, 0);
      assert.match(page.text, /Solve the CAPTCHA of this form/);
    }
    assert.deepEqual(counted, ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    assert.equal(maker.asked.length, 0);
    assert.deepEqual(codesOf(logged), Array(3).fill('failed-validation'));
    assert.equal((logged[0]!.data as { error: { code: string } }).error.code, 'secsuite.recaptcha.form-not-submitted');
  });

  test('keeps out whoever sends a wrong one, and locks out whoever does so too often', async () => {
    const refusing = answering(200, { success: false, 'error-codes': ['timeout-or-duplicate'] });
    const { signsIn, counted, made, switches } = await site({ login: true }, refusing);
    switches.limit = 2;
    assert.match((await signsIn({ 'g-recaptcha-response': 'old' })).text, /was not solved, or it has expired/);
    const locked = await signsIn({ 'g-recaptcha-response': 'old' });
    assert.deepEqual([locked.status, counted.length], [403, 2]);
    assert.equal(made.now.validated, true);
  });

  test('is not asked for where it does not stand, and not of programs', async () => {
    const { own, signsIn, switches, maker, settings } = await site({ login: true });
    switches.isRunning = false;
    assert.equal((await signsIn()).status, 302);
    switches.isRunning = true;
    await settings.keep('recaptcha', { login: false });
    assert.equal((await signsIn()).status, 302);
    await settings.keep('recaptcha', { login: true });
    assert.equal((await own.as('editor').get('/api/core/v2/users/me')).status, 200);
    assert.equal(maker.asked.length, 0);
    switches.secret = '';
    assert.equal((await signsIn()).status, 302);
  });

  const blameless: readonly (readonly [what: string, answer: RequestListener, error: RegExp])[] = [
    ['cannot be reached', (request) => void request.destroy(), /^$/],
    ['answers with a page', answering(200, '<p>Hello</p>', 'text/html'), /^$/],
    ['makes no sense', answering(200, '[', 'application/json'), /^$/],
    [
      'does not know the key of the site',
      answering(200, { success: false, 'error-codes': ['invalid-input-secret'] }),
      /key/,
    ],
    ['is given another secret', answering(400, { success: false, 'error-codes': ['sitekey-secret-mismatch'] }), /key/],
  ];
  test('lets pass whoever sent an answer while its provider fails, and tells managers', () =>
    checkRows(blameless, async ([, answer, error]) => {
      const { signsIn, counted, logged, made } = await site({ login: true }, answer);
      assert.equal((await signsIn({ 'g-recaptcha-response': 'an answer' })).status, 302);
      assert.deepEqual([counted, codesOf(logged)], [[], ['not-judged']]);
      assert.match(String(made.now.last_error), error);
      assert.equal(made.now.validated, false);
      assert.ok(!JSON.stringify(logged).includes('an answer') && !JSON.stringify(logged).includes(secret));
    }));

  const scores: readonly (readonly [said: object, status: number])[] = [
    [{ success: true, score: 0.5, action: 'login' }, 302],
    [{ success: true, score: 0.49, action: 'login' }, 200],
    [{ success: true, action: 'login' }, 200],
    [{ success: true, score: 0.9, action: 'comments' }, 200],
  ];
  test('of the third version is passed by a sufficient score for the right action', () =>
    checkRows(scores, async ([said, status]) => {
      const { signsIn } = await site({ type: 'v3', login: true }, answering(200, said));
      assert.equal((await signsIn({ 'g-recaptcha-response': 'an answer' })).status, status);
    }));
});

describe('A captcha elsewhere', () => {
  const site = inOneSite(testEngine('sqlite'));
  test('stands before a link for a lost password', async () => {
    const { own, counted } = await site({ reset_pass: true });
    const asks = (more: Record<string, string>) =>
      aVisitor(own).post('/login?action=lostpassword', { user_login: 'kim', ...more });
    const refused = await asks({});
    assert.deepEqual([refused.status, counted.length], [400, 1]);
    assert.match(refused.text, /class="g-recaptcha"/);
    assert.equal((await asks({ 'g-recaptcha-response': 'an answer' })).status, 303);
    assert.equal((await aVisitor(own).signIn('kim', password)).status, 302);
  });

  test('stands before comments of strangers, and of nobody else', async () => {
    const { own } = await site({ comments: true });
    await own.set('discussion', { anonymous_rest_comments: true });
    const post = (await own.as('editor').post('/api/core/v2/posts', { title: 'One', status: 'publish' })).body.id;
    const comment = { post, content: 'From outside', author_name: 'Ada', author_email: 'ada@example.test' };
    for (const path of ['/api/core/v2/comments', '/wp-json/wp/v2/comments']) {
      const refused = await own.post(path, comment);
      assert.deepEqual([refused.status, refused.body.code], [400, 'secsuite.recaptcha.form-not-submitted']);
    }
    assert.equal(
      (await own.post('/api/core/v2/comments', { ...comment, 'g-recaptcha-response': 'an answer' })).status,
      201,
    );
    assert.equal((await own.as('editor').post('/api/core/v2/comments', { post, content: 'From inside' })).status, 201);
  });
});

describe('A captcha in the whole suite', () => {
  const engine = testEngine('sqlite');
  test('is not asked of whoever is locked out', async () => {
    const [own, suite] = await aGuardedSite(engine);
    const kim = await own.user({ login: 'kim', password, roles: ['editor'] });
    await own.as('administrator').put('/api/secsuite/v1/modules/recaptcha', { status: { selected: 'active' } });
    const keys = { site_key: 'public-key', secret_key: 'x', login: true };
    await own.as('administrator').patch('/api/secsuite/v1/settings/recaptcha', keys);
    const signsIn = () => visitorFrom(own.port, '127.0.0.9').signIn('kim', password);
    assert.match((await signsIn()).text, /Solve the CAPTCHA/);
    for (let at = 1; at <= 10; at++)
      await suite.lockouts.strike({ type: 'brute_force', address: `203.0.113.${at}`, user: kim });
    const refused = await signsIn();
    assert.deepEqual([refused.status, /account is locked/.test(refused.text)], [403, true]);
    await suite.logs.flush();
    assert.equal((await suite.logs.list({ ...firstPage, codes: ['failed-validation'] })).total, 1);
  });
});

describe('The form of a captcha', () => {
  const engine = testEngine('sqlite');
  const site = inOneSite(engine);
  test('loads nothing from its maker before the visitor agreed', async () => {
    const { own } = await site({ login: true, gdpr: true, on_page_opt_in: false });
    const { get } = aVisitor(own);
    const first = await get('/login?redirect_to=%2Faccount');
    assert.doesNotMatch(first.text, /<script|g-recaptcha/);
    assert.doesNotMatch(first.headers.get('content-security-policy') ?? '', /google/);
    const link = /href="(\?[^"]*captcha=agreed)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&');
    assert.equal(link, '?redirect_to=%2Faccount&captcha=agreed');
    const second = await get(`/login${link}`);
    assert.match(second.text, /<div class="g-recaptcha" data-sitekey="public-key" data-theme="light">/);
    assert.match(second.text, /<script src="https:\/\/www\.google\.com\/recaptcha\/api\.js/);
    assert.match(second.text, /name="redirect_to" value="\/account"/);
    const again = await aVisitor(own).post('/login', { log: 'kim', pwd: 'wrong', captcha: 'agreed' });
    assert.match(again.text, /<div class="g-recaptcha"/);
  });

  test('waits in the page for the visitor to agree, where they may agree there', async () => {
    const { own } = await site({ login: true, gdpr: true, site_key: '"><script>' });
    const { text, headers } = await aVisitor(own).get('/login?redirect_to=%2Faccount');
    assert.doesNotMatch(text, /<script src|"><script>/);
    assert.match(text, /href="\?redirect_to=%2Faccount&amp;captcha=agreed" data-captcha-script="https:\/\/www\.google/);
    assert.match(text, /<template data-captcha-box>[\s\S]*name="captcha" value="agreed"[\s\S]*class="g-recaptcha"/);
    assert.match(headers.get('content-security-policy') ?? '', /script-src https:\/\/www\.google\.com\/recaptcha\//);
  });

  test('of the third version is on all pages where that is set, and nobody has to agree first', async () => {
    const { own, switches } = await site({ type: 'v3', v3_include_location: 'everywhere' });
    const { link } = (await own.as('editor').post('/api/core/v2/posts', { title: 'Hello', status: 'publish' })).body;
    let asked = 0;
    const looks = async (path: string) => {
      const { text, headers } = await aVisitor(own).get(`${path}?asked=${++asked}`);
      const policy = headers.get('content-security-policy') ?? '';
      return [text.includes(everywhere), /script-src [^;]*google\.com.*connect-src [^;]*google/.test(policy)];
    };
    assert.deepEqual([await looks('/'), await looks(new URL(link).pathname)], Array(2).fill([true, true]));
    const quiet = [{ v3_include_location: 'required' }, { gdpr: true }, { type: 'v2' }, { provider: 'cloudflare' }];
    for (const other of quiet) {
      await site({ type: 'v3', v3_include_location: 'everywhere', ...other });
      assert.deepEqual(await looks('/'), [false, false], JSON.stringify(other));
    }
    await site({ type: 'v3', v3_include_location: 'everywhere' });
    switches.isRunning = false;
    assert.deepEqual(await looks('/'), [false, false]);
  });

  test('is on pages that are kept as soon as that is set, and gone from them as soon as it is not', async () => {
    const [own] = await aGuardedSite(engine);
    const admin = own.as('administrator');
    const has = async () => (await aVisitor(own).get('/')).text.includes(everywhere);
    const turn = (selected: string) => admin.put('/api/secsuite/v1/modules/recaptcha', { status: { selected } });
    assert.deepEqual([await has(), await has()], [false, false]);
    await turn('active');
    const { status } = await admin.patch('/api/secsuite/v1/settings/recaptcha', {
      site_key: 'public-key',
      secret_key: 'x',
      gdpr: false,
      v3_include_location: 'everywhere',
    });
    assert.deepEqual([status, await has(), await has()], [200, true, true]);
    await turn('inactive');
    assert.equal(await has(), false);
  });

  test('may run what belongs to it, and nothing else', async () => {
    const { own } = await site({ login: true, type: 'v3' });
    const page = await aVisitor(own).get('/login');
    const policy = page.headers.get('content-security-policy') ?? '';
    const own_ = /<script type="module">([\s\S]*?)<\/script>/.exec(page.text)?.[1] ?? '';
    const hash = createHash('sha256').update(own_).digest('base64');
    assert.ok(own_.length > 0 && policy.includes(`'sha256-${hash}'`));
    assert.match(policy, /default-src 'none'.*script-src https:\/\/www\.google\.com\/recaptcha\//);
    assert.match(page.text, /api\.js\?render=public-key"/);
  });

  test('is that of each provider', () =>
    checkRows(makers, async ([provider, , path]) => {
      const key = { google: 'site_key', cloudflare: 'cf_site_key', hcaptcha: 'hc_site_key' }[provider]!;
      const { own } = await site({ provider, [key]: '"><b>', login: true });
      const { text, headers } = await aVisitor(own).get('/login');
      assert.ok(text.includes('data-sitekey="&quot;&gt;&lt;b&gt;"'), path);
      const from = /<script src="(https:\/\/[^/]+)/.exec(text)?.[1] ?? '';
      const sources = /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
      const host = from.replace('https://js.', 'https://*.');
      assert.ok(sources.includes(host), `${from} of ${sources}`);
    }));

  test('is not there where none stands', async () => {
    const { own } = await site({ reset_pass: true });
    assert.doesNotMatch((await aVisitor(own).get('/login')).text, /g-recaptcha/);
    assert.match((await aVisitor(own).get('/login?action=lostpassword')).text, /g-recaptcha/);
  });
});

describe('The settings of a captcha', () => {
  const site = inOneSite(testEngine('sqlite'));
  test('need both keys of the maker that was chosen, and are tried anew with others', async () => {
    const { made } = await site({});
    const { check, along } = made;
    const saving = (after: Values) => check!({ before: usual, after } as unknown as Saving);
    const wrong = await saving({ ...usual, site_key: 'a', cf_secret_key: 'b' });
    assert.deepEqual(
      wrong.map(({ code, status }) => [code, status]),
      [['secsuite.recaptcha.missing-keys', 400]],
    );
    assert.deepEqual(await saving({ ...usual, site_key: 'a', secret_key: 'b' }), []);
    assert.equal((await saving({ ...usual, provider: 'hcaptcha', site_key: 'a', secret_key: 'b' })).length, 1);
    const tried = { ...usual, site_key: 'a', secret_key: 'b', validated: true, last_error: 'x' };
    assert.deepEqual(along!(tried, { ...tried, login: true }), { ...tried, login: true });
    for (const other of [{ site_key: 'c' }, { secret_key: 'c' }, { type: 'v2' }, { provider: 'hcaptcha' }])
      assert.deepEqual(along!(tried, { ...tried, ...other }), { ...tried, ...other, validated: false, last_error: '' });
  });
});

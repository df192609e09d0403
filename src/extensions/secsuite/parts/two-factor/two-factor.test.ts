import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { minute, second } from '#lib/spans.ts';
import { newPasskey } from '#test/authenticator.ts';
import { authenticator, recoveryCodesIn } from '#test/authenticator-app.ts';
import { eachEngine } from '#test/databases.ts';
import { gatehouse } from '#test/gatehouse.ts';
import { mailsOf } from '#test/mails.ts';
import { aSiteOfPasskeys } from '#test/passkeys-site.ts';
import { stronger } from '#test/password-rules.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon, type TestSite } from '#test/site.ts';
import { aVisitor, tokenIn, type Visitor } from '#test/visitor.ts';
import type { Suite } from '../../parts.ts';
import { base32, hotp, stepOf } from './totp.ts';

test('two-factor: codes are those of RFC 6238, of the step before and of the step after', () => {
  const seed = Buffer.from('12345678901234567890');
  const vectors: readonly (readonly [seconds: number, code: string])[] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  assert.deepEqual(
    vectors.filter(([seconds, code]) => hotp(seed, Math.floor(seconds / 30), 8) !== code),
    [],
  );
  const near = [-2, -1, 0, 1, 2].filter(
    (step) => stepOf(seed, hotp(seed, 1000 + step), new Date(30_000 * 1000)) !== undefined,
  );
  assert.deepEqual(near, [-1, 0, 1]);
  assert.equal(base32(seed), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

const step = '/login?action=step';
const page = '/account/two-factor';
const field = 'two_factor_code';
const behalf = { caller: { id: 0, can: () => true } };

eachEngine('two-factor', (engine) => {
  let now = noon;
  let site: TestSite;
  let suite: Suite;
  before(async () => {
    [site, suite] = await aGuardedSite(engine, { clock: () => now, env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' } });
    await suite.switches.set('two-factor', true, behalf);
    const group = await suite.groups.add({ label: 'Editors', roles: ['editor'] });
    await suite.settings.overlay('two-factor', { protect_user_group: ['id' in group ? group.id : ''] }, behalf);
  });
  let visits = 0;
  /** Each comes from an IP address of its own. */
  const browser = (headers = {}) => {
    visits += 1;
    return aVisitor(site, { 'x-forwarded-for': `203.0.113.${visits}`, ...headers });
  };
  const someone = (login: string, role = 'editor') =>
    site.user({ login, password: stronger, email: `${login}@site.test`, roles: [role] });
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const emailedCode = async (to: string): Promise<string> =>
    /^\d{8}$/m.exec((await mailsOf(site)).findLast((mail) => mail.to.includes(to))?.text ?? '')?.[0] ?? '';
  const subjectsTo = async (to: string): Promise<string[]> =>
    (await mailsOf(site)).filter((mail) => mail.to.includes(to)).map(({ subject }) => subject.replace(/^\[.*?\] /, ''));
  const signIn = async (login: string, visitor = browser()): Promise<Visitor> => {
    const shown = await visitor.signIn(login, stronger);
    assert.equal(shown.status, 403, shown.text);
    return visitor;
  };
  /** Signs in for the first time, and sets up an app on the way. */
  async function setUp(login: string) {
    const visitor = await signIn(login);
    const form = await visitor.post(step, { [field]: await emailedCode(login) });
    const app = authenticator(form.text, () => now);
    const done = await visitor.post(step, { [field]: app.code() });
    assert.equal(done.to, '/account', done.text);
    later(31 * second);
    return { visitor, app, codes: recoveryCodesIn(form.text) };
  }

  test('leads members of a group through setting up an app, and asks for its code from then on', async () => {
    await someone('ada');
    const visitor = browser();
    const asked = await visitor.signIn('ada', stronger);
    assert.match(asked.text, /<h1>Enter your code<\/h1>[^§]*A code was emailed to you/);
    assert.deepEqual([...visitor.cookies.keys()], ['site_sign_in'], 'no session before the code');
    const form = await visitor.post(step, { [field]: await emailedCode('ada') });
    assert.match(
      form.text,
      /<h1>Set up two-factor authentication<\/h1>[^§]*must use[^§]*<svg [^§]*autocomplete="one-time-code"/,
    );
    assert.match(form.headers.get('content-security-policy')!, /default-src 'none'/);
    const reloaded = await visitor.get(step);
    const app = authenticator(reloaded.text, () => now);
    assert.equal(app.code(), authenticator(form.text, () => now).code(), 'the same key in all tabs');
    const wrong = await visitor.post(step, { [field]: '000000' });
    assert.match(wrong.text, /id="two_factor_code-fault">This code is wrong/);
    assert.equal((await visitor.post(step, { other: 'skip' })).status, 400, 'it is required');
    assert.equal((await visitor.post(step, { other: 'back' })).status, 400, 'it is required');
    const done = await visitor.post(step, { [field]: app.code() });
    assert.equal(done.to, '/account');
    assert.match(
      (await visitor.get('/account')).text,
      /It is on: you sign in with a code of your app\. Your account must use it\./,
    );
    later(31 * second);
    const again = await signIn('ada');
    assert.match((await again.get(step)).text, /Open your authenticator app/);
    assert.equal((await again.post(step, { [field]: app.code() })).to, '/account');
    assert.equal((await again.get('/account')).status, 200);
    assert.deepEqual(await subjectsTo('ada'), ['Your sign-in code', 'An authenticator app was set up']);
  });

  test('lets a user who lost the phone in by a recovery code, once, or by gatehouse user reset-second-factor', async () => {
    await someone('bo');
    const { codes } = await setUp('bo');
    assert.equal(new Set(codes).size, 10);
    const visitor = await signIn('bo');
    assert.equal((await visitor.post(step, { [field]: codes[3]! })).to, '/account');
    const twice = await signIn('bo');
    assert.equal((await twice.post(step, { [field]: codes[3]! })).status, 400);
    assert.match((await visitor.get(page)).text, /You have 9 left/);
    const send = async (form: Record<string, string>) =>
      visitor.post(page, { _wpnonce: await visitor.token(page), sure: stronger, ...form });
    assert.match((await send({ do: 'codes', sure: 'wrong' })).text, /This is not your password/);
    const renewed = recoveryCodesIn((await send({ do: 'codes' })).text);
    assert.equal(renewed.length, 10);
    assert.equal((await twice.post(step, { [field]: codes[4]! })).status, 400, 'the old ones are gone');
    assert.match((await send({ do: 'app-off' })).text, /must use two-factor authentication/);
    assert.match((await send({ do: 'email' })).text, /A code was emailed to you/);
    assert.equal((await send({ do: 'email-code', [field]: await emailedCode('bo') })).to, `${page}?done=email`);
    assert.equal((await send({ do: 'app-off' })).to, `${page}?done=off`);
    const set = await visitor.get(page);
    const app = authenticator(set.text, () => now);
    const token = tokenIn(set.text);
    const form = { _wpnonce: token, do: 'app', sure: stronger };
    assert.equal((await visitor.post(page, { ...form, [field]: app.code() })).to, `${page}?done=app`);
    later(31 * second);
    assert.equal((await (await signIn('bo')).post(step, { [field]: app.code() })).to, '/account');
    assert.deepEqual((await subjectsTo('bo')).slice(2), [
      'A recovery code was used',
      'You have new recovery codes',
      'Your code to turn on emailed codes',
      'Emailed codes were turned on',
      'An authenticator app was removed',
      'An authenticator app was set up',
    ]);

    // The operator helps a user who has no recovery code either.
    const hal = await someone('hal');
    await setUp('hal');
    const { data, database } = site.config;
    const where = ['--data', data, ...(database ? ['--database', database] : []), '--deployment', 'a'];
    const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
    const ended = await gatehouse(['user', 'reset-second-factor', 'hal', ...where], env);
    assert.match(ended.out, /Two-factor authentication of hal is reset/, ended.err);
    assert.deepEqual(await suite.twoFactor.setUpOf(hal), { app: false, email: false, codes: 0 });
    assert.match((await (await signIn('hal')).get(step)).text, /A code was emailed/);
  });

  test('refuses wrong codes, each code the second time, and locks the account out after guesses', async () => {
    await someone('cy');
    const { app } = await setUp('cy');
    const used = app.code();
    const visitor = await signIn('cy');
    assert.equal((await visitor.post(step, { [field]: used })).to, '/account');
    const guesses: readonly (readonly [what: string, code: string])[] = [
      ['used already', used],
      ['of the step before, which is older', app.code(-1)],
      ['of two steps later', app.code(2)],
      ['empty', ''],
    ];
    const accepted: string[] = [];
    const guesser = await signIn('cy');
    for (const [what, code] of guesses)
      if ((await guesser.post(step, { [field]: code })).status !== 400) accepted.push(what);
    assert.deepEqual(accepted, []);
    const without = await signIn('cy');
    assert.match((await without.post(step, { other: 'email' })).text, /Open your authenticator app/);
    assert.equal((await subjectsTo('cy')).filter((one) => one === 'Your sign-in code').length, 1, 'no way around it');
    later(5 * minute);
    const [one, other] = [await signIn('cy'), await signIn('cy')];
    const both = await Promise.all([one, other].map((tab) => tab.post(step, { [field]: app.code() })));
    assert.deepEqual(both.map(({ to }) => to).sort(), ['/account', null], 'one code lets one tab in');
    assert.equal((await signIn('cy').then((tab) => tab.post(step, { [field]: app.code(1) }))).to, '/account');
    assert.equal((await browser().get('/account')).to?.startsWith('/login'), true);

    await someone('di');
    const { app: appOfDi } = await setUp('di');
    for (const guesser of [await signIn('di'), await signIn('di')])
      for (let guess = 0; guess < 5; guess += 1) await guesser.post(step, { [field]: `00000${guess}` });
    const locked = await browser().signIn('di', stronger);
    assert.equal(locked.status, 403);
    assert.match(locked.text, /too often[^§]*action="\/unlock"/);
    later(16 * minute);
    assert.equal((await (await signIn('di')).post(step, { [field]: appOfDi.code() })).to, '/account');
  });

  test('offers it to others, who may decline, turn it on and turn it off', async () => {
    const ed = await someone('ed', 'author');
    const visitor = await signIn('ed');
    const offer = (await visitor.get(step)).text;
    assert.match(offer, /Passwords can be guessed or stolen/);
    assert.equal((await visitor.post(step, { other: 'skip' })).to, '/account');
    const keyIn = (text: string) => /id="two-factor-key">([^<]+)/.exec(text)?.[1];
    assert.equal(keyIn((await visitor.get(page)).text), keyIn(offer));
    await site.app.services.identity.users.change(ed, { password: stronger });
    assert.equal((await visitor.signIn('ed', stronger)).to, '/account');
    assert.notEqual(keyIn((await visitor.get(page)).text), keyIn(offer), 'a new key after a new password');
    assert.equal((await browser().signIn('ed', stronger)).to, '/account', 'not asked again at once');
    const send = async (form: Record<string, string>) =>
      visitor.post(page, { _wpnonce: await visitor.token(page), sure: stronger, ...form });
    await send({ do: 'email' });
    assert.equal((await send({ do: 'email-code', [field]: await emailedCode('ed@') })).to, `${page}?done=email`);
    const [one, other] = [await signIn('ed'), await signIn('ed')];
    const first = await emailedCode('ed@');
    assert.match((await other.get(step)).text, /less than 15 minutes ago/, 'one code for two tabs');
    later(second);
    await one.post(step, { other: 'resend' });
    assert.equal((await other.post(step, { [field]: first })).status, 400, 'a new code replaces the old one');
    assert.equal((await one.post(step, { [field]: await emailedCode('ed@') })).to, '/account');
    assert.equal((await send({ do: 'email-off' })).to, `${page}?done=off`);
    assert.equal((await browser().signIn('ed', stronger)).to, '/account');
    await suite.settings.keep('version-management', { is_software_outdated: true });
    await suite.settings.overlay('two-factor', { protect_vulnerable_site: true }, behalf);
    await signIn('ed');
    await suite.settings.overlay('two-factor', { protect_vulnerable_site: false }, behalf);
  });

  test('leaves application passwords and lost passwords as they are, and asks for the code after both', async () => {
    const fay = await someone('fay');
    await setUp('fay');
    const headers = await site.credentials(fay);
    assert.equal((await site.get('/api/core/v2/users/me', headers)).status, 200);
    const group = await suite.groups.add({ label: 'Authors', roles: ['author'] });
    const authors = ['id' in group ? group.id : ''];
    await suite.settings.overlay('two-factor', { application_passwords_group: authors }, behalf);
    const refused = await site.get('/api/core/v2/users/me', headers);
    assert.deepEqual([refused.status, refused.body.code], [403, 'application_passwords_not_allowed']);
    await suite.settings.overlay('two-factor', { application_passwords_group: [] }, behalf);
    await site.app.services.identity.users.change(fay, { password: `${stronger} again` });
    const visitor = browser();
    assert.match((await visitor.signIn('fay', `${stronger} again`)).text, /Enter your code/);
    assert.equal((await visitor.get('/wp-admin/authorize-application.php?app_name=x')).to?.startsWith('/login'), true);
  });

  test('remembers a device for 30 days, until its user or a new password ends that', async () => {
    await suite.switches.set('fingerprinting', true, behalf);
    await suite.settings.overlay(
      'two-factor',
      { remember_group: suite.settings.of('two-factor').protect_user_group },
      behalf,
    );
    const gus = await someone('gus');
    const { app } = await setUp('gus');
    const firefox = {
      'x-forwarded-for': '198.51.100.7',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    };
    const visitor = browser(firefox);
    await signIn('gus', visitor);
    assert.equal((await visitor.post(step, { [field]: app.code(), remember_device: '1' })).to, '/account');
    const name = `site_remembered_${gus.id}`;
    const first = visitor.cookies.get(name)!;
    assert.equal((await visitor.signIn('gus', stronger)).to, '/account', 'no code on this device');
    assert.notEqual(visitor.cookies.get(name), first, 'a new token at each use');
    const thief = browser(firefox);
    thief.cookies.set(name, first);
    await signIn('gus', thief);
    const other = browser({
      'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Mobile/1 Safari/600',
      'accept-language': 'fr',
    });
    other.cookies.set(name, visitor.cookies.get(name)!);
    assert.equal((await other.signIn('gus', stronger)).status, 403, 'another device with this cookie');
    assert.match((await visitor.get(page)).text, /Firefox on Linux/);
    const form = { _wpnonce: await visitor.token(page), do: 'forget', device: 'all' };
    assert.equal((await visitor.post(page, form)).to, `${page}?done=forgotten`);
    await signIn('gus', visitor);
  });

  test('asks for a code after a passkey too, but not of members of the group that bypasses it', async () => {
    const { site, suite, set, ada, register, verify, exchange } = await aSiteOfPasskeys(engine);
    await suite.switches.set('two-factor', true, behalf);
    const group = await suite.groups.add({ label: 'Authors', roles: ['author'] });
    const authors = ['id' in group ? group.id : ''];
    await suite.settings.overlay('two-factor', { protect_user_group: authors }, behalf);
    const phone = newPasskey();
    await register(site.asUser(ada), phone);
    const enter = async () => exchange('ada', (await verify(phone, 'ada')).body.token);
    const asked = await enter();
    assert.deepEqual([asked.status, /<h1>Enter your code/.test(asked.text)], [403, true], asked.text);
    await set('passwordless-login', { '2fa_bypass_group': authors });
    assert.equal((await enter()).to, '/account');
  });
});

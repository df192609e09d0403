import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { stronger } from '#test/password-rules.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon, type TestSite } from '#test/site.ts';
import { aVisitor, type Visitor } from '#test/visitor.ts';
import type { Suite } from '../../parts.ts';

const path = '/sign-in-link';
const choice = '/account/sign-in-link';
const behalf = { caller: { id: 0, can: () => true } };

eachEngine('sign-in by a link', (engine) => {
  let now = noon;
  let site: TestSite;
  let suite: Suite;
  before(async () => {
    [site, suite] = await aGuardedSite(engine, { clock: () => now, env: { GATEHOUSE_TRUST_PROXY: '127.0.0.1' } });
    await suite.switches.set('passwordless-login', true, behalf);
  });
  let visits = 0;
  /** Each comes from a network of its own. */
  const browser = () => {
    visits += 1;
    return aVisitor(site, { 'x-forwarded-for': `203.0.${visits}.1` });
  };
  const someone = (login: string) =>
    site.user({ login, password: stronger, email: `${login}@site.test`, roles: ['author'] });
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const linksTo = async (login: string): Promise<string[]> => {
    await site.app.services.events.settled();
    const mails = (await mailsOf(site)).filter((mail) => mail.to === `${login}@site.test`);
    return mails.flatMap(({ text }) => /\/sign-in-link\?user=\S+/.exec(text) ?? []);
  };
  const askFor = async (login: string, visitor: Visitor, more = {}): Promise<string> => {
    const answer = await visitor.post(path, { user_login: login, ...more });
    assert.deepEqual([answer.status, answer.to], [303, `${path}?sent=1`], answer.text);
    return (await linksTo(login)).at(-1) ?? '';
  };
  /** The fields of the form behind a link. */
  const fieldsOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    );
  const use = async (link: string, visitor: Visitor) => {
    const shown = await visitor.get(link);
    assert.match(shown.text, /You sign in as <strong>/, shown.text);
    return visitor.post('/login', fieldsOf(shown.text));
  };

  test('signs a user in who asks for one on the sign-in page, and leads on to where they were', async () => {
    await someone('ada');
    const visitor = browser();
    const page = await visitor.get('/login?redirect_to=/account/sign-in-link');
    assert.match(page.text, /href="\/sign-in-link\?redirect_to=%2Faccount%2Fsign-in-link">Email me a link/);
    const form = await visitor.get('/sign-in-link?redirect_to=%2Faccount%2Fsign-in-link');
    const link = await askFor('ada', visitor, fieldsOf(form.text));
    assert.match((await visitor.get(`${path}?sent=1`)).text, /If an account has this user name/);
    const shown = await visitor.get(link);
    assert.equal(shown.headers.get('referrer-policy'), 'no-referrer');
    assert.equal((await visitor.get('/account')).status, 302, 'opening the link alone signs nobody in');
    const done = await use(link, visitor);
    assert.deepEqual([done.status, done.to], [302, choice]);
    assert.match((await visitor.get(choice)).text, /You can sign in by a link that is sent to ada@site\.test/);
  });

  test('is offered on the second page, if the sign-in page asks for the name first', async () => {
    await someone('gus');
    await suite.settings.overlay('passwordless-login', { flow: 'username-first' }, behalf);
    const visitor = browser();
    const first = await visitor.get('/login?redirect_to=/account/sign-in-link');
    assert.match(first.text, /name="log"[^§]*>Continue</);
    assert.doesNotMatch(first.text, /name="pwd"|Email me a link/);
    const second = (log: string) => browser().post('/login', { ...fieldsOf(first.text), log });
    assert.match((await second(' ')).text, /Type your user name/);
    const pages = [await second('gus'), await second('nobody')].map(({ text }) => text.replaceAll('nobody', 'gus'));
    assert.match(pages[0]!, /name="log" type="text" value="gus"[^§]*name="pwd"[^§]*Email me a link/);
    assert.equal(pages[0], pages[1], 'the same for every name');
    const done = await visitor.post('/login', { ...fieldsOf(pages[0]!), log: 'gus', pwd: stronger });
    assert.equal(done.to, choice);
    await suite.settings.overlay('passwordless-login', { flow: 'method-first' }, behalf);
  });

  test('refuses links that are used, old, tampered with, of another user or of another browser', async () => {
    const [bo, cy] = [await someone('bo'), await someone('cy')];
    const visitor = browser();
    const used = await askFor('bo', visitor);
    const fields = fieldsOf((await visitor.get(used)).text);
    const elsewhere = browser();
    const foreign = await elsewhere.get(used);
    assert.deepEqual([foreign.status, /in the other browser/.test(foreign.text)], [403, true]);
    assert.match((await elsewhere.post('/login', fields)).text, /requested in another browser/);
    const tabs = await Promise.all([1, 2].map(() => visitor.post('/login', fields)));
    assert.deepEqual(tabs.map(({ to }) => to).sort(), ['/account', null], 'two tabs at once: one signs in');
    const open = await askFor('bo', visitor);
    const valid = fieldsOf((await visitor.get(open)).text);
    const wrong: readonly (readonly [what: string, fields: Record<string, string>])[] = [
      ['used', fields],
      ['tampered', { ...valid, token: `${valid.token!.slice(0, -1)}${valid.token!.endsWith('A') ? 'B' : 'A'}` }],
      ['empty', { ...valid, token: '' }],
      ['of another user', { ...valid, log: 'cy' }],
      ['of an unknown user', { ...valid, log: 'nobody' }],
    ];
    const accepted: string[] = [];
    for (const [what, sent] of wrong) {
      visitor.cookies.delete('site_session');
      const stranger = browser();
      stranger.cookies.set('site_link', visitor.cookies.get('site_link')!);
      const answer = await stranger.post('/login', sent);
      if (answer.status === 302 || !/Request a new link/.test(answer.text)) accepted.push(what);
    }
    assert.deepEqual(accepted, []);
    const others = [open.replace(`user=${bo.id}`, `user=${cy.id}`), open.replace(/key=.*/, 'key=x'), used];
    assert.deepEqual(await Promise.all(others.map(async (one) => (await visitor.get(one)).status)), [404, 404, 404]);
    later(15 * minute);
    assert.match((await visitor.get(open)).text, /This link has expired/);
    assert.match((await visitor.post('/login', valid)).text, /older than 15 minutes/);
    const stale = await askFor('bo', visitor);
    await site.app.services.identity.users.change(bo, { password: `${stronger} again` });
    await site.app.services.events.settled();
    assert.equal((await visitor.get(stale)).status, 404, 'a new password ends links');
  });

  test('does not tell whether there is such a user, and sends few links', async () => {
    await someone('di');
    const ask = async (login: string) => {
      const { status, to, headers } = await browser().post(path, { user_login: login });
      return [status, to, /^site_link=[\w-]{43}; /.test(headers.get('set-cookie') ?? '')];
    };
    for (let time = 0; time < 6; time += 1) assert.deepEqual(await ask('di'), await ask('nobody'));
    assert.equal((await linksTo('di')).length, 5);
    const wrong = async (log: string) => {
      const { status, text } = await browser().post('/login', { method: 'magic', token: 'x'.repeat(43), log });
      return [status, /locked/.test(text)];
    };
    for (let time = 0; time < 11; time += 1) assert.deepEqual(await wrong('di'), await wrong('nobody'));
    const visitor = browser();
    for (let time = 0; time < 20; time += 1) await visitor.post(path, { user_login: `nobody${time}` });
    assert.equal((await visitor.post(path, { user_login: 'di' })).status, 429);
    assert.equal((await visitor.post(path, { user_login: ' ' })).status, 400);
  });

  test('asks for the second factor, but for members of the group that goes without', async () => {
    await someone('ed');
    await suite.switches.set('two-factor', true, behalf);
    const group = await suite.groups.add({ label: 'Authors', roles: ['author'] });
    const authors = ['id' in group ? group.id : ''];
    await suite.settings.overlay('two-factor', { protect_user_group: authors }, behalf);
    const visitor = browser();
    const asked = await use(await askFor('ed', visitor), visitor);
    assert.deepEqual([asked.status, /<h1>Enter your code/.test(asked.text)], [403, true]);
    const { users } = site.app.services.identity;
    await users.add({ login: 'hal', email: 'hal@site.test', roles: ['author'] });
    const hal = browser();
    await use(await askFor('hal', hal), hal);
    const code = /^\d{8}$/m.exec((await mailsOf(site)).at(-1)!.text)![0];
    const next = await hal.post('/login?action=step', { two_factor_code: code });
    assert.match(next.text, /<h1>Set up two-factor/, 'an account without a password is asked as well');
    await suite.settings.overlay('passwordless-login', { '2fa_bypass_group': authors }, behalf);
    assert.equal((await use(await askFor('ed', visitor), visitor)).to, '/account');
    await suite.switches.set('two-factor', false, behalf);
  });

  test('is a choice of the user, of the group and of the site', async () => {
    await someone('fay');
    const visitor = browser();
    await visitor.signIn('fay', stronger);
    const form = async () => ({ _wpnonce: await visitor.token(choice) });
    assert.equal((await visitor.post(choice, { ...(await form()), do: 'refuse' })).to, `${choice}?done=1`);
    assert.equal(await askFor('fay', browser()), '', 'no link is sent');
    assert.match((await mailsOf(site)).at(-1)?.subject ?? '', /Links by email no longer sign you in/);
    await visitor.post(choice, { ...(await form()), do: 'allow' });
    assert.notEqual(await askFor('fay', browser()), '');
    const group = await suite.groups.add({ label: 'Editors', roles: ['editor'] });
    const set = (values: Parameters<typeof suite.settings.overlay>[1]) =>
      suite.settings.overlay('passwordless-login', values, behalf);
    await set({ group: ['id' in group ? group.id : ''] });
    const before = (await linksTo('fay')).length;
    await askFor('fay', browser());
    assert.equal((await linksTo('fay')).length, before);
    await set({ group: [], methods: ['webauthn'] });
    assert.equal((await browser().get(path)).status, 404);
    assert.doesNotMatch((await browser().get('/login')).text, /Email me a link/);
    await set({ methods: ['magic'] });
  });
});

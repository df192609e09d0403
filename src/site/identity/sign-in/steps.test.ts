// What is asked after the password, as somebody with a browser meets it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '#lib/html.ts';
import { hour, minute } from '#lib/spans.ts';
import type { AnyEntry, Entry } from '#site/extension.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { ada as adaOf, aLockedSite, right } from '#test/lockouts-alone.ts';
import { aSite, noon } from '#test/site.ts';
import { aVisitor, type Visitor } from '#test/visitor.ts';
import { core } from '../../../extensions/core/extension.ts';
import type { Step } from '../checks.ts';
import type { User } from '../users/user.ts';

const password = 'a quiet river by night';
const stepPage = '/login?action=step';

const code: Step = {
  name: 'code',
  kind: 'proof',
  due: ({ login }) => (login === 'ada' ? 'phone' : undefined),
  form: (_, why, faults) => ({
    title: 'Your code',
    reason: `Enter the code that your ${why} shows.`,
    body: html`<input name="code">${faults.code}`,
    button: 'Check the code',
  }),
  take: async ({ form }) => (form.code === '123456' ? {} : { faults: { code: 'This code is wrong.' } }),
};

interface Rules {
  isAgreed(user: User): Promise<boolean>;
  /** Whether it was undone. */
  agree(user: User, use: () => Promise<void>): Promise<boolean>;
}

/** Ada has not agreed yet. What she agrees to lies in `agreed`. */
const houseRules =
  (agreed: string[]): Entry<{ readonly rules: Rules }> =>
  ({ html, parts }) => ({
    name: 'house',
    nouns: ({ store }) => ({
      rules: {
        isAgreed: async ({ login }) => login !== 'ada' || agreed.includes(login),
        async agree({ login }, use) {
          const isClosed = agreed.includes('nobody may');
          const written = store.write(() => use().then(() => isClosed && Promise.reject(new Error('closed'))));
          if (isClosed) return written.catch(({ message }) => message === 'closed');
          await written;
          agreed.push(login);
          return false;
        },
      },
    }),
    checks: ({ rules }) => [
      {
        step: {
          name: 'house-rules',
          kind: 'task',
          due: async (user) => ((await rules.isAgreed(user)) ? undefined : 'unread'),
          form: (_user, _why, { agree: fault }) => ({
            title: 'The house rules',
            reason: 'You have not agreed to the rules of this house yet.',
            body: html`${fault && parts.alert(fault)}<p>Be kind.</p>${parts.check('agree', 'I agree', 'yes')}`,
            button: 'Continue',
          }),
          async take({ user, form, use }) {
            if (form.agree !== 'yes') return { faults: { agree: 'You can sign in once you agree.' } };
            const undone = await rules.agree(user, use);
            return undone ? { faults: { agree: 'Nobody can agree now.' } } : {};
          },
        },
      },
    ],
  });

async function opened(engine: TestEngine) {
  let now = noon;
  const [agreed, entered, heard]: [string[], string[], string[]] = [[], [], []];
  const site = await aSite(engine, { extensions: [core, houseRules(agreed) as AnyEntry], clock: () => now });
  const { identity, events } = site.app.services;
  identity.checks.also({ step: code, entering: ({ login }) => void entered.push(login) });
  events.on('login.succeeded', ({ user }) => void heard.push(user.login));
  events.on('login.failed', ({ reason }) => void heard.push(reason));
  const ada = await site.user({ login: 'ada', roles: ['author'], password });
  const eva = await site.user({ login: 'eva', roles: ['author'], password });
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const begun = async (more = {}): Promise<Visitor> => {
    const visitor = aVisitor(site);
    assert.equal((await visitor.signIn('ada', password, more)).status, 403);
    return visitor;
  };
  return { site, identity, ada, eva, later, begun, agreed, entered, heard };
}

const isOver = async (visitor: Visitor, form: Record<string, string> = { code: '123456' }): Promise<void> => {
  const answer = await visitor.post(stepPage, form);
  assert.deepEqual([answer.status, answer.to], [303, '/login?step=over']);
  assert.match((await visitor.get(answer.to!)).text, /role="status"[^§]*took longer than 10 minutes[^§]*name="pwd"/);
  assert.deepEqual([...visitor.cookies.keys()], []);
};

eachEngine('Steps of a sign-in', (engine) => {
  for (const remember of [true, false])
    test(`come one after the other, proofs first, and keep the wish to ${remember ? '' : 'not '}stay signed in`, async () => {
      const { site, begun, agreed, entered, heard } = await opened(engine);
      const visitor = aVisitor(site);
      const first = await visitor.signIn('ada', password, {
        redirect_to: '/wp-admin/',
        ...(remember && { rememberme: 'forever' }),
      });
      assert.equal(first.status, 403);
      assert.match(first.text, /<h1>Your code<\/h1>[^§]*code that your phone shows[^§]*Check the code/);
      assert.match(first.given.join(), /^site_sign_in=\d+\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
      assert.match(first.text, /name="redirect_to" value="\/wp-admin\/"/);
      assert.equal((await visitor.get('/account')).status, 302, 'not signed in yet');
      const looked = await visitor.get(stepPage);
      assert.deepEqual([looked.status, /Your code/.test(looked.text)], [200, true]);
      const second = await visitor.post(stepPage, { code: '123456', redirect_to: '/wp-admin/' });
      assert.match(second.text, /<h1>The house rules<\/h1>[^§]*have not agreed to the rules/);
      assert.deepEqual([second.status, agreed, entered], [403, [], []]);
      const last = await visitor.post(stepPage, { agree: 'yes', redirect_to: '/wp-admin/' });
      assert.deepEqual([last.status, last.to], [302, '/wp-admin/']);
      assert.equal(/site_session=[^,]*Max-Age=1209600/.test(last.given.join()), remember);
      assert.deepEqual([...visitor.cookies.keys()], ['site_session']);
      assert.equal((await visitor.get('/account')).status, 200);
      assert.deepEqual([agreed, entered, heard], [['ada'], ['ada'], ['ada']]);
      assert.notEqual(await begun(), undefined, 'and the next time again');
    });

  test('are asked only of those who are to take them, and not of programs', async () => {
    const { site, ada, entered } = await opened(engine);
    assert.equal((await aVisitor(site).signIn('eva', password)).status, 302);
    assert.deepEqual(entered, ['eva']);
    assert.equal((await site.get('/api/core/v2/users/me', await site.credentials(ada))).status, 200);
  });

  test('show nothing to who has the wrong password, or is in the middle of nothing', async () => {
    const { site } = await opened(engine);
    const visitor = aVisitor(site);
    assert.match((await visitor.signIn('ada', 'wrong')).text, /The user name or the password is wrong/);
    await isOver(visitor);
    assert.equal((await visitor.get(stepPage)).to, '/login?step=over');
    for (const key of ['1', '1.x', '99999.x', 'x.y', '1.', `1.${'x'.repeat(4000)}`])
      await isOver(aVisitor(site, { cookie: `site_sign_in=${key}` }));
  });

  test('a proof is tried once by each key: a wrong one is a failed sign-in and gives another key', async () => {
    const { site, begun, heard } = await opened(engine);
    const visitor = await begun();
    const key = visitor.cookies.get('site_sign_in')!;
    const wrong = await visitor.post(stepPage, { code: '000000' });
    assert.deepEqual([wrong.status, heard], [400, ['incorrect_proof']]);
    assert.match(wrong.text, /This code is wrong/);
    await isOver(aVisitor(site, { cookie: `site_sign_in=${key}` }));
    assert.match((await visitor.post(stepPage, { code: '123456' })).text, /The house rules/);
  });

  test('a task that is not done is asked again by the same key, and is no failed sign-in', async () => {
    const { begun, heard } = await opened(engine);
    const visitor = await begun();
    await visitor.post(stepPage, { code: '123456' });
    const key = visitor.cookies.get('site_sign_in');
    const again = await visitor.post(stepPage, { agree: 'no' });
    assert.deepEqual([again.status, visitor.cookies.get('site_sign_in'), heard], [400, key, []]);
    assert.match(again.text, /You can sign in once you agree/);
    assert.equal((await visitor.post(stepPage, { agree: 'yes' })).status, 302);
  });

  test('a task whose write was undone is asked again by the same key, and is no failed sign-in', async () => {
    const { begun, heard, agreed } = await opened(engine);
    const visitor = await begun();
    await visitor.post(stepPage, { code: '123456' });
    const key = visitor.cookies.get('site_sign_in');
    agreed.push('nobody may');
    const again = await visitor.post(stepPage, { agree: 'yes' });
    assert.deepEqual([again.status, visitor.cookies.get('site_sign_in'), heard], [400, key, []]);
    assert.match(again.text, /Nobody can agree now/);
    agreed.length = 0;
    assert.equal((await visitor.post(stepPage, { agree: 'yes' })).status, 302);
  });

  test('a task is done once, also by two windows at once', async () => {
    const { site, begun, agreed } = await opened(engine);
    const visitor = await begun();
    await visitor.post(stepPage, { code: '123456' });
    const cookie = `site_sign_in=${visitor.cookies.get('site_sign_in')}`;
    const windows = [1, 2].map(() => aVisitor(site, { cookie }).post(stepPage, { agree: 'yes' }));
    const statuses = (await Promise.all(windows)).map(({ status }) => status).sort();
    assert.deepEqual([statuses, agreed], [[302, 303], ['ada']]);
  });

  test('are over after 10 minutes', async () => {
    const { begun, later } = await opened(engine);
    const [early, late] = [await begun(), await begun()];
    later(10 * minute - 1);
    assert.match((await early.post(stepPage, { code: '123456' })).text, /The house rules/);
    later(1);
    await isOver(late);
    later(10 * minute - 2);
    assert.match((await early.get(stepPage)).text, /The house rules/);
    later(1);
    await isOver(early, { agree: 'yes' });
  });

  test('are for the user who began', async () => {
    const { site, begun, eva } = await opened(engine);
    const [, token] = (await begun()).cookies.get('site_sign_in')!.split('.');
    await isOver(aVisitor(site, { cookie: `site_sign_in=${eva.id}.${token}` }));
  });

  test('are over once the password is another one, sessions are ended everywhere, or the user is deleted', async () => {
    const { site, identity, ada, begun } = await opened(engine);
    const ends: readonly (() => Promise<unknown>)[] = [
      () => identity.users.change(ada, { password: 'another quiet river' }),
      () => identity.users.change(ada, { password }),
      () => identity.sessions.endAll(ada),
      () => site.as('administrator').delete(`/api/core/v2/users/${ada.id}?force=true&reassign=false`),
    ];
    const [first, ...others] = ends;
    const [visitor, proven] = [await begun(), await begun()];
    await proven.post(stepPage, { code: '123456' });
    await first!();
    await isOver(visitor);
    await isOver(proven, { agree: 'yes' });
    await others[0]!();
    for (const end of others.slice(1)) {
      const waiting = await begun();
      await end();
      await isOver(waiting);
    }
  });

  test('are over when the extension that asks is turned off, and the next sign-in asks what is left', async () => {
    const { identity, site, begun } = await opened(engine);
    const off = identity.checks.also({ step: { ...code, name: 'extra', due: () => 'extra' } });
    const visitor = await begun();
    await visitor.post(stepPage, { code: '123456' });
    off();
    await isOver(visitor);
    assert.equal((await aVisitor(site).signIn('eva', password)).status, 302);
    assert.throws(() => identity.checks.also({ step: code }), /The sign-in step "code"/);
  });

  test('are begun 20 times in an hour', async () => {
    const { site, begun, later } = await opened(engine);
    for (let time = 0; time < 20; time++) await begun();
    const refused = await aVisitor(site).signIn('ada', password);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /more than 20 times within 1 hour/);
    later(hour);
    await begun();
  });
});

eachEngine('Lockouts and steps', (engine) => {
  const locked = async () => {
    const site = await aLockedSite(engine);
    site.app.services.identity.checks.also({ step: code });
    await adaOf(site);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const at = (address: string) => {
      const visitor = site.from(address);
      let cookie = '';
      const kept = <R extends { readonly headers: Readonly<Record<string, unknown>> }>(reply: R): R => {
        cookie = /site_sign_in=[^;]*/.exec(String(reply.headers['set-cookie']))?.[0] ?? cookie;
        return reply;
      };
      const send = (body: string) => visitor.ask(stepPage, { method: 'POST', headers: { ...headers, cookie }, body });
      return {
        begin: async () => kept(await visitor.signIn('ada', right)),
        answer: async (said: string) => kept(await send(`code=${said}`)),
      };
    };
    return { site, at };
  };

  test('the fifth wrong answer of a proof locks the address out, like wrong passwords', async () => {
    const { at } = await locked();
    const mallory = at('127.0.0.9');
    assert.equal((await mallory.begin()).status, 403);
    const statuses: number[] = [];
    for (let time = 0; time < 5; time++) statuses.push((await mallory.answer(`00000${time}`)).status);
    assert.deepEqual(statuses, [400, 400, 400, 400, 403]);
    assert.match((await mallory.answer('123456')).text, /locked out/);
  });

  test('a right answer opens nothing while the account is locked', async () => {
    const { site, at } = await locked();
    const home = at('127.0.0.19');
    await home.begin();
    for (let last = 20; last < 30; last++) await site.from(`127.0.0.${last}`).signIn('ada', 'wrong');
    const refused = await home.answer('123456');
    assert.equal(refused.status, 403);
    assert.match(refused.text, /This account is locked/);
    assert.doesNotMatch(String(refused.headers['set-cookie']), /site_session=\w/);
  });
});

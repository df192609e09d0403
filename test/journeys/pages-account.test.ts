import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, testEngine } from '#test/databases.ts';
import { linkIn } from '#test/mails.ts';
import { basicOf } from '#test/people.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { aVisitor, type Shown, tokenIn, type Visitor } from '#test/visitor.ts';

const password = 'a quiet river';
const ofForms = 'action="/account"';

interface Opened {
  readonly site: TestSite;
  readonly ada: Visitor;
  /** Sends one of the forms of the page. */
  deed(what: string, more?: Record<string, string>): Promise<Shown>;
}

async function opened(site: TestSite): Promise<Opened> {
  await site.user({ login: 'ada', name: 'Ada', roles: ['author'], password });
  const ada = aVisitor(site);
  await ada.signIn('ada', password);
  const deed: Opened['deed'] = async (what, more = {}) =>
    ada.post('/account', { do: what, _wpnonce: await ada.token('/account', ofForms), ...more });
  return { site, ada, deed };
}

const statusWith = async (site: TestSite, secret: string): Promise<number> =>
  (await site.get('/wp-json/wp/v2/users/me', { authorization: basicOf('ada', secret) })).status;

const shownIn = ({ text }: Shown): string => /<code class="secret">([^<]+)</.exec(text)?.[1] ?? '';
/** Of the apps on the page. */
const uuidsIn = ({ text }: Shown): string[] =>
  [...text.matchAll(/name="do" value="revoke">\s*<input type="hidden" name="uuid" value="([^"]+)"/g)].map(
    ([, one]) => one!,
  );
/** Of the form that makes another. */
const freshUuidIn = ({ text }: Shown): string =>
  /value="add">\s*<[^>]*name="uuid" value="([^"]+)"/.exec(text)?.[1] ?? '';

eachEngine('One’s own account', (engine) => {
  const site = () => aSite(engine).then(opened);

  test('tells moments in the language and the time zone of the site', async () => {
    const { site: there, ada, deed } = await site();
    const made = async () => {
      const { text } = await ada.get('/account');
      return /<dt>Created<\/dt><dd>(.*?)<\/dd>/.exec(text)?.[1]?.replaceAll('\u202f', ' ');
    };
    await deed('add', { name: 'Phone' });
    const at = '<time datetime="2026-11-20T12:00:00.000Z"';
    assert.equal(await made(), `${at} lang="en-GB">20 November 2026 at 12:00 UTC</time>`);
    await there.set('site', { language: 'de_DE', timezone: 'Europe/Berlin' });
    assert.equal(await made(), `${at} lang="de-DE">20. November 2026 um 13:00</time>`);
    await there.set('site', { language: 'pt_PT_ao90' });
    assert.match((await made())!, /20 de novembro de 2026/);
  });

  test('leads to the front page with a space before its name', async () => {
    const { ada } = await site();
    // In a flexible box the space at the end of a text is lost: the text and the name stand in one element.
    assert.match((await ada.get('/account')).text, /<a class="link" href="\/"><span>To the front page of <bdi /);
  });

  test('makes a password for an app and shows it once', async () => {
    const { site: there, ada, deed } = await site();
    const made = await deed('add', { name: '<Phone> & "co"' });
    assert.equal(made.status, 200);
    assert.equal(await statusWith(there, shownIn(made)), 200);
    const later = await ada.get('/account');
    assert.equal(later.text.includes(shownIn(made)), false);
    assert.match(later.text, /<h3><bdi>[^<]*&amp; &quot;co&quot;<\/bdi><\/h3>/);
    assert.match(later.text, /127\.0\.0\.1/);
  });

  test('makes one password of a form that is sent twice, and says where to take it back', async () => {
    const { site: there, ada, deed } = await site();
    const uuid = freshUuidIn(await ada.get('/account'));
    const made = await deed('add', { name: 'Phone', uuid });
    const again = await deed('add', { name: 'Phone', uuid });
    assert.equal(again.status, 400);
    assert.match(again.text, /role="alert"[^<]*<p>This application password exists already/);
    assert.deepEqual(uuidsIn(again), [uuid]);
    assert.doesNotMatch(again.text, /class="secret"/);
    assert.equal(await statusWith(there, shownIn(made)), 200);
    const other = freshUuidIn(again);
    assert.notEqual(other, uuid);
    await deed('add', { name: 'Desk', uuid: other });
    assert.deepEqual(uuidsIn(await ada.get('/account')), [uuid, other]);
  });

  test('takes another email address from who knows the password, and signs out everywhere else', async () => {
    const { site: there, ada, deed } = await site();
    await there.user({ login: 'eva', email: 'eva@site.test' });
    const elsewhere = aVisitor(there);
    await elsewhere.signIn('ada', password);
    const email = 'ada@new.test';
    const refusals = [
      [{ email, sure: 'a loud river' }, 'sure'],
      [{ email: 'eva@site.test', sure: 'a loud river' }, 'sure'],
      [{ email: ' ', sure: password }, 'email'],
      [{ email: 'ada', sure: password }, 'email'],
      [{ email: 'EVA@site.test', sure: password }, 'email'],
      [{ email: 'ada@site.test\r\nBcc: eve@site.test', sure: password }, 'email'],
    ] as const;
    for (const [form, where] of refusals) {
      const { status, text } = await deed('email', form);
      assert.equal(status, 400, form.email);
      assert.match(text, new RegExp(`id="${where}-fault"`), form.email);
      assert.match(text, /<details open>/);
      assert.doesNotMatch(text, /a loud river|a quiet river/);
    }
    assert.equal((await elsewhere.get('/account')).status, 200, 'nothing was changed');
    assert.equal((await deed('email', { email: ` ${email}`, sure: password })).to, '/account?done=email');
    const { text } = await ada.get('/account?done=email');
    assert.match(text, /<dd>ada@new\.test<\/dd>/);
    assert.match(text, /role="status"[^<]*<p>Your new email address is set/);
    assert.equal((await elsewhere.get('/account')).status, 302);
    assert.equal((await aVisitor(there).signIn(email, password)).status, 302);
  });

  test('tells who has no email address what that means, and takes one', async () => {
    const { site: there } = await site();
    await there.app.services.identity.users.add({ login: 'kim', password });
    const kim = aVisitor(there);
    await kim.signIn('kim', password);
    const { text } = await kim.get('/account');
    assert.match(text, /none: you cannot receive a link for a new password/);
    assert.match(text, /<details open><summary><span>Add an email address/);
    const _wpnonce = tokenIn(text, ofForms);
    await kim.post('/account', { do: 'email', email: 'kim@site.test', sure: password, _wpnonce });
    await aVisitor(there).post('/login?action=lostpassword', { user_login: 'kim' });
    assert.match(await linkIn(there), /login=kim/);
  });

  test('leads to moving in and out whoever may, and nobody else', async () => {
    const { site: there, ada } = await site();
    assert.doesNotMatch((await ada.get('/account')).text, /wp-admin/);
    await there.user({ login: 'kim', roles: ['administrator'], password });
    const kim = aVisitor(there);
    await kim.signIn('kim', password);
    const { text } = await kim.get('/account');
    const ways = [...text.matchAll(/<li><a class="link" href="([^"]*)"/g)].map(([, path]) => path!);
    assert.deepEqual(ways, ['/wp-admin/import.php', '/wp-admin/export.php']);
    for (const path of ways) assert.equal((await kim.get(path)).status, 200, path);
  });

  test('takes one back and leaves the others', async () => {
    const { site: there, ada, deed } = await site();
    const [phone, desk] = [shownIn(await deed('add', { name: 'Phone' })), shownIn(await deed('add', { name: 'Desk' }))];
    const [uuid = ''] = uuidsIn(await ada.get('/account'));
    const answer = await deed('revoke', { uuid });
    assert.deepEqual([answer.status, answer.to], [303, '/account?done=revoked']);
    assert.match((await ada.get(answer.to!)).text, /role="status"/);
    assert.deepEqual([await statusWith(there, phone), await statusWith(there, desk)], [401, 200]);
    assert.equal((await deed('revoke', { uuid })).to, '/account?done=revoked', 'again');
  });

  test('takes all of them back', async () => {
    const { site: there, ada, deed } = await site();
    const secrets = [shownIn(await deed('add', { name: 'Phone' })), shownIn(await deed('add', { name: 'Desk' }))];
    assert.equal((await deed('revoke-all')).to, '/account?done=revoked-all');
    for (const secret of secrets) assert.equal(await statusWith(there, secret), 401);
    assert.deepEqual(uuidsIn(await ada.get('/account')), []);
  });

  test('touches no app of somebody else', async () => {
    const { site: there, deed } = await site();
    const eva = await there.user({ login: 'eva', roles: ['author'] });
    const { applicationPasswords } = there.app.services.identity;
    const { uuid } = await applicationPasswords.add(eva, { name: 'Hers' });
    await deed('revoke', { uuid });
    await deed('revoke-all');
    assert.equal((await applicationPasswords.list(eva)).length, 1);
  });

  test('changes the password for who knows the one of now, and signs out everywhere else', async () => {
    const { site: there, ada, deed } = await site();
    const elsewhere = aVisitor(there);
    await elsewhere.signIn('ada', password);
    const wanted = { current: password, pass1: 'a wide blue lake', pass2: 'a wide blue lake' };
    const copied = ada.cookies.get('site_session');
    const wrong = await deed('password', { ...wanted, current: 'a loud river' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /id="current-fault"/);
    assert.doesNotMatch(wrong.text, /a wide blue lake|a loud river/);
    assert.match((await deed('password', { ...wanted, pass2: 'a wild lake' })).text, /id="pass2-fault"/);
    for (const short of ['', 'seven 7'])
      assert.match((await deed('password', { ...wanted, pass1: short, pass2: short })).text, /id="pass1-fault"/);
    assert.equal((await elsewhere.get('/account')).status, 200, 'nothing was changed');
    assert.equal((await deed('password', wanted)).to, '/account?done=password');
    assert.deepEqual([(await ada.get('/account')).status, (await elsewhere.get('/account')).status], [200, 302]);
    const thief = aVisitor(there, { cookie: `site_session=${copied}` });
    assert.equal((await thief.get('/account')).status, 302, 'the session goes on by another cookie');
    assert.equal((await aVisitor(there).signIn('ada', password)).status, 200);
    assert.equal((await aVisitor(there).signIn('ada', 'a wide blue lake')).status, 302);
  });

  test('tells those who listen of every password guessed here', async () => {
    const { site: there, deed } = await site();
    const guessed: string[] = [];
    there.app.services.events.on('login.failed', ({ login, reason }) => void guessed.push(`${login} ${reason}`));
    await deed('password', { current: 'wrong', pass1: 'a wide blue lake', pass2: 'a wide blue lake' });
    await deed('email', { email: 'other@site.test', sure: 'wrong' });
    assert.deepEqual(guessed, ['ada incorrect_password', 'ada incorrect_password']);
  });

  test('signs out everywhere', async () => {
    const { site: there, ada, deed } = await site();
    const elsewhere = aVisitor(there);
    await elsewhere.signIn('ada', password);
    const answer = await deed('sign-out-everywhere');
    assert.equal(answer.to, '/login?loggedout=true');
    assert.deepEqual([(await ada.get('/account')).status, (await elsewhere.get('/account')).status], [302, 302]);
  });

  test('does nothing without the token of its own forms', async () => {
    const { ada, deed } = await site();
    await deed('add', { name: 'Phone' });
    const ofSignOut = await ada.token('/account');
    for (const _wpnonce of ['', 'x', ofSignOut]) {
      for (const what of ['add', 'revoke', 'revoke-all', 'password', 'email', 'sign-out-everywhere']) {
        const answer = await ada.post('/account', { do: what, name: 'x', _wpnonce });
        assert.deepEqual([answer.status, answer.to], [403, null]);
      }
    }
    assert.equal(uuidsIn(await ada.get('/account')).length, 1);
  });

  test('gives scripts of the site a token for the interface, and nobody else', async () => {
    const { site: there, ada } = await site();
    const address = '/wp-admin/admin-ajax.php?action=rest-nonce';
    const { status, text, headers } = await ada.get(address);
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=UTF-8']);
    const cookie = `site_session=${ada.cookies.get('site_session')}`;
    const me = await there.get('/wp-json/wp/v2/users/me', { cookie, 'x-wp-nonce': text });
    assert.equal(me.body.name, 'Ada');
    const stranger = await aVisitor(there).get(address);
    assert.deepEqual([stranger.status, stranger.text], [400, '0']);
    assert.equal((await ada.get('/wp-admin/admin-ajax.php')).status, 400);
  });
});

describeAsync('The account page', async () => {
  const engine = testEngine('sqlite');
  const { site, ada, deed } = await opened(await aSite(engine));

  test('asks who comes to sign in, and answers where the dashboard was', async () => {
    assert.equal((await aVisitor(site).get('/account')).to, '/login?redirect_to=%2Faccount');
    for (const path of ['/wp-admin/profile.php', '/wp-admin/profile.php/'])
      assert.equal((await aVisitor(site).get(path)).to, '/account');
  });

  test('refuses forms of other sites even with a session and the right token', async () => {
    const _wpnonce = await ada.token('/account', ofForms);
    const answer = await ada.post('/account', { do: 'add', name: 'x', _wpnonce }, { 'sec-fetch-site': 'cross-site' });
    assert.equal(answer.status, 403);
  });

  test('says nothing that only its address says', async () => {
    assert.doesNotMatch((await ada.get('/account?done=constructor')).text, /role="status"/);
  });

  test('comes back unchanged from a form that asks for nothing it knows', async () => {
    for (const what of ['', 'constructor', 'toString']) assert.equal((await deed(what)).to, '/account');
  });
});

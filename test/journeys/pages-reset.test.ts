import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { linkIn } from '#test/mails.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';

const password = 'a quiet river';
const chosen = { pass1: 'a wide blue lake', pass2: 'a wide blue lake' };

eachEngine('A forgotten password', (engine) => {
  const opened = async (options?: SiteOptions): Promise<TestSite> => {
    const site = await aSite(engine, options);
    await site.user({ login: 'ada', roles: ['author'], password });
    return site;
  };
  const asked = async (site: TestSite): Promise<string> => {
    await aVisitor(site).post('/wp-login.php?action=lostpassword', { user_login: 'ada' });
    return linkIn(site);
  };

  test('is replaced by way of the link in the mail, which ends every session', async () => {
    const site = await opened();
    const [before, visitor] = [aVisitor(site), aVisitor(site)];
    await before.signIn('ada', password);
    const link = await asked(site);
    const first = await visitor.get(link);
    assert.deepEqual([first.status, first.to], [302, '/login?action=rp']);
    assert.equal(first.headers.get('referrer-policy'), 'no-referrer');
    assert.match(first.given[0]!, /^site_reset=[\w-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    const form = await visitor.get(first.to!);
    assert.match(form.text, /autocomplete="new-password"/);
    const done = await visitor.post('/login?action=rp', chosen);
    assert.deepEqual([done.status, done.to], [303, '/login?password=changed']);
    assert.equal(visitor.cookies.has('site_reset'), false);
    assert.equal((await before.get('/account')).status, 302);
    assert.equal((await before.signIn('ada', password)).status, 200);
    assert.equal((await before.signIn('ada', chosen.pass1)).status, 302);
  });

  test('is not replaced twice by the same link', async () => {
    const site = await opened();
    const [visitor, replay] = [aVisitor(site), aVisitor(site)];
    const link = await asked(site);
    await visitor.get(link);
    await replay.get(link);
    await visitor.post('/login?action=rp', chosen);
    assert.equal((await replay.post('/login?action=rp', { pass1: 'all mine', pass2: 'all mine' })).status, 400);
    const again = await aVisitor(site).get(link);
    assert.equal(again.status, 400);
    assert.match(again.text, /action=lostpassword/);
    assert.equal((await visitor.signIn('ada', chosen.pass1)).status, 302);
  });

  test('stays when the link is a day old, cut, somebody else’s, or none', async () => {
    let now = noon;
    const site = await opened({ clock: () => now });
    await site.user({ login: 'eva', roles: ['author'], password });
    const link = await asked(site);
    for (const other of [link.replace('login=ada', 'login=eva'), link.replace('login=ada', 'login=nobody')])
      assert.equal((await aVisitor(site).get(other)).status, 400);
    for (const cut of [link.replace(/key=./, 'key='), link.replace('key=', 'key[]='), '/login?action=rp'])
      assert.equal((await aVisitor(site).get(cut)).status, 400);
    const cookie = { cookie: `site_reset=${Buffer.from('[1,{}]').toString('base64url')}` };
    assert.equal((await aVisitor(site, cookie).get('/login?action=rp')).status, 400);
    assert.equal((await aVisitor(site, { cookie: 'site_reset=bnVsbA' }).get('/login?action=rp')).status, 400);
    now = new Date(noon.getTime() + 24 * 60 * 60 * 1000 + 1000);
    assert.equal((await aVisitor(site).get(link)).status, 400);
  });

  test('is asked for without anybody learning who has an account', async () => {
    const site = await opened();
    const ask = (user_login: string) => aVisitor(site).post('/wp-login.php?action=lostpassword', { user_login });
    const answers = await Promise.all(['ada', 'ada@site.test', 'nobody', 'nobody@site.test', 'a"b\r\nBcc: x'].map(ask));
    for (const { status, to, text, given } of answers)
      assert.deepEqual(
        { status, to, text, given },
        { status: 303, to: '/login?checkemail=confirm', text: '', given: [] },
      );
    assert.match((await aVisitor(site).get('/login?checkemail=confirm')).text, /If an account has this user name/);
    const empty = await ask(' ');
    assert.equal(empty.status, 400);
    assert.match(empty.text, /id="user_login-fault"/);
  });

  test('is told what is wrong with the new one, without showing it', async () => {
    const site = await opened();
    const visitor = aVisitor(site);
    await visitor.get(await asked(site));
    const differing = await visitor.post('/login?action=rp', { ...chosen, pass2: 'a wild lake' });
    assert.equal(differing.status, 400);
    assert.match(differing.text, /id="pass2-fault"/);
    assert.doesNotMatch(differing.text, /a wide blue lake|a wild lake/);
    for (const short of ['', 'seven 7'])
      assert.match(
        (await visitor.post('/login?action=resetpass', { pass1: short, pass2: short })).text,
        /id="pass1-fault"/,
      );
    assert.equal((await visitor.post('/login?action=resetpass', chosen)).status, 303, 'the link still works');
  });

  test('stays when who asked signs out everywhere before the link is opened', async () => {
    const site = await opened();
    const [ada, other] = [aVisitor(site), aVisitor(site)];
    await ada.signIn('ada', password);
    const link = await asked(site);
    const _wpnonce = await ada.token('/account', 'action="/account"');
    await ada.post('/account', { do: 'sign-out-everywhere', _wpnonce });
    assert.equal((await other.get(link)).status, 400);
  });

  test('of whom the link came to damaged is told how to ask for a new one, also to who is signed in', async () => {
    const site = await opened();
    const [stranger, ada] = [aVisitor(site), aVisitor(site)];
    await ada.signIn('ada', password);
    const link = await asked(site);
    const damaged = [link.replace('action=rp', 'action=3Drp'), link.replace('action=rp', 'action='), '/login?key=x'];
    for (const visitor of [stranger, ada]) {
      for (const way of [...damaged, '/wp-login.php?action=rp3&login=ada']) {
        const { status, text } = await visitor.get(way);
        assert.equal(status, 200, way);
        assert.match(text, /This link is incomplete/, way);
        assert.match(text, /action=lostpassword/);
        assert.doesNotMatch(text, /name="(?:key|login)"/);
      }
    }
    for (const way of ['/login', '/login?login=ada', '/wp-login.php?action=3Drp'])
      assert.doesNotMatch((await stranger.get(way)).text, /damaged/, way);
    assert.doesNotMatch((await stranger.signIn('ada', 'wrong')).text, /damaged/);
  });

  test('leaves no trace of the link in the log', async () => {
    const site = await opened();
    const key = new URL(await asked(site), site.origin).searchParams.get('key')!;
    assert.equal(JSON.stringify(site.log.lines).includes(key), false);
    const mails = globSync(join(site.config.data, 'mail/*.eml')).map((file) => readFileSync(file, 'utf8'));
    assert.equal(mails.length, 1);
  });
});

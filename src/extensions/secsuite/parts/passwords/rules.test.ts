// The rules for passwords in a site of their own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, second } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { linkIn } from '#test/mails.ts';
import { rules, strong, stronger, weak } from '#test/password-rules.ts';
import { noon } from '#test/site.ts';
import { aVisitor } from '#test/visitor.ts';
import type { Values } from '../../settings/types.ts';

const step = '/login?action=step';
const twice = (password: string) => ({ pass1: password, pass2: password });

/** In the letters of East Asian keyboards. */
const wide = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000');

eachEngine('A password that is easy to guess', (engine) => {
  test('is refused to whoever is held to a strong one, with advice', async () => {
    const { site } = await rules(engine, { strength: ['editor'] });
    const { post } = site.as('administrator');
    const asked = { username: 'kim', email: 'kim@site.test', roles: ['editor'], password: 'kim@site.test' };
    const refused = await post('/api/core/v2/users', asked);
    assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param']);
    assert.match(refused.body.data.params.password, /too easy to guess.*words that others know about you/);
    assert.equal((await post('/api/core/v2/users', { ...asked, password: stronger })).status, 201);
    assert.equal(
      (await post('/api/core/v2/users', { ...asked, username: 'lee', email: 'lee@site.test', roles: ['author'] }))
        .status,
      201,
    );
  });

  test('is refused too where nobody says which role they begin with', async () => {
    const { site } = await rules(engine, { strength: ['subscriber'] });
    const asked = { username: 'kim', email: 'kim@site.test', password: weak };
    assert.equal((await site.as('administrator').post('/api/core/v2/users', asked)).status, 400);
  });

  test('is refused too where nobody waited until settings were read, as at the command line', async () => {
    const { site, read } = await rules(engine, { strength: ['editor'], late: true });
    const adding = site.app.services.identity.users.add({ login: 'kim', password: weak, roles: ['editor'] });
    read();
    await assert.rejects(adding, { code: 'rest_invalid_param' });
  });

  test('is refused when it is changed, by what they are then', async () => {
    const { site, someone } = await rules(engine, { strength: ['editor'] });
    const kim = await someone('kim', weak, 'author');
    const { post } = site.as('administrator');
    assert.equal((await post(`/api/core/v2/users/${kim.id}`, { password: weak, roles: ['editor'] })).status, 400);
    assert.equal((await post(`/api/core/v2/users/${kim.id}`, { password: weak })).status, 200);
    assert.equal((await post(`/api/core/v2/users/${kim.id}`, { password: stronger, roles: ['editor'] })).status, 200);
  });

  for (const remember of [{}, { rememberme: 'forever' }])
    test(`lets nobody in who is held to a strong one before another is set, ${Object.keys(remember).join()}`, async () => {
      const { site, said, someone, signsIn, made } = await rules(engine);
      const kim = await someone('kim', weak);
      const [visitor, other] = [aVisitor(site), aVisitor(site)];
      await other.signIn('kim', weak);
      said.strength = ['editor'];
      const page = await visitor.signIn('kim', weak, remember);
      assert.equal(page.status, 403);
      assert.match(page.text, /<h1>Choose a new password<\/h1>[^§]*too easy to guess[^§]*name="pass1"/);
      assert.deepEqual([...visitor.cookies.keys()], ['site_sign_in']);
      const replay = aVisitor(site, { cookie: `site_sign_in=${visitor.cookies.get('site_sign_in')}` });
      const again = await visitor.post(step, twice(weak));
      assert.equal(again.status, 400);
      assert.match(again.text, /id="pass1-fault">[^<]*too easy to guess/);
      const differing = await visitor.post(step, { ...twice(stronger), pass2: strong });
      assert.match(differing.text, /id="pass2-fault"/);
      assert.equal((await other.get('/account')).status, 200, 'nothing is changed yet');
      const done = await visitor.post(step, twice(stronger));
      assert.deepEqual([done.status, done.to], [302, '/account']);
      assert.equal(/Max-Age=1209600/.test(done.given[0]!), 'rememberme' in remember);
      assert.equal((await visitor.get('/account')).status, 200);
      assert.equal((await other.get('/account')).status, 302, 'all others are signed out');
      assert.equal((await replay.post(step, twice(strong))).to, '/login?step=over');
      await site.app.services.events.settled();
      assert.equal((await signsIn('kim', stronger)).status, 302);
      assert.equal((await made.passwords!.known.of(kim)).strength, 4);
    });

  test('is not taken for a strong one that was chosen before it, and refused for something else', async () => {
    const { site, said, someone, made } = await rules(engine, { strength: ['editor'] });
    const [kim] = [await someone('kim'), await someone('lee')];
    const { post } = site.as('administrator');
    assert.equal(
      (await post(`/api/core/v2/users/${kim.id}`, { password: strong, email: 'lee@site.test' })).status,
      400,
    );
    said.strength = [];
    assert.equal((await post(`/api/core/v2/users/${kim.id}`, { password: weak })).status, 200);
    await site.app.services.events.settled();
    assert.equal((await made.passwords!.known.of(kim)).strength, undefined);
  });

  test('is as easy in letters that are wider, since it is the same one', async () => {
    const { site, said, someone, signsIn } = await rules(engine, { strength: ['editor'], hibp: ['editor'] });
    const kim = await someone('kim');
    const { post } = site.as('administrator');
    const choose = (password: string) => post(`/api/core/v2/users/${kim.id}`, { password });
    assert.match((await choose(wide(weak))).body.data.params.password, /too easy to guess/);
    assert.match((await choose(wide(strong))).body.data.params.password, /in a list of breached passwords/);
    said.strength = [];
    said.hibp = [];
    assert.equal((await choose(wide(weak))).status, 200);
    await site.app.services.events.settled();
    said.strength = ['editor'];
    assert.match((await signsIn('kim', wide(weak))).text, /too easy to guess/);
  });

  test('is no matter where nobody is held to anything, and no thread is begun', async () => {
    const { someone, signsIn, made } = await rules(engine);
    const kim = await someone('kim', weak);
    assert.equal((await signsIn('kim', weak)).status, 302);
    assert.equal((await made.passwords!.known.of(kim)).strength, undefined);
  });
});

eachEngine('A password that became known elsewhere', (engine) => {
  test('is refused when it is chosen, and at the door', async () => {
    const { site, said, someone, signsIn } = await rules(engine);
    await someone('kim', strong);
    said.hibp = ['editor'];
    const { post } = site.as('administrator');
    const asked = { username: 'lee', email: 'lee@site.test', roles: ['editor'], password: strong };
    assert.match(
      (await post('/api/core/v2/users', asked)).body.data.params.password,
      /in a list of breached passwords/,
    );
    assert.equal((await post('/api/core/v2/users', { ...asked, password: stronger })).status, 201);
    const page = await signsIn('kim', strong);
    assert.equal(page.status, 403);
    assert.match(page.text, /in a list of breached passwords/);
  });

  test('lets in whoever has it while nobody can be asked, and says so', async () => {
    const { said, service, someone, signsIn, logged, made } = await rules(engine);
    await someone('kim', strong);
    assert.equal((await made.passwords!.look()).state, 'note');
    assert.deepEqual(await made.passwords!.remotes(), []);
    said.hibp = ['editor'];
    assert.equal((await made.passwords!.look()).state, 'ok');
    assert.deepEqual(await made.passwords!.remotes(), [{ name: 'the lists of breached passwords', url: service.url }]);
    await service.close();
    assert.equal((await signsIn('kim', strong)).status, 302);
    assert.deepEqual(
      logged.map(({ code }) => code),
      ['breached-not-asked'],
    );
    assert.equal((await made.passwords!.look()).state, 'warning');
  });

  test('is not looked for where the operator names no service', async () => {
    const { service, someone, signsIn, made } = await rules(engine, { hibp: ['editor'] }, false);
    await someone('kim', strong);
    assert.equal((await signsIn('kim', strong)).status, 302);
    assert.equal(service.asked.length, 0);
    assert.equal((await made.passwords!.look()).state, 'warning');
  });
});

eachEngine('A password whose time is over', (engine) => {
  test('lets nobody in any more, and another one has to be chosen', async () => {
    const { site, later, someone, signsIn, logged } = await rules(engine, { age: ['editor'], expire_max: 30 });
    const kim = await someone('kim');
    later(30 * day);
    assert.equal((await signsIn('kim', stronger)).status, 302);
    later(1);
    const page = await signsIn('kim', stronger);
    assert.equal(page.status, 403);
    assert.match(page.text, /is too old/);
    assert.deepEqual(
      logged.map(({ code, type }) => [code, type]),
      [[`new-password-asked::age,${kim.id}`, 'notice']],
    );
    const visitor = aVisitor(site);
    await visitor.signIn('kim', stronger);
    assert.match((await visitor.post(step, twice(stronger))).text, /This is your current password/);
    assert.equal((await visitor.post(step, twice(strong))).status, 302);
    await site.app.services.events.settled();
    assert.equal((await signsIn('kim', strong)).status, 302);
    later(30 * day);
    assert.equal((await signsIn('kim', strong)).status, 302);
  });

  test('is counted from when they came, where nobody knows when it was set', async () => {
    const { later, someone, signsIn, made, said } = await rules(engine, { age: ['editor'] });
    const kim = await someone('kim');
    await made.passwords!.known.forget(kim);
    later(120 * day + 1);
    assert.equal((await signsIn('kim', stronger)).status, 403);
    said.expire_max = 0;
    assert.equal((await signsIn('kim', stronger)).status, 302);
    said.expire_max = 121;
    assert.equal((await signsIn('kim', stronger)).status, 302);
    said.expire_max = 120;
    said.age = ['author'];
    assert.equal((await signsIn('kim', stronger)).status, 302);
  });

  test('stays so for whoever has the wrong one: nobody learns of it', async () => {
    const { later, someone, signsIn } = await rules(engine, { age: ['editor'] });
    await someone('kim');
    later(121 * day);
    const page = await signsIn('kim', 'not the right one');
    assert.doesNotMatch(page.text, /old by now/);
    assert.match(page.text, /The user name or the password is wrong/);
  });

  test('is everybody’s when everybody is asked for a new one, but programs go on', async () => {
    const { site, said, made, later, someone, signsIn } = await rules(engine);
    const kim = await someone('kim');
    const headers = await site.credentials(kim);
    later(10.5 * second);
    const { expire_force } = made.along!({}, { expire_force: true, other: 1 }) as Values;
    assert.equal(expire_force, noon.getTime() / second + 11);
    said.expire_force = Number(expire_force);
    const page = await signsIn('kim', stronger);
    assert.equal(page.status, 403);
    assert.equal((await site.get('/api/core/v2/users/me', headers)).status, 200);
    later(second);
    await site.app.services.identity.users.change(kim, { password: strong });
    await site.app.services.events.settled();
    assert.equal((await signsIn('kim', strong)).status, 302);
    assert.deepEqual(made.along!({}, { expire_force: false }), { expire_force: 0 });
    assert.deepEqual(made.along!({}, { expire_force: 7 }), { expire_force: 7 });
    const { expire_force: ahead } = made.along!({}, { expire_force: 9_999_999_999 }) as Values;
    assert.equal(ahead, noon.getTime() / second + 12, 'no password would ever be new enough');
  });

  test('is forgotten with its owner', async () => {
    const { site, later, someone, made } = await rules(engine);
    const kim = await someone('kim');
    later(day);
    const { users } = site.app.services.identity;
    await users.change(kim, { password: strong });
    await site.app.services.events.settled();
    assert.equal((await made.passwords!.known.of(kim)).since.getTime(), noon.getTime() + day);
    await users.erase(kim, undefined);
    await site.app.services.events.settled();
    assert.equal((await made.passwords!.known.of(kim)).since.getTime(), noon.getTime());
  });

  test('is replaced by who forgot it too: a link that was sent before ends the wait', async () => {
    const { site, later, someone } = await rules(engine, { age: ['editor'] });
    await someone('kim');
    later(121 * day);
    const visitor = aVisitor(site);
    await visitor.signIn('kim', stronger);
    await visitor.post('/login?action=lostpassword', { user_login: 'kim' });
    const link = aVisitor(site);
    await link.get(await linkIn(site));
    assert.equal((await link.post('/login?action=rp', twice(strong))).to, '/login?password=changed');
    assert.equal((await visitor.post(step, twice('a third kettle of harbour geese'))).to, '/login?step=over');
    await site.app.services.events.settled();
    assert.equal((await visitor.signIn('kim', strong)).status, 302);
  });
});

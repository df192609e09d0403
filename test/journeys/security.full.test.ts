// A site that defends itself: two processes on one store, attackers from outside, and the owner who looks after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { mailsOf } from '#test/mails.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';

const suite = '/api/secsuite/v1';
const posts = '/api/core/v2/posts';
const json = { 'content-type': 'application/json' };
const [attacker, other, owner, editor] = ['127.0.0.9', '127.0.0.10', '127.0.0.2', '127.0.0.3'];

/** Two processes that serve one site. */
async function twice(engine: TestEngine): Promise<[TestSite, TestSite]> {
  const one = await aSite(engine);
  const { data, media, database } = one.config;
  return [one, await aSite(engine, { config: { data, media, ...(database && { database }) } })];
}

eachEngine('A site that defends itself', (engine) => {
  test('locks out who guesses, tells its owner, bans and lets in again, and refuses attacks as its rules say', async () => {
    const [one, two] = await twice(engine);
    const ada = await one.user({
      login: 'ada',
      email: 'ada@site.test',
      password: 'a secret of ada',
      roles: ['editor'],
    });
    const known = await one.credentials('administrator');
    const asOwner = async (method: string, path: string, body?: object) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return visitorFrom(one.port, owner).ask(path, { method, headers: { ...known, ...json }, ...sent });
    };
    const from = (site: TestSite, address: string) => visitorFrom(site.port, address);
    const reach = async (site: TestSite, address = attacker) => (await from(site, address).ask(posts)).status;

    // Whoever manages the site is let in from where he works for a day.
    assert.equal((await asOwner('GET', `${suite}/lockouts`)).status, 200);

    // Five wrong passwords, asked of whichever process.
    const guesses: number[] = [];
    for (const site of [one, two, one, two, one])
      guesses.push((await from(site, attacker).signIn('ada', 'a guess')).status);
    assert.deepEqual(guesses, [200, 200, 200, 200, 403]);
    for (const site of [one, two]) await withinASecond(() => reach(site), 403);
    assert.equal((await from(two, attacker).signIn('ada', 'a secret of ada')).status, 403);
    assert.equal(await reach(two, other), 200);

    // The owner's own guesses lock nobody out, and are written down.
    for (let guess = 0; guess < 6; guess++) await from(one, owner).signIn('nobody here', 'a guess');
    assert.equal(await reach(one, owner), 200);

    const [lockout] = (await asOwner('GET', `${suite}/lockouts`)).body;
    assert.deepEqual([lockout.host, lockout.type, lockout.active], [attacker, 'brute_force', true]);
    const logged = async (query: string) => (await asOwner('GET', `${suite}/logs?${query}`)).body.length;
    await withinASecond(() => logged(`code[]=host-lockout::${attacker}`), 1);
    await withinASecond(() => logged(`module[]=brute_force&code[]=invalid-login%25&ip[]=${attacker}`), 5);
    const told = [...(await mailsOf(one)), ...(await mailsOf(two))].find(({ text }) => text.includes(attacker));
    assert.match(told?.to ?? '', /administrator/);

    // Released, they are let in at once; banned, they are kept out for good.
    assert.equal((await asOwner('POST', `${suite}/lockouts/${lockout.id}/release-lockout`)).body.active, false);
    for (const site of [one, two]) await withinASecond(() => reach(site), 200);
    const banned = await asOwner('POST', `${suite}/lockouts/${lockout.id}/ban-lockout`);
    assert.equal(banned.body.label, attacker);
    for (const site of [one, two]) await withinASecond(() => reach(site), 403);
    assert.equal((await from(two, attacker).ask(posts)).body.data.type, 'ban');

    // An attack is refused by a rule, by both processes, and written down; a rule that is paused lets it through.
    const config = {
      type: 'BLOCK',
      rules: [
        { parameter: 'raw.content', inclusive: true, match: { type: 'regex', value: '/union\\s+select/i' } },
        { parameter: 'rules', inclusive: true, match: { type: 'current_user_cannot', value: 'edit_others_posts' } },
      ],
    };
    const rule = await asOwner('POST', `${suite}/firewall/rules`, { name: 'No tables for strangers', config });
    assert.equal(rule.status, 201);
    const theirs = await one.credentials(ada);
    const attack = async (site: TestSite, address: string, headers = {}) => {
      const body = JSON.stringify({ content: '1 UNION  SELECT password' });
      return (await from(site, address).ask(posts, { method: 'POST', headers: { ...json, ...headers }, body })).body
        .code;
    };
    // Another client each time, because one that is refused often is locked out.
    let strangers = 0;
    const stranger = () => {
      strangers += 1;
      return `127.1.${strangers >> 8}.${strangers & 255}`;
    };
    const refused = 'secsuite_firewall_blocked';
    for (const site of [one, two]) await withinASecond(() => attack(site, stranger()), refused);
    assert.equal(await attack(two, other), refused);
    await withinASecond(() => logged(`code[]=BLOCK::${rule.body.id}&ip[]=${other}`), 1);
    // Editors may write so.
    assert.equal(await attack(two, editor, theirs), undefined);

    const pause = { paused_at: '2026-11-20T12:00:00+00:00' };
    assert.equal((await asOwner('PUT', `${suite}/firewall/rules/${rule.body.id}`, pause)).status, 200);
    for (const site of [one, two]) await withinASecond(() => attack(site, stranger()), 'rest_cannot_create');

    // A rule for everybody spares who is always let in.
    const everybody = { ...config, rules: [config.rules[0]] };
    await asOwner('POST', `${suite}/firewall/rules`, { name: 'No tables', config: everybody });
    for (const site of [one, two]) await withinASecond(() => attack(site, editor, theirs), refused);
    await asOwner('PATCH', `${suite}/settings/global`, { lockout_white_list: [editor] });
    for (const site of [one, two]) await withinASecond(() => attack(site, editor, theirs), undefined);
    assert.equal(await attack(one, other), refused);
  });
});

// The way out when nothing else helps: switched off by the operator, the suite refuses nobody, and can still be looked at and set.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aVisitor } from '#test/visitor.ts';

const suite = '/api/secsuite/v1';
const password = 'quiet harbour beneath a violet kettle';

eachEngine('While the operator has switched the suite off', (engine) => {
  const aSiteThatIsOff = () => aGuardedSite(engine, { env: { GATEHOUSE_SECURITY_SUITE: 'off' } });

  test('whoever is banned or guesses passwords comes in, and no front is told to refuse them', async () => {
    const [site] = await aSiteThatIsOff();
    const admin = site.as('administrator');
    await site.user({ login: 'kim', password, roles: ['editor'] });
    const ban = await admin.post(`${suite}/bans/database`, {
      host: '127.0.0.9',
      created_by: { type: 'user', id: '1' },
    });
    assert.equal(ban.status, 201);
    const stranger = visitorFrom(site.port, '127.0.0.9');
    assert.equal((await stranger.ask('/api/core/v2/posts')).status, 200);
    for (let time = 0; time < 12; time++) await stranger.signIn('kim', 'wrong');
    assert.equal((await stranger.signIn('kim', password)).status, 302);
    const { body: rules } = await admin.get('/api/secsuite/rpc/file-writing/get-config-rules');
    assert.doesNotMatch(rules.server, /127\.0\.0\.9/);
  });

  test('every password will do, however weak or old, and when all were asked for a new one', async () => {
    const [site] = await aSiteThatIsOff();
    const admin = site.as('administrator');
    const kim = await site.user({ login: 'kim', password: 'the word of kim', roles: ['editor'] });
    const { body: groups } = await admin.get(`${suite}/user-groups`);
    const all = groups.map(({ id }: { id: string }) => id);
    const asked = { strength: { group: all }, hibp: { group: all }, age: { group: all, expire_max: 1 } };
    const saved = await admin.patch(`${suite}/settings/password-requirements`, { requirement_settings: asked });
    assert.equal(saved.status, 200, saved.text);
    const forced = await admin.patch(`${suite}/settings/password-expiration`, { expire_force: true });
    assert.equal(forced.status, 200, forced.text);
    const signIn = (pwd: string) => aVisitor(site).post('/login', { log: 'kim', pwd });
    assert.equal((await signIn('the word of kim')).status, 302);
    assert.equal((await admin.post(`/api/core/v2/users/${kim.id}`, { password: 'the word of mik' })).status, 200);
    assert.equal((await signIn('the word of mik')).status, 302);
  });
});

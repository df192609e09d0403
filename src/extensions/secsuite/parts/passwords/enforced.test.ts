// What the settings say is enforced of passwords.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type SiteOptions } from '#test/site.ts';

const settings = '/api/secsuite/v1/settings';
const none = { strength: false, hibp: false, age: false, force: false };

eachEngine('enabled_requirements', (engine) => {
  const aSuite = async (options: SiteOptions = {}) => {
    const { get, patch, post, put } = (await aSite(engine, options)).as('administrator');
    const made = await post('/api/secsuite/v1/user-groups', { label: 'Editors', roles: ['editor'] });
    const group = [made.body.id];
    return {
      enforced: async () => (await get(`${settings}/password-requirements`)).body.enabled_requirements,
      ask: (requirement_settings: (groups: string[]) => object) =>
        patch(`${settings}/password-requirements`, { requirement_settings: requirement_settings(group) }),
      put,
    };
  };
  const all = (group: string[]) => ({ strength: { group }, hibp: { group }, age: { expire_max: 90, group } });

  test('tells which requirements hold for somebody', async () => {
    const { enforced, ask, put } = await aSuite();
    assert.equal((await ask(() => ({ strength: { group: [] }, hibp: { group: [] }, age: { group: [] } }))).status, 200);
    assert.deepEqual(await enforced(), none);
    const { status, body } = await ask((group) => ({
      strength: { group },
      hibp: { group: [] },
      age: { expire_max: 0, group },
    }));
    assert.deepEqual([status, body.enabled_requirements], [200, { ...none, strength: true }]);
    await put(`${settings}/password-expiration`, { expire_force: true });
    assert.deepEqual(await enforced(), { ...none, strength: true, force: true });
  });

  test('tells of leaked passwords only while lists of them may be asked', async () => {
    const { enforced, ask } = await aSuite();
    await ask(all);
    assert.deepEqual(await enforced(), { strength: true, hibp: false, age: true, force: false });
    const asking = await aSuite({ env: { GATEHOUSE_BREACHED_URL: 'https://breached.example/range/' } });
    await asking.ask(all);
    assert.deepEqual(await asking.enforced(), { strength: true, hibp: true, age: true, force: false });
  });

  test('tells of nothing while the operator has the suite refuse nobody', async () => {
    const { enforced, ask } = await aSuite({ env: { GATEHOUSE_SECURITY_SUITE: 'off' } });
    await ask(all);
    assert.deepEqual(await enforced(), none);
  });
});

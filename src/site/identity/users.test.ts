import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { createEvents, type EventName } from '../events.ts';
import { totalTables } from '../totals.ts';
import { createRoles } from './roles.ts';
import { identityTables } from './tables.ts';
import { createUsers, type Wanted } from './users.ts';

/** Enough of one for users to be kept: what a password is worth is not their affair. */
const passwords = {
  fault: (password: string) => (password === '' ? 'A password is not empty.' : undefined),
  hash: async (password: string) => `hash of ${password}`,
  verify: async () => ({ fits: false, outdated: false, waited: 0 }),
};

const capabilities = new Set(['read', 'edit_posts', 'edit_users']);
const roles = createRoles(
  {
    administrator: { label: 'Administrator', capabilities: [...capabilities] },
    author: { label: 'Author', capabilities: ['read', 'edit_posts'] },
    subscriber: { label: 'Subscriber', capabilities: ['read'] },
  },
  capabilities,
);

async function someUsers(engine: TestEngine) {
  const store = await engine.store([totalTables, identityTables]);
  const heard: EventName[] = [];
  const events = createEvents((error) => assert.fail(error as Error));
  for (const name of ['user.created', 'user.changed', 'user.deleted', 'password.changed', 'session.ended'] as const)
    events.on(name, () => void heard.push(name));
  const clock = () => new Date('2026-11-20T12:00:00Z');
  const users = createUsers({ store, clock, roles, passwords, events, defaultRole: 'subscriber', language: 'en_GB' });
  const list = async (wanted: Partial<Wanted> = {}) => {
    const page = { limit: 10, offset: 0, order: 'asc', orderBy: 'name', searchEmails: false } as const;
    const { items, total } = await users.list({ ...page, ...wanted });
    return { total, logins: items.map(({ login }) => login) };
  };
  return { store, users, list, heard };
}

const code = (expected: string, status?: number) => (error: unknown) => {
  const { code, status: given } = error as { code: string; status: number };
  assert.equal(code, expected);
  if (status !== undefined) assert.equal(given, status);
  return true;
};

eachEngine('users', (engine) => {
  test('who is added is found by number, by login and by mail address, whatever the capitals', async () => {
    const { users, heard } = await someUsers(engine);
    const ann = await users.add({ login: 'Ann', email: 'Ann@example.test', first_name: 'Ann', last_name: 'Lee' });
    assert.deepEqual(
      [ann.name, ann.nickname, ann.slug, ann.roles, ann.registered_at],
      ['Ann Lee', 'Ann', 'ann', ['subscriber'], '2026-11-20T12:00:00.000Z'],
    );
    for (const found of [users.find(ann.id), users.named('aNN'), users.named('ann@EXAMPLE.test')])
      assert.deepEqual(await found, ann);
    assert.equal(await users.named('nobody'), undefined);
    assert.equal('password' in ann, false);
    assert.deepEqual(heard, ['user.created']);
  });
});

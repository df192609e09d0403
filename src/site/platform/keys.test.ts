import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '#test/databases.ts';
import { keyTables, openKeys } from './keys.ts';

const clock = () => new Date('2026-11-20T12:00:00Z');
const secret = 'the secret of the site';

onBothStores('The keys of a site', (engine) => {
  test('are three, made once, and the same ever after', async () => {
    const store = await engine.store([keyTables]);
    const made = await openKeys(store, secret, clock);
    const keys = [made.sessions, made.application_passwords, made.encryption];
    for (const key of keys) assert.equal(key.length, 32);
    assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 3);
    assert.deepEqual(await openKeys(store, secret, clock), made);
  });

  test('are made once by many processes that start together', async () => {
    const where = await engine.place();
    const stores = await Promise.all([1, 2, 3].map(() => engine.store([keyTables], where)));
    const [one, ...others] = await Promise.all(stores.map((store) => openKeys(store, secret, clock)));
    for (const other of others) assert.deepEqual(other, one);
  });

  test('are of no use without the secret, which is told in a sentence', async () => {
    const store = await engine.store([keyTables]);
    const keys = await openKeys(store, secret, clock);
    const rows = await store.db.selectFrom('keys').selectAll().execute();
    for (const key of Object.values(keys))
      for (const encoding of ['hex', 'base64url'] as const)
        assert.equal(JSON.stringify(rows).includes(key.toString(encoding)), false);
    await assert.rejects(openKeys(store, 'another secret', clock), {
      name: 'StoreProblem',
      message:
        /^The secret does not decrypt the keys in the database .+; give the secret that this site was first started with\.$/,
    });
  });

  test('cannot be put in each other’s place, nor be damaged unnoticed', async () => {
    const store = await engine.store([keyTables]);
    await openKeys(store, secret, clock);
    const { wrapped } = await store.db
      .selectFrom('keys')
      .select('wrapped')
      .where('name', '=', 'encryption')
      .executeTakeFirstOrThrow();
    for (const bad of [wrapped, `${wrapped.slice(0, -4)}AAAA`, 'v1', '']) {
      await store.write((tx) => tx.updateTable('keys').set({ wrapped: bad }).where('name', '=', 'sessions').execute());
      await assert.rejects(openKeys(store, secret, clock), { name: 'StoreProblem' });
    }
  });

  test('are not added to by a secret that does not open the others', async () => {
    const store = await engine.store([keyTables]);
    const made = await openKeys(store, secret, clock);
    await store.write((tx) => tx.deleteFrom('keys').where('name', '=', 'application_passwords').execute());
    const count = async () => (await store.db.selectFrom('keys').select('name').execute()).length;
    await assert.rejects(openKeys(store, 'another secret', clock), { name: 'StoreProblem' });
    assert.equal(await count(), 2);
    const { sessions, application_passwords } = await openKeys(store, secret, clock);
    assert.deepEqual([sessions, application_passwords.length, await count()], [made.sessions, 32, 3]);
  });

  test('of a form that only a later version knows are said to be that', async () => {
    const store = await engine.store([keyTables]);
    await openKeys(store, secret, clock);
    const row = store.db.selectFrom('keys').select('wrapped').where('name', '=', 'sessions');
    const wrapped = (await row.executeTakeFirstOrThrow()).wrapped.replace('v1', 'v2');
    await store.write((tx) => tx.updateTable('keys').set({ wrapped }).where('name', '=', 'sessions').execute());
    await assert.rejects(openKeys(store, secret, clock), { message: /^The key for sessions in .+ has a format that/ });
  });

  test('open ever after as they were written by the first version of the program', async () => {
    const store = await engine.store([keyTables]);
    await openKeys(store, secret, clock);
    const wrapped =
      'v1.AQEBAQEBAQEBAQEBAQEBAQ.AgICAgICAgICAgIC.d-3icZ9Nu7-1O-88fdfzFA.tduay5J9WBQgCq136bksD-cP-nIluPMB9HFRh7t6fZc';
    await store.write((tx) => tx.updateTable('keys').set({ wrapped }).where('name', '=', 'sessions').execute());
    assert.deepEqual((await openKeys(store, secret, clock)).sessions, Buffer.alloc(32, 3));
  });
});

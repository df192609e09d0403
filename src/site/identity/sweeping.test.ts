import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hour } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { testClock } from '#test/queue.ts';
import { aSite } from '#test/site.ts';
import type { IdentityTables } from './tables.ts';

eachEngine('what is over', (engine) => {
  test('is forgotten within the hour, though nobody signs in: sessions and links', async () => {
    const clock = testClock();
    const site = await aSite(engine, { clock });
    const { identity, jobs, events, store: any } = site.app.services;
    const store: Store<IdentityTables> = any;
    const client = { address: '192.0.2.1', agent: 'test' };
    const ada = await site.user({ login: 'ada', email: 'ada@site.test', roles: ['author'] });
    await identity.sessions.start(ada, false, client);
    const kept = await identity.sessions.start(ada, true, client);
    await identity.resets.request('ada', client.address);
    await events.settled();
    await jobs.settled();
    clock.pass(49 * hour);
    await jobs.settled();
    const sessions = await store.db.selectFrom('sessions').select('id').execute();
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [kept?.session.id],
    );
    assert.deepEqual(await store.db.selectFrom('one_time_tokens').select('id').execute(), []);
  });
});

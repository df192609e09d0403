import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { eachEngine, keptLog } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { modulesOn } from '../parts.ts';
import { openSettingsAndSwitches } from '../switches/open.ts';
import { makeFirstGroups } from './first-groups.ts';
import { createGroups, createMatchables } from './groups.ts';
import { listedOf } from './listed.ts';

const prefix = '/api/secsuite/v1';

eachEngine('The first groups', (engine) => {
  /** Beside the site, as another process on its store. */
  const aProcess = async (site: Awaited<ReturnType<typeof aSite>>) => {
    const { store, clock, seal, identity } = site.app.services;
    const stopping = new AbortController();
    engine.atEnd(async () => stopping.abort());
    const shared = { store, clock, seal, log: keptLog(), stopping: stopping.signal };
    const failed = (error: unknown): never => assert.fail(String(error));
    const groups = createGroups({ ...shared, roles: identity.roles, unique: randomUUID, failed });
    await groups.ready;
    const { settings, switches } = openSettingsAndSwitches({
      ...shared,
      modules: modulesOn({ data: '.' }),
      deployment: {},
      url: 'http://site.test',
      front: 'nginx',
      isGroup: createMatchables(groups).has,
    });
    await settings.ready;
    return () => makeFirstGroups({ groups, settings, listed: listedOf(switches.modules.all), unique: randomUUID });
  };

  test('are made once, with what is usually on for them', async () => {
    const site = await aSite(engine, { deployment: 'a' });
    const admin = site.as('administrator');
    const [one, other] = [await aProcess(site), await aProcess(site)];
    await Promise.all([one(), other()]);
    const groups = (await admin.get(`${prefix}/user-groups`)).body as { id: string; canonical: string[] }[];
    assert.deepEqual(
      groups.map(({ canonical }) => canonical),
      [['administrator'], ['editor'], ['author'], ['contributor'], ['subscriber']],
    );
    const ids = groups.map(({ id }) => id);
    const { global, 'two-factor': twoFactor, 'user-logging': logging } = (await admin.get(`${prefix}/settings`)).body;
    assert.deepEqual(global.manage_group, []);
    assert.deepEqual(new Set(twoFactor.application_passwords_group), new Set([...ids, 'everybody-else']));
    assert.deepEqual(twoFactor.protect_user_group, ids.slice(0, 2));
    assert.deepEqual(logging.group, ids.slice(0, 1));
    for (const id of ids) await admin.delete(`${prefix}/user-groups/${id}`);
    await one();
    assert.deepEqual((await admin.get(`${prefix}/user-groups`)).body, [], 'groups that were removed stay away');
  });

  test('are there as a site begins whose deployment wants them, and of no other', async () => {
    const site = await aSite(engine, { deployment: 'a', deploys: () => ({ first_groups: true }) });
    assert.equal((await site.as('administrator').get(`${prefix}/user-groups`)).body.length, 5);
    const other = await aSite(engine, { deployment: 'a' });
    assert.deepEqual((await other.as('administrator').get(`${prefix}/user-groups`)).body, []);
  });

  test('are not made where somebody has made groups', async () => {
    const site = await aSite(engine, { deployment: 'a' });
    const admin = site.as('administrator');
    await admin.post(`${prefix}/user-groups`, { label: 'Crew', roles: ['editor'] });
    await (await aProcess(site))();
    assert.equal((await admin.get(`${prefix}/user-groups`)).body.length, 1);
  });
});

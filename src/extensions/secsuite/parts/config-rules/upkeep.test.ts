// The files of rules are written as soon as something changes that they rest on.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const base = '/api/secsuite/v1';

eachEngine('The files of rules', (engine) => {
  const aHouse = async () => {
    const site = await aSite(engine, { deployment: 'a', config: { url: 'https://site.test' } });
    const admin = site.as('administrator');
    const files = { server: join(site.config.data, 'nginx.conf'), app: join(site.config.data, 'app.env.rules') };
    const { jobs } = site.app.services;
    await admin.get(`${base}/modules`);
    await jobs.settled();
    /** What is written because of it: nothing, where none was. */
    const written = async (change: () => Promise<{ status: number; text: string }>) => {
      for (const path of Object.values(files)) rmSync(path, { force: true });
      const { status, text } = await change();
      assert.equal(status, 200, text);
      await jobs.settled();
      return { server: textOf(files.server), app: textOf(files.app) };
    };
    const set = (id: string, values: object) => written(() => admin.patch(`${base}/settings/${id}`, values));
    const turn = (id: string, selected: string) =>
      written(() => admin.put(`${base}/modules/${id}`, { status: { selected } }));
    return { set, turn };
  };

  test('follow the settings of bans, of files, of the old interface and of the editor, and no others', async () => {
    const { set } = await aHouse();
    assert.match((await set('ban-users', { agent_list: ['Odd'] })).server ?? '', /Odd/);
    assert.doesNotMatch((await set('system-tweaks', { directory_browsing: false })).server ?? '', /autoindex/);
    assert.match((await set('core-tweaks', { disable_xmlrpc: 'disable' })).server ?? '', /xmlrpc/);
    assert.doesNotMatch((await set('core-tweaks', { file_editor: false })).app ?? '', /FILE_EDITOR/);
    for (const [id, values] of [
      ['core-tweaks', { valid_user_login_type: 'email' }],
      ['brute-force', { check_period: 7 }],
      ['global', { lockout_period: 7 }],
      ['ban-users', { agent_list: ['Odd'] }],
    ] as const)
      assert.deepEqual(await set(id, values), { server: undefined, app: undefined }, id);
  });

  test('follow modules that are switched', async () => {
    const { set, turn } = await aHouse();
    await set('ban-users', { agent_list: ['Odd'] });
    assert.doesNotMatch((await turn('ban-users', 'inactive')).server ?? '', /Odd/);
    assert.match((await turn('ban-users', 'active')).server ?? '', /Odd/);
    assert.match((await turn('ssl', 'active')).app ?? '', /FORCE_HTTPS/);
    assert.doesNotMatch((await turn('ssl', 'inactive')).app ?? '', /FORCE_HTTPS/);
  });

  test('are left alone while nothing may be written, and follow at once when it may again', async () => {
    const { set } = await aHouse();
    const nothing = { server: undefined, app: undefined };
    assert.deepEqual(await set('global', { write_files: false }), nothing);
    assert.deepEqual(await set('ban-users', { agent_list: ['Odd'] }), nothing);
    assert.match((await set('global', { write_files: true })).server ?? '', /Odd/);
  });
});

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

// Backups are made when they are due, hold what a backup has to hold, and are none too many.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { day } from '#lib/spans.ts';
import { openArchive } from '#site/transfer/backup/file.ts';
import { inspect } from '#site/transfer/backup/parts.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { noon } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { tablesLeftOut } from '../../disk/backup-file.ts';
import { folded } from '../../parts.ts';
import { backupOn } from './part.ts';

const base = '/api/secsuite/v1';
/** Whatever can be left out. */
const { items } = backupOn({ data: '.' }).settings!.schema.properties.exclude!;

async function aSavedSite(engine: TestEngine, values: object) {
  const time = { now: noon.getTime() };
  const [site, suite] = await aGuardedSite(engine, { clock: () => new Date(time.now) });
  const admin = site.as('administrator');
  const folder = join(site.config.data, 'kept', 'backups');
  const set = async (said: object) => {
    const { status, text } = await admin.patch(`${base}/settings/backup`, said);
    assert.equal(status, 200, text);
  };
  const turn = (selected: string) => admin.put(`${base}/modules/backup`, { status: { selected } });
  const look = async () => {
    await suite.tasks.start('backup');
    await site.app.services.jobs.settled();
    return files();
  };
  const files = (): string[] => {
    try {
      return readdirSync(folder).sort();
    } catch {
      return [];
    }
  };
  const codes = async (): Promise<string[]> => {
    await suite.logs.flush();
    const { body } = await admin.get(`${base}/logs?module=backup&orderby=id&order=asc`);
    return body.map(({ code }: { code: { raw: { code: string } } }) => code.raw.code);
  };
  await set({ enabled: true, interval: 2, location: folder, retain: 0, ...values });
  return { site, admin, time, folder, set, turn, look, codes };
}

/** Those of which there are rows in it. */
async function tablesIn(path: string): Promise<string[]> {
  const archive = await openArchive(path);
  const found = new Set<string>();
  const { manifest } = await inspect(archive, { row: (_, { name }) => void found.add(name) }).finally(() =>
    archive.close(),
  );
  assert.equal(manifest.media, false);
  const names = new Set(manifest.tables.map(({ name }) => name));
  assert.deepEqual(
    [...tablesLeftOut(items!.enum as string[], folded.leftOut).difference(names)],
    [],
    'each of them is a table here',
  );
  return [...found];
}

eachEngine('Backups of the database', (engine) => {
  test('are made every few days, of all but what is left out, and the oldest are deleted', async () => {
    const { site, admin, time, folder, set, look, codes } = await aSavedSite(engine, { method: 'local', retain: 2 });
    await admin.post('/api/core/v2/posts', { title: 'One', status: 'publish' });
    await admin.post(`${base}/user-groups`, { label: 'Editors', roles: ['editor'] });
    const [first = ''] = await look();
    assert.equal((await look()).length, 1);
    assert.equal(statSync(join(folder, first)).mode & 0o777, 0o600);
    const later = async (exclude?: readonly string[]) => {
      time.now += 2 * day;
      if (exclude !== undefined) await set({ exclude });
      await codes();
      return tablesIn(join(folder, (await look()).at(-1)!));
    };
    const usual = await later();
    assert.ok(usual.includes('posts') && usual.includes('users'), usual.join());
    assert.deepEqual(
      usual.filter((name) => name.startsWith('secsuite_logs')),
      [],
    );
    const all = await later([]);
    assert.ok(all.includes('secsuite_logs') && all.includes('secsuite_logs_data'), all.join());
    assert.ok(all.includes('secsuite_groups'), all.join());
    const few = await later(['secsuite_user_groups']);
    assert.deepEqual(
      few.filter((name) => name.startsWith('secsuite_group')),
      [],
    );
    const left = await look();
    assert.equal(left.length, 2);
    assert.ok(!left.includes(first));
    assert.deepEqual([...new Set(await codes())], ['file-stored']);
    assert.deepEqual(await mailsOf(site), []);
  });

  test('are told by letter, where that is set', async () => {
    const { site, look, set, codes } = await aSavedSite(engine, { method: 'local' });
    await site.set('site', { email: 'owner@site.test' });
    await set({ method: 'both' });
    const [name = ''] = await look();
    const letters = (await mailsOf(site)).filter(({ to }) => to === 'owner@site.test');
    assert.ok(letters.some(({ text }) => text.replaceAll(/\s/g, '').includes(name)));
    assert.deepEqual(await codes(), ['email-succeeded-file-stored']);
  });

  test('go to the first administrator while neither the list nor the site has an address', async () => {
    const { site, admin, look, set, codes } = await aSavedSite(engine, { method: 'local' });
    await site.set('site', { email: '' });
    await set({ method: 'both' });
    const { email } = (await admin.get('/api/core/v2/users/me?context=edit')).body;
    const listed = async () => {
      const { body } = await admin.get(`${base}/settings/notification-center`);
      return body.notifications.backup.email_list.join(' ');
    };
    await soon(listed, email);
    await look();
    assert.ok((await mailsOf(site)).some(({ to, subject }) => to === email && /backup/i.test(subject)));
    assert.deepEqual(await codes(), ['email-succeeded-file-stored']);
  });

  test('that no one has an address for are logged as not mailed', async () => {
    const { site, look, set, codes } = await aSavedSite(engine, { method: 'local' });
    await site.set('site', { email: '' });
    await site.app.services.store.write((tx) => tx.updateTable('users').set({ email: '' }).execute());
    await set({ method: 'both' });
    await look();
    assert.deepEqual(await mailsOf(site), []);
    assert.deepEqual(await codes(), ['email-failed-file-stored']);
  });

  test('are not made while the module is off, nor before they are switched on', async () => {
    const { look, set, turn } = await aSavedSite(engine, { method: 'local' });
    await turn('inactive');
    assert.deepEqual(await look(), []);
    await turn('active');
    await set({ enabled: false });
    assert.deepEqual(await look(), []);
    await set({ enabled: true });
    assert.equal((await look()).length, 1);
  });

  test('and logs lie in no folder whose files everybody gets', async () => {
    const { site, admin, folder } = await aSavedSite(engine, { method: 'local' });
    const { media } = site.config;
    assert.ok(media.kind === 'folder');
    for (const [module, name] of [
      ['backup', 'location'],
      ['global', 'log_location'],
    ] as const) {
      const set = (path: string) => admin.patch(`${base}/settings/${module}`, { [name]: path });
      for (const path of [media.path, join(media.path, 'a', 'b')]) {
        const { status, body } = await set(path);
        assert.deepEqual([status, body.code], [400, `secsuite-validator-${module}-invalid-type-${name}-directory`]);
      }
      assert.equal((await set(folder)).status, 200);
    }
  });
});

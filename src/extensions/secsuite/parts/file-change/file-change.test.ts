// Files that changed by themselves are found, told, and told once.
import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AnyStore, Store } from '#store/store.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { root } from '../../../../version.ts';
import type { FileTables } from './tables.ts';

const base = '/api/secsuite/v1';

async function aSiteOfFiles(engine: TestEngine) {
  const [site, suite] = await aGuardedSite(engine);
  const admin = site.as('administrator');
  await site.user({ login: 'boss', email: 'boss@site.test', roles: ['administrator'] });
  const { jobs } = site.app.services;
  const write = (name: string, text: string) => writeFile(join(site.config.data, name), text);
  const set = async (file_list: readonly string[]) => {
    const { status, text } = await admin.patch(`${base}/settings/file-change`, { file_list });
    assert.equal(status, 200, text);
  };
  const turn = (selected: string) => admin.put(`${base}/modules/file-change`, { status: { selected } });
  const scan = async () => {
    await suite.tasks.start('file-change');
    await jobs.settled();
  };
  const logged = async () => {
    await suite.logs.flush();
    const { body } = await admin.get(`${base}/logs?module=file_change&orderby=id&order=asc&per_page=100`);
    return body
      .filter(({ type }: { type: { raw: string } }) => !type.raw.startsWith('process'))
      .map(({ code, id }: { code: { raw: { code: string; data: string[] } }; id: number }) => ({
        said: [code.raw.code, ...code.raw.data].join(' '),
        data: async () => (await admin.get(`${base}/logs/${id}`)).body.data,
      }));
  };
  // The program itself is large, and looked at by nobody in a test.
  await set(['program']);
  return { site, admin, write, set, turn, scan, logged, jobs };
}

eachEngine('Changed files', (engine) => {
  test('are found once they changed, came or went, and told to those who want to know', async () => {
    const { site, write, turn, scan, logged, jobs } = await aSiteOfFiles(engine);
    await write('a.conf', 'one');
    await write('b.conf', 'two');
    assert.equal((await turn('active')).status, 200);
    await jobs.settled();
    assert.deepEqual(await logged(), []);
    await scan();
    await write('a.conf', 'other');
    await rm(join(site.config.data, 'b.conf'));
    await mkdir(join(site.config.data, 'extensions', 'bell'), { recursive: true });
    await write('extensions/bell/extension.ts', 'let it = true;');
    await write('extensions/bell/bell.png', 'picture');
    await symlink('/etc/passwd', join(site.config.data, 'c.conf'));
    await scan();
    await scan();
    const entries = await logged();
    assert.deepEqual(
      entries.map(({ said }: { said: string }) => said),
      ['no-changes-found', 'changes-found 1 1 1', 'no-changes-found'],
    );
    assert.deepEqual(await entries[1].data(), {
      added: ['data/extensions/bell/extension.ts'],
      removed: ['data/b.conf'],
      changed: ['data/a.conf'],
    });
    const letters = (await mailsOf(site)).filter(({ to }) => to === 'boss@site.test');
    assert.deepEqual(
      letters.map(({ text }) => [/Added \(1\)/.test(text), /data\/a\.conf/.test(text)]),
      [[true, true]],
    );
  });

  test('are no news where the suite wrote them itself, and are where somebody changed them after it', async () => {
    const { site, admin, turn, scan, logged, jobs } = await aSiteOfFiles(engine);
    const rules = join(site.config.data, 'nginx.conf');
    const ban = (agent: string) => admin.patch(`${base}/settings/ban-users`, { agent_list: [agent] });
    await turn('active');
    await ban('One');
    await jobs.settled();
    await ban('Two');
    await jobs.settled();
    assert.match(await readFile(rules, 'utf8'), /Two/);
    await scan();
    await appendFile(rules, '# more\n');
    await scan();
    await admin.post(`${base}/tools/server-config-rules`);
    await scan();
    assert.deepEqual(
      (await logged()).map(({ said }: { said: string }) => said),
      ['no-changes-found', 'changes-found 0 0 1', 'no-changes-found'],
    );
    const { body } = await admin.delete(`${base}/settings/file-change`);
    assert.deepEqual(body.expected_hashes, {});
  });

  test('are looked for in the whole program, not in its sources alone', async () => {
    const { site, set, turn, scan, jobs } = await aSiteOfFiles(engine);
    const small = ['package.json', 'bin', 'deployments'];
    const large = (await readdir(root)).filter((name) => !small.includes(name));
    await set(large.map((name) => `program/${name}`));
    await turn('active');
    await jobs.settled();
    await scan();
    const { db } = site.app.services.store as AnyStore as Store<FileTables>;
    const seen = (await db.selectFrom('secsuite_files').select('path').execute()).map(({ path }) => path);
    for (const path of ['program/package.json', 'program/bin/run.js', 'program/deployments/b.json'])
      assert.ok(seen.includes(path), path);
  });

  test('are not looked at where they are left out, nor while the module is off', async () => {
    const { write, set, turn, scan, logged, jobs } = await aSiteOfFiles(engine);
    await write('a.conf', 'one');
    await scan();
    assert.deepEqual(await logged(), []);
    await turn('active');
    await jobs.settled();
    await set(['program', 'a.conf']);
    await write('a.conf', 'other');
    await scan();
    assert.deepEqual(
      (await logged()).map(({ said }: { said: string }) => said),
      ['no-changes-found'],
    );
    await turn('inactive');
    await write('d.conf', 'new');
    await scan();
    assert.equal((await logged()).length, 1);
  });

  test('are not looked for by a scan that waited when the module was switched off', async () => {
    const { admin, turn, jobs } = await aSiteOfFiles(engine);
    await turn('active');
    await turn('inactive');
    const ofKind = await jobs.list({ kind: 'security-suite.errands', most: 10 });
    assert.ok(ofKind.length > 0 && ofKind.every(({ status }) => status !== 'queued'));
    await jobs.settled();
    assert.equal((await admin.get(`${base}/settings/file-change`)).body.file_list[0], 'program');
  });
});

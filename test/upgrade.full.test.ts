// Every version that was released left a database; this program brings each up to date and goes on where that one stopped.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { keyedHash, storedKeys } from '#site/platform/keys.ts';
import type { RateLimitTables } from '#site/platform/rate-limits.ts';
import { testEngine } from '#test/databases.ts';
import { startGatehouse } from '#test/gatehouse.ts';
import { basicOf } from '#test/people.ts';
import { stopped } from '#test/serving.ts';
import { assertUpgraded, copyDatabase, releasedVersions } from '#test/upgrades.ts';
import { aVisitor } from '#test/visitor.ts';
import { tableOwners } from '../src/boot/tables.ts';
import { databases, type Known, make } from './fixtures/make.ts';

type Row = { readonly id: number; readonly email: string };

/** Links by email that older versions kept in tables of their own. Ages are in minutes. */
const sentLinks = [
  {
    title: 'links for forgotten passwords',
    versions: releasedVersions,
    sends: { young: 23 * 60, old: 25 * 60 },
    opens: /type="password"/,
    path: (key: string, login: string) => `/wp-login.php?action=rp&key=${key}&login=${encodeURIComponent(login)}`,
  },
  {
    title: 'unlock links',
    versions: ['0.5.0', '0.6.0'],
    sends: { young: 20, old: 31 },
    opens: /name="key"/,
    path: (key: string) => `/unlock?key=${key}`,
  },
] as const;

interface SentLink {
  readonly user: Row;
  readonly sessions: Buffer;
  readonly key: string;
  readonly at: Date;
}

function insertLink(file: DatabaseSync, title: string, { user: { id, email }, sessions, key, at }: SentLink): void {
  if (title === 'unlock links')
    file
      .prepare('insert into secsuite_unlock_links (hash, user_id, created_at, used) values (?, ?, ?, 0)')
      .run(keyedHash(sessions, `unlock ${key}`), id, at.toISOString());
  else
    file
      .prepare('insert into password_resets (user_id, hash, created_at) values (?, ?, ?)')
      .run(id, keyedHash(sessions, `reset ${id} ${email} ${key}`), at.toISOString());
}

describe('A database of', () => {
  const engine = testEngine('sqlite');
  const made = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  let ours: Known;
  before(async () => {
    ours = await make(made);
  });
  after(() => rmSync(made, { recursive: true }));

  test('this version is made as those of released versions are, and taken', async () => {
    const { data } = await engine.place();
    await assertUpgraded(copyDatabase(made, ours.version, data), data);
  });

  for (const version of releasedVersions.slice(0, -1))
    test(`version ${version} is brought up to date`, async () => {
      const { data } = await engine.place();
      await assertUpgraded(copyDatabase(databases, version, data), data);
    });

  for (const { title, versions, sends, opens, path } of sentLinks)
    for (const version of versions)
      test(`version ${version} keeps ${title} that were sent before the update`, async () => {
        const first = await engine.place();
        const known = copyDatabase(databases, version, first.data);
        const { sessions } = await storedKeys(await engine.store(tableOwners(), first), known.secret);
        const { data } = await engine.place();
        copyDatabase(databases, version, data);
        const { login } = known.people[0]!;
        const file = new DatabaseSync(join(data, 'gatehouse.db'));
        const user = file.prepare('select id, email from users where login = ?').get(login) as Row;
        for (const [key, age] of Object.entries(sends))
          insertLink(file, title, { user, sessions: sessions!, key, at: new Date(Date.now() - age * 60_000) });
        file.close();
        const site = startGatehouse(['serve', '--port', '0', '--data', data], { GATEHOUSE_SECRET: known.secret });
        try {
          const port = /Listening\s+127\.0\.0\.1:(\d+)/.exec(await site.until(/Deployment .*\n/))?.[1];
          const visitor = aVisitor({ origin: `http://127.0.0.1:${port}` });
          const page = async (key: string) => {
            const { to, text } = await visitor.get(path(key, login));
            return to === null ? text : (await visitor.get(to)).text;
          };
          assert.match(await page('young'), opens);
          assert.doesNotMatch(await page('old'), opens);
        } finally {
          await stopped(site);
        }
      });

  for (const version of ['0.5.0', '0.6.0'])
    test(`version ${version} keeps what it counted, by the day and towards limits`, async () => {
      const place = await engine.place();
      const { data } = place;
      const known = copyDatabase(databases, version, data);
      const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
      const file = new DatabaseSync(join(data, 'gatehouse.db'));
      file.exec(`
        insert into secsuite_lockout_days values ('${day}T00:00:00.000Z', '203.0.113.7', 4);
        insert into secsuite_log_kinds (id, module, head, type) values (1, 'lockout', 'old', 'action');
        insert into secsuite_log_totals values ('${day}', 1, 0, 3);
        insert into mail_counts values ('ada@site.test', '2199-11-22T10:00:00.000Z', 7);
        insert into hub_heard values (1, 'signature a', '2199-11-22T10:01:00.000Z'),
          (1, 'key a', '2199-11-22T10:01:00.000Z'), (1, 'signature b', '2199-11-22T10:02:00.000Z');`);
      for (const id of [1, 2, 3])
        file.exec(`
          insert into secsuite_logs values (${id}, 1, 0, 1, '${day}T10:00:00.000Z', '', '', 'old', 'lockout', 'action',
            '${day}T10:00:00.000Z');
          insert into secsuite_logs_data values (${id}, 0, 0, 0, 'null');`);
      file.close();
      const site = startGatehouse(['serve', '--port', '0', '--data', data], { GATEHOUSE_SECRET: known.secret });
      try {
        const port = /Listening\s+127\.0\.0\.1:(\d+)/.exec(await site.until(/Deployment .*\n/))?.[1];
        const { login, applicationPassword } = known.people[0]!;
        const headers = { authorization: basicOf(login, applicationPassword) };
        const ask = (path: string) => fetch(`http://127.0.0.1:${port}/api/secsuite/${path}`, { headers });
        const blocked = await (await ask('rpc/lockout-stats/top-blocked-ips?period=week')).json();
        assert.deepEqual(blocked, [{ ip: '203.0.113.7', count: 4 }]);
        const listed = await ask('v1/logs?module=lockout&per_page=2');
        assert.equal(listed.headers.get('x-wp-total'), '3');
      } finally {
        await stopped(site);
      }
      const { db } = await engine.store(tableOwners(), place);
      const limits = (db as Kysely<RateLimitTables>).selectFrom('rate_limits').selectAll().orderBy('subject');
      assert.deepEqual(
        (await limits.execute()).map((row) => ({ ...row })),
        [
          { subject: 'hub 1', used: 2, until: '2199-11-22T10:02:00.000Z' },
          { subject: 'mail ada@site.test', used: 7, until: '2199-11-22T11:00:00.000Z' },
        ],
      );
    });
});

// Every version that was released left a database; this program brings each up to date and goes on where that one stopped.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Kysely } from 'kysely';
import { keyedHash, storedKeys } from '#site/platform/keys.ts';
import type { RateLimitTables } from '#site/platform/rate-limits.ts';
import { releases } from '#site/tables.ts';
import { allMigrations } from '#store/migrate.ts';
import { testEngine } from '#test/databases.ts';
import { gatehouse, startGatehouse } from '#test/gatehouse.ts';
import { lettersIn } from '#test/letters.ts';
import { basicOf } from '#test/people.ts';
import { stopped } from '#test/serving.ts';
import { aVisitor } from '#test/visitor.ts';
import { tableOwners } from '../src/boot/tables.ts';
import type { Expected } from './fixtures/content.ts';
import { databases, type Known, make } from './fixtures/make.ts';

type Row = { readonly id: number; readonly email: string };

const released = existsSync(databases) ? readdirSync(databases).filter((name) => name.endsWith('.json')) : [];

/** A copy of the database in a data folder of its own. */
function copyOf(folder: string, version: string, data: string): Known {
  writeFileSync(join(data, 'gatehouse.db'), gunzipSync(readFileSync(join(folder, `${version}.db.gz`))), {
    mode: 0o600,
  });
  return JSON.parse(readFileSync(join(folder, `${version}.json`), 'utf8'));
}

async function holds(known: Known, data: string, origin: string): Promise<void> {
  const index = await (await fetch(`${origin}/api/`)).json();
  assert.equal((index as { name: string }).name, known.title);
  for (const { login, password, applicationPassword } of known.people) {
    assert.equal((await aVisitor({ origin }).signIn(login, password)).status, 302, login);
    const headers = { authorization: basicOf(login, applicationPassword) };
    assert.equal((await fetch(`${origin}/api/core/v2/users/me`, { headers })).status, 200, login);
  }
  for (const expected of known.content ?? []) await lists(expected, known, origin);
  for (let n = 0; n < 4_000 && lettersIn(data).length === 0; n += 1) await pause(50);
  assert.deepEqual(
    lettersIn(data).map((letter) => letter.subject),
    [known.subject],
  );
}

/** What was kept is shown, found and counted. */
async function lists({ path, total, as }: Expected, { people }: Known, origin: string): Promise<void> {
  const person = people.find(({ login }) => login === as);
  const headers = person && { authorization: basicOf(person.login, person.applicationPassword) };
  const answer = await fetch(`${origin}/api/core/v2/${path}`, headers && { headers });
  const body = await answer.text();
  assert.deepEqual([answer.status, answer.headers.get('x-wp-total')], [200, String(total)], `${path}: ${body}`);
  assert.equal(JSON.parse(body).length, total, path);
}

/** Started with this program: who was known can sign in, and what waited is done. */
async function upgraded(known: Known, data: string): Promise<void> {
  const env = { GATEHOUSE_SECRET: known.secret };
  const site = startGatehouse(['serve', '--port', '0', '--data', data], env);
  try {
    const said = await site.until(/Deployment .*\n/);
    const port = /Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    await holds(known, data, `http://127.0.0.1:${port}`);
  } finally {
    await stopped(site);
  }
  const { out } = await gatehouse(['doctor', '--json', '--port', '0', '--data', data], env);
  const { findings } = JSON.parse(out) as { findings: { what: string; state: string; finding: string }[] };
  const states = new Map(findings.map(({ what, state }) => [what, state]));
  assert.deepEqual([states.get('Database'), states.get('Keys')], ['ok', 'ok'], out);
}

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

function migrationsIn(version: string): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  copyOf(databases, version, folder);
  const file = new DatabaseSync(join(folder, 'gatehouse.db'), { readOnly: true });
  const rows = file.prepare('select owner, name from migrations').all();
  file.close();
  rmSync(folder, { recursive: true });
  return new Set(rows.map(({ owner, name }) => `${owner}/${name}`));
}

async function refusalOf(command: string, data: string, { secret }: Known): Promise<string> {
  const more = command === 'backup' ? [join(data, 'a.tar')] : ['--port', '0'];
  const { code, out, err } = await gatehouse([command, ...more, '--data', data], { GATEHOUSE_SECRET: secret });
  assert.notEqual(code, 0, command);
  return out + err;
}

/** Links by email that older versions kept in tables of their own. Ages are in minutes. */
const sentLinks = [
  {
    title: 'links for forgotten passwords',
    versions: released.map((name) => name.replace(/\.json$/, '')),
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
    await upgraded(copyOf(made, ours.version, data), data);
  });

  for (const name of released) {
    const version = name.replace(/\.json$/, '');
    test(`version ${version} is brought up to date`, async () => {
      const { data } = await engine.place();
      await upgraded(copyOf(databases, version, data), data);
    });
  }

  test('a version that this program does not know is refused, whatever is new in it', async () => {
    const { data } = await engine.place();
    copyOf(made, ours.version, data);
    const file = new DatabaseSync(join(data, 'gatehouse.db'));
    file.exec("insert into migrations values ('release', '999.0.0', '2099-01-01T00:00:00.000Z')");
    file.close();
    for (const command of ['serve', 'doctor', 'backup'])
      assert.match(
        await refusalOf(command, data, ours),
        /written by a newer version \(it has release\/999\.0\.0\)/,
        command,
      );
  });

  for (const { title, versions, sends, opens, path } of sentLinks)
    for (const version of versions)
      test(`version ${version} keeps ${title} that were sent before the update`, async () => {
        const first = await engine.place();
        const known = copyOf(databases, version, first.data);
        const { sessions } = await storedKeys(await engine.store(tableOwners(), first), known.secret);
        const { data } = await engine.place();
        copyOf(databases, version, data);
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
      const known = copyOf(databases, version, data);
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

  test('the last release lacks nothing that no later release is named for', () => {
    const last = released
      .map((name) => name.replace(/\.json$/, ''))
      .sort(byVersion)
      .at(-1)!;
    const known = migrationsIn(last);
    const lacking = allMigrations(tableOwners()).filter(({ owner, name }) => !known.has(`${owner}/${name}`));
    if (lacking.length > 0)
      assert.ok(
        lacking.some(({ owner }) => owner === releases.owner),
        JSON.stringify(lacking),
      );
  });
});

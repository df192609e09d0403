// Every version that was released left a database; this program brings each up to date and goes on where that one stopped.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { testEngine } from '#test/databases.ts';
import { gatehouse, startGatehouse } from '#test/gatehouse.ts';
import { lettersIn } from '#test/letters.ts';
import { basicOf } from '#test/people.ts';
import { stopped } from '#test/serving.ts';
import { aVisitor } from '#test/visitor.ts';
import type { Expected } from './fixtures/content.ts';
import { databases, type Known, make } from './fixtures/make.ts';

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
  for (let n = 0; n < 200 && lettersIn(data).length === 0; n += 1) await pause(50);
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
});

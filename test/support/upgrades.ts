// Databases that released versions left, and what must be true of one once this program has served it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Expected } from '../fixtures/content.ts';
import { databases, type Known } from '../fixtures/make.ts';
import { gatehouse, startGatehouse } from './gatehouse.ts';
import { lettersIn } from './letters.ts';
import { basicOf } from './people.ts';
import { stopped } from './serving.ts';
import { soon } from './soon.ts';
import { aVisitor } from './visitor.ts';

/** Versions whose databases are kept, oldest first. */
export const releasedVersions: readonly string[] = readdirSync(databases)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''))
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

/** Copies the database of a version into a data folder, and answers what is known of it. */
export function copyDatabase(folder: string, version: string, data: string): Known {
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
  await soon(
    async () =>
      lettersIn(data)
        .map(({ subject }) => subject)
        .join(),
    known.subject,
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

/** Serves the data with this program: known people can sign in, content is there, and what waited is done. */
export async function assertUpgraded(known: Known, data: string): Promise<void> {
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

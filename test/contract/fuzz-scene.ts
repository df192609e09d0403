// A site that hostile requests are sent to: who asks, what an answer may not hold, and what a refused request may not leave behind.
import assert from 'node:assert/strict';
import { type Actors, actorsOf } from '#test/actors.ts';
import { ask, type Told } from '#test/ask.ts';
import type { AskedAs, Paths } from '#test/asking.ts';
import type { TestEngine } from '#test/databases.ts';
import type { TestSite } from '#test/site.ts';
import { type Traces, tracesOf } from './traces.ts';

/** Failures that a client may be told of, by their codes: most are of the world outside, which is not there. */
const named: Readonly<Record<number, RegExp>> = {
  500: /^secsuite\.tool\.identify-server-ips\.(?:failed|no-ips)$/,
  501: /^rest_trash_not_supported$/,
  502: /^secsuite\.discover\.cannot-connect$/,
};
const insides =
  /SQLITE_|\bselect .* from |insert into|node_modules|\bat [\w.<>]+ \(|\.ts:\d|\/(?:work|tmp|home|root|usr)\/|\bERR_[A-Z]|\bpg_[a-z]+\b|hello_greetings" /i;
/** Hashes of passwords, keyed hashes, wrapped keys. */
const secret = /\$(?:argon2|2[abxy]\$|P\$)|\b[0-9a-f]{64}\b|\bv1(?:\.[\w-]{16,}){3}/;
const avatar = /\/avatar\/[0-9a-f]{64}/g;

export function assertKept(status: number, body: unknown): void {
  const { code, message, data } = (body ?? {}) as { code?: unknown; message?: unknown; data?: { status?: unknown } };
  if (status >= 500) assert.match(String(code), named[status] ?? /^no such failure is known$/);
  if (status < 400) return;
  assert.equal(typeof code, 'string');
  assert.equal(typeof message, 'string');
  assert.notEqual(message, '');
  assert.equal(data?.status, status);
}

/** The status that counts: an envelope wears its own. */
export function inspect({ status, headers, text }: Told): number {
  assert.doesNotMatch(text.replaceAll(/"; DROP TABLE hello_greetings/g, ''), insides);
  assert.doesNotMatch(text.replaceAll(avatar, ''), secret);
  if (!headers.get('content-type')?.startsWith('application/json') || text === '') {
    assert.ok(status < 400 || text === '', 'a refusal is JSON');
    return status;
  }
  const body = JSON.parse(text);
  assertKept(status, body);
  const inner = typeof body?.status === 'number' && 'headers' in body && 'body' in body ? body : undefined;
  if (inner === undefined) return status;
  assertKept(inner.status, inner.body);
  return inner.status;
}

/** Routes that count refused attempts of signing in, and write them down. */
const countsRefusals = /^\/secsuite\/rpc\/webauthn\/verify-credential/;

/** A site, who asks it, and what they leave behind. */
export interface Scene {
  readonly site: TestSite;
  readonly actors: Actors;
  readonly traces: Traces;
}

export async function sceneOf(engine: TestEngine, site: TestSite): Promise<Scene> {
  const scene = { site, actors: actorsOf(site), traces: await tracesOf(engine, site) };
  await seedRecords(scene);
  return scene;
}

/** What an accepted request brings about comes a moment after its answer; where nothing was written, no job was added. */
async function isSettled({ site, traces }: Scene): Promise<boolean> {
  const { events, jobs } = site.app.services;
  await events.settled();
  if (!(await traces.isWritten())) return false;
  await jobs.settled();
  return true;
}

/** One record in each collection, so that there is something to read and to spoil; number 1 when there was none before. */
export async function seedRecords(scene: Scene): Promise<void> {
  const { site, actors, traces } = scene;
  const headers = await actors.credentials('administrator');
  await site.post('/api/hello/v1/greetings', { text: 'Hello', note: 'a secret' }, headers);
  await isSettled(scene);
  await traces.begin();
}

/** As who is meant to ask, whatever earlier requests took from them. */
export async function asked({ site, actors }: Scene, one: AskedAs): Promise<Told> {
  const got = await ask(site.port, { ...one, headers: { ...one.headers, ...(await actors.credentials(one.role)) } });
  for (const known of actors.secrets) assert.ok(!got.text.includes(known), 'an answer holds a secret');
  // Those who say where files are to be written read where that is.
  return one.role === 'administrator' ? { ...got, text: got.text.replaceAll(site.config.data, '') } : got;
}

/** There is always something at this path to spoil. */
export async function holdAttempt(scene: Scene, pattern: string, request: (there: Paths) => AskedAs): Promise<void> {
  const { actors, traces } = scene;
  const { made } = actors;
  const one = request(await actors.recordAt(pattern));
  await actors.credentials(one.role);
  if (actors.made !== made) {
    await isSettled(scene);
    await traces.begin();
  }
  const got = await asked(scene, one);
  try {
    const status = inspect(got);
    if (!(await isSettled(scene))) return;
    const isCounted = status >= 400 && countsRefusals.test(pattern);
    const changed = status < 400 || isCounted ? '' : await traces.changed();
    await traces.begin();
    assert.equal(changed, '', 'a refused request leaves no trace');
  } catch (error) {
    const told = `${one.method} ${one.path.slice(0, 500)} ${String(one.body).slice(0, 500)}\n→ ${got.status} ${got.text.slice(0, 500)}`;
    throw new Error(`${(error as Error).message}\n${told}`, { cause: error });
  }
}

// Whatever a client makes of what the index says: no answer is a failure of ours, none tells of our insides, and a
// refused write leaves no trace. Bounded and the same in every run; GATEHOUSE_FUZZ=<runs>[:<seed>] looks further.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Schema } from '#kernel/schema.ts';
import { type Actors, actorsOf } from '#test/actors.ts';
import { ask, type Told } from '#test/ask.ts';
import {
  type AskedAs,
  type Attempt,
  attempts,
  type Paths,
  percent,
  requestFor,
  roles,
  shortest,
} from '#test/asking.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { nastyJson, nastyText, worst } from '#test/nasty.ts';
import { sampleOf, samplePath } from '#test/sample.ts';
import type { TestSite } from '#test/site.ts';
import { type Traces, tracesOf } from './traces.ts';

const [numRuns = 25, seed = 20_261_121] = (process.env.GATEHOUSE_FUZZ ?? '').split(':').filter(Boolean).map(Number);

/** Routes that fail on purpose, or as the request tells them to. */
const failing = /^\/probe\/v1\/(?:crash|away|full|elsewhere|broken|enveloped|long|long-list)$/;

interface Endpoint {
  readonly methods: readonly string[];
  readonly args: Record<string, Schema> | [];
}

/** Failures that a client may be told of, by their codes: most are of the world outside, which is not there. */
const named: Readonly<Record<number, RegExp>> = {
  500: /^secsuite\.tool\.identify-server-ips\.(?:failed|no-ips)$/,
  501: /^rest_trash_not_supported$/,
  502: /^secsuite\.discover\.cannot-connect$/,
};
const insides =
  /SQLITE_|\bselect .* from |insert into|node_modules|\bat [\w.<>]+ \(|\.ts:\d|\/(?:work|tmp|home|root|usr)\/|\bERR_[A-Z]|pg_|hello_greetings" /i;
/** Hashes of passwords, keyed hashes, wrapped keys. */
const secret = /\$(?:argon2|2[abxy]\$|P\$)|\b[0-9a-f]{64}\b|\bv1(?:\.[\w-]{16,}){3}/;
const avatar = /\/avatar\/[0-9a-f]{64}/g;

function assertKept(status: number, body: unknown): void {
  const { code, message, data } = (body ?? {}) as { code?: unknown; message?: unknown; data?: { status?: unknown } };
  if (status >= 500) assert.match(String(code), named[status] ?? /^no such failure is known$/);
  if (status < 400) return;
  assert.equal(typeof code, 'string');
  assert.equal(typeof message, 'string');
  assert.notEqual(message, '');
  assert.equal(data?.status, status);
}

/** The status that counts: an envelope wears its own. */
function inspect({ status, headers, text }: Told): number {
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

/** A site, who asks it, and what they leave behind. */
interface Scene {
  readonly site: TestSite;
  readonly actors: Actors;
  readonly traces: Traces;
}

async function sceneOf(engine: TestEngine, site: TestSite): Promise<Scene> {
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
async function seedRecords(scene: Scene): Promise<void> {
  const { site, actors, traces } = scene;
  const headers = await actors.credentials('administrator');
  await site.post('/api/hello/v1/greetings', { text: 'Hello', note: 'a secret' }, headers);
  await isSettled(scene);
  await traces.begin();
}

/** As who is meant to ask, whatever earlier requests took from them. */
async function asked({ site, actors }: Scene, one: AskedAs): Promise<Told> {
  const got = await ask(site.port, { ...one, headers: { ...one.headers, ...(await actors.credentials(one.role)) } });
  for (const known of actors.secrets) assert.ok(!got.text.includes(known), 'an answer holds a secret');
  // Those who say where files are to be written read where that is.
  return one.role === 'administrator' ? { ...got, text: got.text.replaceAll(site.config.data, '') } : got;
}

/** There is always something at this path to spoil. */
async function holdAttempt(scene: Scene, pattern: string, request: (there: Paths) => AskedAs): Promise<void> {
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
    const changed = status < 400 ? '' : await traces.changed();
    await traces.begin();
    assert.equal(changed, '', 'a refused request leaves no trace');
  } catch (error) {
    const told = `${one.method} ${one.path.slice(0, 500)} ${String(one.body).slice(0, 500)}\n→ ${got.status} ${got.text.slice(0, 500)}`;
    throw new Error(`${(error as Error).message}\n${told}`, { cause: error });
  }
}

const check = <T>(arbitrary: fc.Arbitrary<T>, hold: (value: T) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(arbitrary, hold), { numRuns, seed, endOnFailure: false });

/** Of what is made by the dozen, one is made, and small: here it is asked how arguments are taken. */
const little = { quantity: 1, width: 60, height: 40 };

/** Each argument with each of the worst values, the others as they should be; as JSON, which says all of them exactly. */
function* worstOf(args: Record<string, Schema>): Generator<Attempt> {
  const needed = Object.entries(args).filter(([, { required }]) => required === true);
  const few = Object.entries(little).filter(([name]) => 'quantity' in args && name in args);
  const fine = Object.fromEntries([...few, ...needed.map(([name, schema]) => [name, sampleOf(name, schema)])]);
  const rest = {
    extra: {},
    reserved: {},
    place: 'json',
    whole: 1,
    document: null,
    role: 'administrator',
    id: undefined,
  } as const;
  for (const name of Object.keys(args)) {
    for (const value of worst) yield { ...rest, args: { ...fine, [name]: value } };
  }
}

const batches = (patterns: readonly string[]) =>
  fc.record({
    validation: fc.oneof(fc.constantFrom('normal', 'require-all-validate'), nastyJson),
    requests: fc.array(fc.oneof({ weight: 4, arbitrary: entry(patterns) }, { weight: 1, arbitrary: nastyJson }), {
      maxLength: 6,
    }),
  });

const entry = (patterns: readonly string[]) =>
  fc.record(
    {
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE') },
        { weight: 1, arbitrary: nastyJson },
      ),
      path: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...patterns.map((pattern) => samplePath(pattern))) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            '//',
            '/?',
            '/#',
            '/batch/v1',
            `/hello/v1/greetings?_fields=${'a.'.repeat(50_000)}`,
            `/${'a/'.repeat(50_000)}`,
          ),
        },
        { weight: 1, arbitrary: nastyText },
      ),
      body: fc.oneof(
        { weight: 2, arbitrary: fc.constant({ text: 'in a batch' }) },
        { weight: 1, arbitrary: nastyJson },
      ),
      headers: fc.oneof(
        { weight: 2, arbitrary: fc.dictionary(nastyText, nastyText, { maxKeys: 2 }) },
        { weight: 1, arbitrary: nastyJson },
      ),
    },
    { requiredKeys: ['path'] },
  );

/** The routes of what people write: there are many of them, and each takes long. */
export const writtenAs =
  (base: string) =>
  (pattern: string): boolean =>
    pattern.split('/')[3] === base;

export const isOfCore = (pattern: string): boolean => pattern.startsWith('/core/');

export const written = ['posts', 'pages', 'blocks', 'navigation'] as const;

type Start = (engine: TestEngine) => Promise<TestSite>;

/** Of a site, the routes that are meant; and what is asked of a site as a whole. */
export function hostileArguments(
  about: string,
  start: Start,
  isAsked: (pattern: string) => boolean = () => true,
): void {
  eachEngine(`Hostile arguments: ${about}`, async (engine) => {
    const site = await start(engine);
    const scene = await sceneOf(engine, site);
    const index = await site.get('/api/');
    const routes = Object.entries(index.body.routes as Record<string, { endpoints: Endpoint[] }>).filter(
      ([pattern]) => isAsked(pattern) && !failing.test(pattern),
    );
    for (const [pattern, { endpoints }] of routes) {
      for (const { methods, args } of endpoints) {
        for (const method of methods) {
          test(`${method} ${pattern}`, () =>
            check(attempts(Array.isArray(args) ? {} : args), (attempt) =>
              holdAttempt(scene, pattern, (there) => requestFor(method, pattern, attempt, there)),
            ));
        }

        test(`${methods[0]} ${pattern}: each argument at its worst`, async () => {
          await seedRecords(scene);
          for (const attempt of worstOf(Array.isArray(args) ? {} : args))
            await holdAttempt(scene, pattern, (there) => requestFor(methods[0]!, pattern, attempt, there));
        });
      }
    }

    test('a form of parts, cut off after every few bytes', async () => {
      const rest = { extra: {}, reserved: {}, document: null, role: 'administrator', id: undefined } as const;
      const path = '/hello/v1/greetings';
      const args = { text: 'in parts', mood: 'calm', 'a[b][]': 'c' };
      for (let whole = 0; whole < 1; whole += 0.01) {
        const attempt = { ...rest, args, place: 'multipart', whole } as const;
        await holdAttempt(scene, path, () => requestFor('POST', path, attempt));
      }
    });

    test('batches of anything', async () => {
      const patterns = routes.map(([pattern]) => pattern);
      await check(fc.record({ batch: batches(patterns), role: fc.constantFrom(...roles) }), async ({ batch, role }) => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify(batch);
        const got = await asked(scene, { role, method: 'POST', path: '/api/batch/v1', headers, body });
        const status = inspect(got);
        assert.ok(status === 207 || status === 400, `${status}`);
        if (status !== 207) return;
        for (const one of JSON.parse(got.text).responses.filter((one: unknown) => one !== null))
          assertKept(one.status, one.body);
      });
    });

    test('addresses of anything', async () => {
      const address = fc.record({
        path: fc.array(nastyText, { maxLength: 4 }),
        raw: fc.string({ maxLength: 30 }),
        root: fc.constantFrom('/api', '/wp-json', '/api/hello/v1', '/?rest_route='),
      });
      await check(address, async ({ path, raw, root }) => {
        const loose = raw.replace(/[^!-~]/g, '');
        const where = shortest(`${root}/${path.map(percent).join('/')}${loose}`);
        const got = await ask(site.port, { method: 'GET', path: where, headers: {} });
        assert.ok(inspect(got) < 500);
      });
    });

    test('nothing failed for a reason nobody foresaw', () => {
      assert.deepEqual(
        site.log.lines.filter(({ level }) => level === 'error'),
        [],
      );
    });
  });
}

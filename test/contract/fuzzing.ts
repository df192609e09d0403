// Whatever a client makes of what the index says: no answer is a failure of ours, none tells of our insides, and a
// refused write leaves no trace. Bounded and the same in every run; GATEHOUSE_FUZZ=<runs>[:<seed>] looks further.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { Schema } from '#kernel/schema.ts';
import type { Group } from '#kernel/table.ts';
import type { EngineName } from '#store/engine.ts';
import { ask } from '#test/ask.ts';
import { type Attempt, attempts, percent, requestFor, roles, shortest } from '#test/asking.ts';
import { onEngine } from '#test/databases.ts';
import { nastyText } from '#test/nasty.ts';
import { aSite, routesWithoutSite, type SiteOptions, type TestSite } from '#test/site.ts';
import { titleOf } from './access-matrix.ts';
import { batches, type Check, checkOf, worstOf } from './fuzz-attempts.ts';
import { asked, assertKept, holdAttempt, inspect, type Scene, sceneOf, seedRecords } from './fuzz-scene.ts';

/** Routes that fail on purpose, or as the request tells them to. */
const failing = /^\/probe\/v1\/(?:crash|away|full|elsewhere|broken|enveloped|long|long-list)$/;

interface Endpoint {
  readonly methods: readonly string[];
  readonly args: Record<string, Schema> | [];
}

/** How far the routes of a site are tried. */
export interface Hostile {
  readonly site: SiteOptions;
  /** Brings about what the routes need. */
  readonly prepare?: (site: TestSite) => Promise<unknown>;
  /** All routes, without it. */
  readonly isAsked?: (pattern: string) => boolean;
  /** How many requests are made up for each method of a route. */
  readonly runs: number;
  /** Whether each argument is also tried with each of the worst values. */
  readonly isAtWorst?: boolean;
  /** Whether it is also asked what no single route answers: forms, batches, addresses. It takes a site with `examples/hello`. */
  readonly isWhole?: boolean;
}

interface IndexRoute {
  readonly namespace: string;
  readonly endpoints: Endpoint[];
}

/** One test a namespace, which names every method of a route that an attempt made fail. */
export function hostileArguments(name: EngineName, about: string, hostile: Hostile): void {
  const { site: options, prepare, isAsked = () => true, runs, isAtWorst = false, isWhole = false } = hostile;
  const isMeant = (pattern: string): boolean => isAsked(pattern) && !failing.test(pattern);
  const inIndex = ({ pattern, entries }: Group): boolean =>
    isMeant(pattern.text) && entries.some(({ route }) => !route.hidden);
  const namespaces = new Set(
    routesWithoutSite(options)
      .filter(inIndex)
      .map(({ namespace }) => namespace),
  );
  const check = checkOf(runs);
  onEngine(name, `Hostile arguments: ${about}`, (engine) => {
    let site: TestSite;
    let scene: Scene;
    let routes: [pattern: string, route: IndexRoute][];

    before(async () => {
      site = await aSite(engine, options);
      await prepare?.(site);
      scene = await sceneOf(engine, site);
      const { body } = await site.get('/api/');
      routes = Object.entries(body.routes as Record<string, IndexRoute>).filter(([pattern]) => isMeant(pattern));
    });

    for (const namespace of namespaces)
      test(titleOf(namespace), async () => {
        const wrong: string[] = [];
        for (const [pattern, { endpoints }] of routes.filter(([, route]) => route.namespace === namespace))
          for (const endpoint of endpoints) wrong.push(...(await wrongAt(scene, check, isAtWorst, pattern, endpoint)));
        assert.deepEqual(wrong, []);
      });

    test('no route of the index was left out', () => {
      const left = routes.filter(([, { namespace }]) => !namespaces.has(namespace));
      assert.deepEqual([left, routes.length > 0], [[], true]);
    });

    if (isWhole) {
      test('a form of parts, cut off after every few bytes', () => holdCutForms(scene));
      test('batches of anything', () => holdBatches(scene, check, () => routes.map(([pattern]) => pattern)));
      test('addresses of anything', () => holdAddresses(scene, check));
    }

    test('nothing failed for a reason nobody foresaw', () => {
      assert.deepEqual(
        site.log.lines.filter(({ level }) => level === 'error'),
        [],
      );
    });
  });
}

/** What went wrong with the methods of one route, and with its arguments at their worst. */
async function wrongAt(
  scene: Scene,
  check: Check,
  isAtWorst: boolean,
  pattern: string,
  { methods, args }: Endpoint,
): Promise<string[]> {
  const wrong: string[] = [];
  const hold = async (what: string, tries: () => Promise<void>): Promise<void> => {
    await tries().catch((error: Error) => void wrong.push(`${what}: ${error.message}`));
  };
  const declared = Array.isArray(args) ? {} : args;
  const tried = (method: string, attempt: Attempt): Promise<void> =>
    holdAttempt(scene, pattern, (there) => requestFor(method, pattern, attempt, there));
  for (const method of methods)
    await hold(`${method} ${pattern}`, () => check(attempts(declared), (attempt) => tried(method, attempt)));
  if (isAtWorst)
    await hold(`${methods[0]} ${pattern}, each argument at its worst`, async () => {
      await seedRecords(scene);
      for (const attempt of worstOf(declared)) await tried(methods[0]!, attempt);
    });
  return wrong;
}

async function holdCutForms(scene: Scene): Promise<void> {
  const rest = { extra: {}, reserved: {}, document: null, role: 'administrator', id: undefined } as const;
  const path = '/hello/v1/greetings';
  const args = { text: 'in parts', mood: 'calm', 'a[b][]': 'c' };
  for (let whole = 0; whole < 1; whole += 0.01) {
    const attempt = { ...rest, args, place: 'multipart', whole } as const;
    await holdAttempt(scene, path, () => requestFor('POST', path, attempt));
  }
}

async function holdBatches(scene: Scene, check: Check, patterns: () => readonly string[]): Promise<void> {
  const batch = fc.record({ batch: batches(patterns()), role: fc.constantFrom(...roles) });
  await check(batch, async ({ batch, role }) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(batch);
    const got = await asked(scene, { role, method: 'POST', path: '/api/batch/v1', headers, body });
    const status = inspect(got);
    assert.ok(status === 207 || status === 400, `${status}`);
    if (status !== 207) return;
    for (const one of JSON.parse(got.text).responses.filter((one: unknown) => one !== null))
      assertKept(one.status, one.body);
  });
}

async function holdAddresses({ site }: Scene, check: Check): Promise<void> {
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
}

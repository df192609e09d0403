// The access matrix: what each route says of each role before it is asked is what happens when it is asked.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Prospect, prospectOf } from '#kernel/matrix.ts';
import type { Method } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Entry, Group } from '#kernel/table.ts';
import type { EngineName } from '#store/engine.ts';
import { onEngine, type TestEngine, testEngine } from '#test/databases.ts';
import { samplePath } from '#test/sample.ts';
import type { Answer, Client, TestSite } from '#test/site.ts';
import { argsOf, nobody, send } from './arranged.ts';
import { attempts, somethingAt } from './attempts.ts';

/** These fail on purpose, before permission is asked or while it is. */
const failing = new Set(['crash', 'away', 'full', 'elsewhere', 'broken'].map((name) => `/probe/v1/${name}`));

const methodsOf = ({ route }: Entry): readonly Method[] => route.methods;
/** Open to everybody, so that clients read it in `Allow`; it then tells nobody in particular that they are not signed in. */
const tellsNobody = new Set(['GET /core/v2/users/me']);

/** What is told where the world outside is asked, which is not there. */
const outside = new Set(['secsuite.discover.cannot-connect']);

/** Whose verdict hangs on an argument or a record that no sample comes upon: the one category that stays, what another method runs. */
const oneWay = new Set([
  '/probe/v1/enveloped',
  '/core/v2/categories/(?P<id>[\\d]+)',
  '/core-abilities/v1/abilities/(?P<name>[a-zA-Z0-9\\-\\/]+?)/run',
]);

const asked = (site: TestSite, role: string): Client => (role === nobody ? site : site.as(role));
const callerOf = (site: TestSite, role: string) => site.caller(role === nobody ? undefined : role);

const isRefusal = ({ status }: Answer): boolean => status === 401 || status === 403;
const allows = ({ headers }: Answer, method: Method): boolean =>
  (headers.get('allow') ?? '').split(', ').includes(method);

/** What was said beforehand against what happened: returns whether it was allowed. */
function judge(prospect: Prospect, method: Method, role: string, answer: Answer): boolean {
  const shown = `${answer.status} ${answer.text.slice(0, 300)}`;
  assert.ok(answer.status < 500 || outside.has(answer.body?.code), shown);
  assert.notEqual(answer.body?.code, 'rest_missing_callback_param', shown);
  assert.notEqual(answer.body?.code, 'rest_invalid_param', shown);
  const refused = isRefusal(answer);
  if (prospect === 'yes') assert.ok(!refused, shown);
  if (prospect === 'no') assert.ok(refused, shown);
  if (refused && prospect !== 'key') assert.equal(answer.status, role === nobody ? 401 : 403, shown);
  // What is gone is asked about no more, what failed says nothing of it, and an ability is run by the one method that is its own.
  const isGone = [404, 405, 502].includes(answer.status) || (method === 'DELETE' && answer.status === 200);
  if (!isGone) assert.equal(allows(answer, method), !refused, `Allow: ${answer.headers.get('allow')}`);
  return !refused;
}

function holdRoute(site: TestSite, roles: readonly string[], group: Group, entry: Entry, method: Method): void {
  test(`${method} ${group.pattern.text}`, async () => {
    const verdicts = new Set<boolean>();
    const asking = tellsNobody.has(`${method} ${group.pattern.text}`) ? await toldNobody(site, group, roles) : roles;
    for (const role of asking) {
      const prospect = prospectOf(entry.route, await callerOf(site, role));
      for (const attempt of await attempts(site, group, entry, role)) {
        const answer = await send(group, entry, method, attempt);
        const allowed = judged(
          () => judge(prospect, method, role, answer),
          `${role}, ${attempt.about}: said ${prospect}`,
        );
        if (prospect === 'depends') verdicts.add(allowed);
      }
    }
    if (verdicts.size > 0 && !oneWay.has(group.pattern.text))
      assert.deepEqual([...verdicts].sort(), [false, true], 'what depends goes both ways');
  });
}

/** The roles that are left to ask. */
async function toldNobody(site: TestSite, group: Group, roles: readonly string[]): Promise<readonly string[]> {
  const { status, body, headers } = await site.get(`/api${group.pattern.text}`);
  assert.deepEqual([status, body.code, headers.get('allow')], [401, 'rest_not_logged_in', 'GET']);
  return roles.filter((role) => role !== nobody);
}

function judged(verdict: () => boolean, about: string): boolean {
  try {
    return verdict();
  } catch (error) {
    throw new Error(`${about}: ${(error as Error).message}`, { cause: error });
  }
}

function holdOptions(site: TestSite, roles: readonly string[], group: Group): void {
  test(`OPTIONS ${group.pattern.text}`, async () => {
    const path = await somethingAt(site, group);
    for (const role of roles) {
      const caller = await callerOf(site, role);
      const { headers, status } = await asked(site, role).options(`/api${samplePath(group.pattern.text, path)}`);
      assert.equal(status, 200);
      const allow = (headers.get('allow') ?? '').split(', ');
      for (const { route } of group.entries) {
        const prospect = prospectOf(route, caller);
        if (prospect === 'no') assert.ok(!route.methods.some((one) => allow.includes(one)), `${role}: ${allow}`);
        const known = route.access === 'public' || typeof route.access === 'string' || Object.keys(path).length > 0;
        if (prospect === 'yes' && known)
          assert.ok(
            route.methods.every((one) => allow.includes(one)),
            `${role}: ${allow}`,
          );
      }
    }
  });
}

type Start = (engine: TestEngine) => Promise<TestSite>;

/** What each route of a site says of each role, and what happens. */
export function whoMay(name: EngineName, about: string, start: Start): void {
  onEngine(name, `Who may: ${about}`, async (engine) => {
    const site = await start(engine);
    const roles = [nobody, ...Object.keys(site.config.deployment.roles)];
    for (const group of site.app.table.groups) {
      if (failing.has(group.pattern.text)) continue;
      for (const entry of group.entries)
        for (const method of methodsOf(entry)) holdRoute(site, roles, group, entry, method);
      holdOptions(site, roles, group);
    }
  });
}

/** Test data: the number to make may be left to the generator, which the contract writes as null. */
const nullable = /^\/datagen\/v1\/.* quantity$/;

/** What an argument is that nobody sends. */
export function defaultsOf(about: string, start: Start): void {
  describe(`Defaults: ${about}`, async () => {
    const { app } = await start(testEngine('sqlite'));
    for (const { pattern, entries } of app.table.groups) {
      for (const { route, settleArgs } of entries) {
        const withDefault = Object.entries((route.args ?? {}) as Record<string, Schema>).filter(
          ([name, schema]) => schema.default !== undefined && !nullable.test(`${pattern.text} ${name}`),
        );
        for (const [name, schema] of withDefault) {
          test(`${route.methods[0]} ${pattern.text}: ${name} is ${JSON.stringify(schema.default)}, which it may be`, () => {
            const json = { ...argsOf(route, pattern.names), [name]: schema.default };
            const { args } = settleArgs({ path: {}, json, query: {} }, { id: 0, can: () => false });
            if (schema.default !== null) assert.notEqual(args[name], undefined);
          });
        }
      }
    }
  });
}

// The access matrix: what each route says of each role before it is asked is what happens when it is asked.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Prospect, prospectOf } from '#kernel/matrix.ts';
import type { Method } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Entry, Group } from '#kernel/table.ts';
import type { EngineName } from '#store/engine.ts';
import { onEngine } from '#test/databases.ts';
import { samplePath } from '#test/sample.ts';
import { type Answer, aSite, type Client, routesWithoutSite, type SiteOptions, type TestSite } from '#test/site.ts';
import { argsOf, nobody, send } from './arranged.ts';
import { attempts, somethingAt } from './attempts.ts';

/** These fail on purpose, before permission is asked or while it is. */
const failing = new Set(['crash', 'away', 'full', 'elsewhere', 'broken'].map((name) => `/probe/v1/${name}`));

const methodsOf = ({ route }: Entry): readonly Method[] => route.methods;
/** Open to everybody, so that clients read it in `Allow`; it then tells nobody in particular that they are not signed in. */
const tellsNobody = new Set(['GET /core/v2/users/me']);

/** What is told where the world outside is asked, which is not there. */
const outside = new Set(['secsuite.discover.cannot-connect']);

const card = '/secsuite/v1/dashboards/(?P<id>\\d+)/cards/(?P<card>[\\w-]+)';
const lockout =
  '/secsuite/v1/dashboards/(?P<id>\\d+)/cards/(?P<card>active-lockouts)/(?P<card_id>\\d+)/lockout/(?P<lockout>\\d+)';

const ofCards = (name: string) => `/secsuite/v1/dashboards/(?P<id>\\d+)/cards/(?P<card>${name})/(?P<card_id>\\d+)`;
const buttons = [
  `${ofCards('malware-scan')}/scan`,
  `${ofCards('database-backup')}/backup`,
  ...['security-profile-list', 'security-profile'].flatMap((name) => [
    `${ofCards(name)}/logout/(?P<user>\\d+)`,
    `${ofCards(name)}/send-2fa-reminder/(?P<user>\\d+)`,
  ]),
  `${ofCards('security-profile-list')}/force-password-change`,
  `${ofCards('security-profile-list')}/clear-password-change`,
];

/**
 * Whose verdict hangs on an argument or a record that no sample comes upon: the one category that stays, what another method runs,
 * dashboards and cards that nobody has made.
 */
const oneWay = new Set([
  '/secsuite/v1/dashboard-static',
  '/secsuite/v1/dashboard-available-cards/(?P<card>[\\w_-]+)',
  '/secsuite/v1/dashboards/(?P<id>\\d+)/cards',
  card,
  `${card}/(?P<card_id>\\d+)`,
  lockout,
  `${lockout}/ban`,
  ...buttons,
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

/** Every row of the matrix that is not as it was said, with its route, role and answer. */
type Wrong = string[];

/** Notes what fails and goes on. */
async function noted<T>(wrong: Wrong, about: string, check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    wrong.push(`${about}: ${(error as Error).message}`);
    return undefined;
  }
}

async function holdRoute(
  site: TestSite,
  roles: readonly string[],
  group: Group,
  entry: Entry,
  method: Method,
  wrong: Wrong,
): Promise<void> {
  const route = `${method} ${group.pattern.text}`;
  const verdicts = new Set<boolean>();
  if (tellsNobody.has(route)) await noted(wrong, `${route}, ${nobody}`, () => holdToldNobody(site, group));
  for (const role of tellsNobody.has(route) ? roles.filter((one) => one !== nobody) : roles) {
    await noted(wrong, `${route}, ${role}`, async () => {
      const prospect = prospectOf(entry.route, await callerOf(site, role));
      for (const attempt of await attempts(site, group, entry, role)) {
        const allowed = await noted(wrong, `${route}, ${role}, ${attempt.about}, said ${prospect}`, async () =>
          judge(prospect, method, role, await send(group, entry, method, attempt)),
        );
        if (prospect === 'depends' && allowed !== undefined) verdicts.add(allowed);
      }
    });
  }
  if (verdicts.size === 1 && !oneWay.has(group.pattern.text))
    wrong.push(`${route}: depends, and was ${verdicts.has(true) ? 'allowed' : 'refused'} in every attempt`);
}

async function holdToldNobody(site: TestSite, group: Group): Promise<void> {
  const { status, body, headers } = await site.get(`/api${group.pattern.text}`);
  assert.deepEqual([status, body.code, headers.get('allow')], [401, 'rest_not_logged_in', 'GET']);
}

async function holdOptions(site: TestSite, roles: readonly string[], group: Group, wrong: Wrong): Promise<void> {
  const path = await somethingAt(site, group);
  for (const role of roles) {
    const caller = await callerOf(site, role);
    const { headers, status } = await asked(site, role).options(`/api${samplePath(group.pattern.text, path)}`);
    const allow = (headers.get('allow') ?? '').split(', ');
    const about = `OPTIONS ${group.pattern.text}, ${role}`;
    if (status !== 200) wrong.push(`${about}: ${status}`);
    for (const { route } of group.entries) {
      const prospect = prospectOf(route, caller);
      const known = route.access === 'public' || typeof route.access === 'string' || Object.keys(path).length > 0;
      const [some, all] = [
        route.methods.some((one) => allow.includes(one)),
        route.methods.every((one) => allow.includes(one)),
      ];
      if ((prospect === 'no' && some) || (prospect === 'yes' && known && !all))
        wrong.push(`${about}: said ${prospect} of ${route.methods}, Allow: ${allow}`);
    }
  }
}

/** What the tests of a namespace are called: the index and the batch have none. */
export const titleOf = (namespace: string): string => namespace || 'no namespace';

/** What each route of a site says of each role, and what happens: one test a namespace, which names every row that differs. */
export function whoMay(
  name: EngineName,
  about: string,
  options: SiteOptions,
  isMeant: (group: Group) => boolean = () => true,
): void {
  const meant = (groups: readonly Group[]): Group[] =>
    groups.filter((group) => isMeant(group) && !failing.has(group.pattern.text));
  const expected = meant(routesWithoutSite(options));
  onEngine(name, `Who may: ${about}`, (engine) => {
    let site: TestSite;
    before(async () => {
      site = await aSite(engine, options);
    });
    for (const namespace of new Set(expected.map((group) => group.namespace)))
      test(titleOf(namespace), async () => {
        const roles = [nobody, ...Object.keys(site.config.deployment.roles)];
        const wrong: Wrong = [];
        for (const group of meant(site.app.table.groups).filter((one) => one.namespace === namespace)) {
          for (const entry of group.entries)
            for (const method of methodsOf(entry)) await holdRoute(site, roles, group, entry, method, wrong);
          await noted(wrong, `OPTIONS ${group.pattern.text}`, () => holdOptions(site, roles, group, wrong));
        }
        assert.deepEqual(wrong, []);
      });

    test('no route of the site was left out', () => {
      const paths = (groups: readonly Group[]): string[] => groups.map(({ pattern }) => pattern.text);
      assert.deepEqual(paths(meant(site.app.table.groups)), paths(expected));
    });
  });
}

/** Test data: the number to make may be left to the generator, which the contract writes as null. */
const nullable = /^\/datagen\/v1\/.* quantity$/;

/** Each default is a value that the argument may have. */
export function defaultsOf(about: string, options: SiteOptions): void {
  test(`Defaults: ${about}`, () => {
    const wrong = routesWithoutSite(options).flatMap(({ pattern, entries }) =>
      entries.flatMap((entry) => wrongDefaults(pattern, entry)),
    );
    assert.deepEqual(wrong, []);
  });
}

function wrongDefaults({ text, names }: Group['pattern'], { route, settleArgs }: Entry): string[] {
  const withDefault = Object.entries((route.args ?? {}) as Record<string, Schema>).filter(
    ([name, schema]) => schema.default !== undefined && !nullable.test(`${text} ${name}`),
  );
  return withDefault.flatMap(([name, schema]) => {
    const json = { ...argsOf(route, names), [name]: schema.default };
    const about = `${route.methods[0]} ${text}: ${name} is ${JSON.stringify(schema.default)}`;
    try {
      const { args } = settleArgs({ path: {}, json, query: {} }, { id: 0, can: () => false });
      return schema.default === null || args[name] !== undefined ? [] : [`${about}, and undefined when it is sent`];
    } catch (error) {
      return [`${about}: ${(error as Error).message}`];
    }
  });
}

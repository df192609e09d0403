// Whoever does not manage reads and does nothing in the suite, by whichever route, method and way of asking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { rule } from '#test/effects.ts';
import { aSite } from '#test/site.ts';

interface Endpoint {
  readonly methods: readonly string[];
}

interface Way {
  readonly route: string;
  readonly path: string;
  readonly method: string;
}

/** Open to whoever is signed in, who is told of nothing. */
const notices = /^\/secsuite\/v1\/admin-notices(?!\/settings)/;

const sample = (pattern: string): string =>
  pattern.replace(/\(\?P<(\w+)>(?:[^()\\[]|\\.|\[(?:[^\]\\]|\\.)*\])*\)/g, (_, name: string) =>
    name === 'source' ? 'database' : name === 'ip' ? '8.8.8.8' : '1',
  );

async function aHouse(engine: TestEngine) {
  const site = await aSite(engine, { deployment: 'a' });
  const { body } = await site.as('administrator').get('/api/');
  const routes = Object.entries(body.routes as Record<string, { endpoints: readonly Endpoint[] }>);
  const ways = routes
    .filter(([route]) => /^\/secsuite\/(?:v1|rpc)\/./.test(route))
    .flatMap(([route, { endpoints }]) =>
      endpoints.flatMap(({ methods }) => methods.map((method): Way => ({ route, path: sample(route), method }))),
    );
  assert.ok(ways.length > 50, `${ways.length} ways`);
  return { site, ways };
}

/** What a route needs before it is asked whether somebody may. */
const bodies: Readonly<Record<string, object>> = {
  '/secsuite/rpc/discover': { url: 'http://site.test' },
  '/secsuite/rpc/global/detect-ip': { proxy: 'disabled' },
  '/secsuite/rpc/import/transform': { export: {} },
  '/secsuite/rpc/import/run': { export: {} },
  '/secsuite/rpc/ban-users/add-many': { bans: ['203.0.113.7'] },
  '/secsuite/v1/bans/(?P<source>database)': { host: '203.0.113.7', created_by: { type: 'user', id: '1' } },
  '/secsuite/v1/firewall/rules': { name: 'A', config: rule },
  '/secsuite/v1/user-actions': { users: [1], actions: { 'force-logout': true } },
  '/secsuite/v1/user-groups': { label: 'A', roles: ['subscriber'] },
};

/** The same of queries. */
const queries: Readonly<Record<string, string>> = { '/secsuite/v1/dashboard/events': 'events=lockout-host' };

/** Cards are there for those alone who see a dashboard with them. */
const cards = '/secsuite/v1/dashboard-available-cards/(?P<card>[\\w_-]+)';

/** How somebody is to be answered. */
function answerTo({ route, method }: Way, isSomebody: boolean): string {
  if (route === cards) return '404';
  if (!isSomebody) return '401';
  if (!notices.test(route)) return '403';
  return method === 'GET' ? '200 []' : '404';
}

eachEngine('Whoever does not manage', (engine) => {
  test('is refused by every route, at whichever face', async () => {
    const { site, ways } = await aHouse(engine);
    const faces = (path: string, query = '') => [
      `/api${path}?${query}`,
      `/wp-json${path}?${query}`,
      `/?rest_route=${encodeURIComponent(path)}&${query}`,
    ];
    for (const who of [site, site.as('subscriber'), site.as('editor')])
      for (const way of ways)
        for (const at of faces(way.path, queries[way.route])) {
          const body = way.method === 'GET' ? undefined : (bodies[way.route] ?? {});
          const { status, text } = await who.request(way.method, at, { body });
          const answer = status === 200 ? `200 ${text}` : String(status);
          assert.equal(answer, answerTo(way, who !== site), `${way.method} ${at}: ${text.slice(0, 200)}`);
        }
  });

  test('is refused in a batch as well', async () => {
    const { site, ways } = await aHouse(engine);
    const requests = ways
      .filter(({ route, method }) => method !== 'GET' && !notices.test(route))
      .map(({ route, path, method }) => ({ method, path, body: bodies[route] ?? {} }));
    const at = 10;
    for (const who of [site, site.as('editor')])
      for (let from = 0; from < requests.length; from += at) {
        const { status, body, text } = await who.post('/api/batch/v1', { requests: requests.slice(from, from + at) });
        assert.equal(status, 207, text);
        for (const one of body.responses as { status: number; body: { code: string } }[])
          assert.ok([400, 401, 403].includes(one.status) && one.body.code.startsWith('rest_'), JSON.stringify(one));
      }
  });
});

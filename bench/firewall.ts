// The firewall's rules against a bare loop over the same conditions, in this process.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import { cookieOf } from '#lib/http-headers.ts';
import type { Asked } from '../src/extensions/secsuite/parts/firewall/engine/asked.ts';
import { compileRules, type Engine, workOfThread } from '../src/extensions/secsuite/parts/firewall/engine/engine.ts';
import { faultsOf } from '../src/extensions/secsuite/parts/firewall/engine/faults.ts';
import type { Condition, Match, Rule } from '../src/extensions/secsuite/parts/firewall/engine/rule.ts';
import { createView } from '../src/extensions/secsuite/parts/firewall/engine/view.ts';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { inFolder } from './folder.ts';
import { type Client, requestText, startClient } from './load.ts';
import { compare, type Spread, spread } from './measure.ts';
import { compared, type Figure, microseconds, number, ratioOf, type Section } from './report.ts';
import { credentialsOf } from './writing.ts';

const rules: readonly Rule[] = JSON.parse(readFileSync(join(import.meta.dirname, 'rules.json'), 'utf8'));

/** As many requests, each a little different, as a round has. */
const different = 200;
const most = { posted: 300, read: 8 };

export async function measureFirewall(): Promise<Section> {
  const faulty = rules.find(({ id: _, ...config }) => faultsOf(config).length > 0);
  if (faulty !== undefined) throw new Error(`Rule ${faulty.id} has a fault.`);
  const half = rules.filter((_, at) => at % 2 === 0);
  return {
    title: 'The firewall’s rules',
    about: `The ${rules.length} rules of \`bench/rules.json\` have 500 conditions: 450 on named parameters, 50 of them patterns; 40 on the address, 10
of them patterns; 10 patterns on the whole body. Two thirds of the names are in the request, which matches none. Each request is
new: reading its query and body counts. The reference is one loop over the same conditions that knows where each value is,
compares, looks for words and asks \`re2js\`. Processor time for each, the median of many rounds. Over HTTP, the answer that was kept
of a list is sent by a site with the suite, a thousand bans and half of the rules, and the reference is the same site without the suite.`,
    figures: [
      figureOf(`${rules.length} rules, a POST of 2 kB in JSON`, rules, posted, most.posted),
      figureOf(`${half.length} rules, an anonymous GET of ten posts`, half, read, most.read),
      ...(await keptFigures(half)),
    ],
  };
}

const keptPath = '/api/hello/v1/greetings?per_page=10';
const leastOfKept = 0.7;

/** A site that defends itself against one that does not. */
const keptFigures = (some: readonly Rule[]): Promise<Figure[]> =>
  inFolder(async (folder) => {
    const site = (suite: boolean): Child =>
      start('site.ts', { data: join(folder, String(suite)), suite } satisfies SiteAsked);
    const [guarded, open, client] = [site(true), site(false), startClient()];
    try {
      await addDefences(some, guarded, client);
      const figures: Figure[] = [];
      for (const connections of [1, 16]) {
        const ask = async (server: Child) =>
          client.round(server, { port: await server.call('port'), connections, requests: [requestText(keptPath)] });
        const comparison = await compare(
          () => ask(guarded),
          () => ask(open),
        );
        figures.push(compared(`kept GET with the suite on, ${connections} conn.`, comparison, leastOfKept));
      }
      return figures;
    } finally {
      await Promise.all([guarded, open, client].map((one) => one.stop()));
    }
  });

async function addDefences(some: readonly Rule[], site: Child, client: Client): Promise<void> {
  const port = await site.call<number>('port');
  const headers = await credentialsOf(site);
  const requests = some.map(({ id, ...config }) =>
    requestText('/api/secsuite/v1/firewall/rules', {
      method: 'POST',
      headers,
      body: ascii({ name: `Rule ${id}`, config }),
    }),
  );
  const bans = Array.from({ length: 1000 }, (_, at) => `203.0.${at >> 8}.${at & 255}`);
  requests.push(
    requestText('/api/secsuite/rpc/ban-users/add-many', { method: 'POST', headers, body: ascii({ bans }) }),
  );
  await client.ask({ port, connections: 1, requests, count: requests.length });
  const answer = await fetch(`http://127.0.0.1:${port}/api/secsuite/v1/firewall/rules?per_page=1`, { headers });
  const kept = Number(answer.headers.get('x-wp-total'));
  if (kept !== some.length) throw new Error(`Of ${some.length} rules ${kept} were kept.`);
  const banned = await fetch(`http://127.0.0.1:${port}/api/secsuite/v1/bans?search=${bans.at(-1)}`, { headers });
  if (((await banned.json()) as unknown[]).length !== 1) throw new Error('Nobody was banned.');
}

/** As long in bytes as in signs. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

function figureOf(what: string, some: readonly Rule[], ask: (at: number) => Asked, ceiling: number): Figure {
  const requests = Array.from({ length: different }, (_, at) => ask(at));
  const engine = compileRules(some, { now: Date.now, worked: workOfThread, report: refuse });
  const bare = bareLoop(some);
  const [ours, reference]: [number[], number[]] = [[], []];
  for (let round = 0; round < 60; round++) {
    ours.push(cpuOf(() => evaluate(engine, requests)));
    reference.push(cpuOf(() => requests.forEach(bare)));
  }
  const [one, other] = [spread(ours.slice(20)), spread(reference.slice(20))];
  const ratio: Spread = spread(ours.slice(20).map((took, at) => reference[at + 20]! / took));
  return {
    what,
    ours: microseconds(one.median),
    reference: microseconds(other.median),
    ratio: ratioOf(ratio),
    cpu: `${microseconds(one.median)} / ${microseconds(other.median)} = ${number(one.median / other.median, 2)}`,
    wanted: `≤ ${ceiling} µs`,
    holds: one.median <= ceiling,
  };
}

function evaluate(engine: Engine, requests: readonly Asked[]): void {
  for (const asked of requests) {
    const { ended } = engine.run('early', createView(asked), { trusted: false });
    if (ended.how !== 'through') throw new Error(`No rule was meant to match: ${JSON.stringify(ended)}`);
  }
}

const refuse = (rule: string, error: unknown): never => {
  throw new Error(`Rule ${rule} failed.`, { cause: error });
};

/** Microseconds for each request. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / different;
}

const headers = (at: number): Record<string, string> => ({
  host: 'garden.test',
  'user-agent': `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1${at}.0.0.0 Safari/537.36`,
  accept: 'application/json, text/plain, */*',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.7',
  referer: `https://garden.test/write/${at}`,
});

const plain = (at: number): Asked => ({
  method: 'GET',
  url: `/api/core/v2/posts?per_page=${(at % 90) + 10}`,
  headers: headers(at),
  address: '203.0.113.7',
  peer: '203.0.113.7',
  port: 40_000 + at,
  secure: true,
  time: 1_790_000_000_000 + at,
  serverName: 'garden.test',
  serverPort: 443,
  protocol: 'HTTP/1.1',
  siteHost: 'garden.test',
});

const read = (at: number): Asked => plain(at);

const prose = `<p>Everybody is welcome to the spring fête on Saturday, from two o'clock until it gets dark. There will be "cake" & music, and
the committee asks all who come to select a table in the hall & write their name on the list by the door. Where the list is full, a
union of two tables will do. Please update us if you bring children, and do not drop by before noon: the floor is being painted.</p>`;

function posted(at: number): Asked {
  const body = {
    title: `Spring fête number ${at}: cake, music & a walk`,
    content: `${prose}\n${prose}\n${prose}`.slice(0, 1150) + at,
    excerpt: `Everybody is welcome, and so are ${at} more. There will be cake.`,
    slug: `spring-fete-${at}`,
    status: 'publish',
    date: '2026-04-01T10:00:00',
    format: 'standard',
    template: 'templates/wide.html',
    password: 'correct horse battery',
    comment_status: 'open',
    ping_status: 'closed',
    sticky: false,
    featured_media: 4711 + at,
    author: 3,
    categories: [1, 2, 8],
    tags: [4, 8, 15, 16, 23],
    meta: {
      colour: 'green',
      seats: '120',
      contact: 'fete@garden.test, or at the gate',
      footer: '<em>Bring a coat.</em>',
    },
  };
  const rawBody = Buffer.from(JSON.stringify(body).padEnd(2048, ' '));
  const url = `/api/core/v2/posts?context=edit&_locale=user&_=${at}`;
  const cookie = `session=5f2b1c9e${at}; theme=dark`;
  const sent = { ...headers(at), cookie, 'content-type': 'application/json', 'content-length': String(rawBody.length) };
  return { ...plain(at), method: 'POST', url, headers: sent, rawBody };
}

/** What the least that could do the same does. */
function bareLoop(some: readonly Rule[]): (asked: Asked) => number {
  const conditions = some.flatMap(({ rules: own }) => own ?? []).map(bareCondition);
  return (asked) => {
    const text = asked.rawBody?.toString();
    const body: unknown = text === undefined ? undefined : JSON.parse(text);
    const sent = { asked, text, body, query: new URLSearchParams(asked.url.slice(asked.url.indexOf('?'))) };
    return conditions.reduce((found, one) => found + Number(one(sent)), 0);
  };
}

interface Sent {
  readonly asked: Asked;
  readonly text: string | undefined;
  readonly body: unknown;
  readonly query: URLSearchParams;
}

function bareCondition({ parameter, match }: Condition): (sent: Sent) => boolean {
  const test = bareMatch(match!);
  const [source = '', ...steps] = String(parameter).split('.');
  return (sent) => {
    const found = bareValue(sent, source, steps);
    return Array.isArray(found) ? found.some((one) => test(String(one))) : found !== undefined && test(String(found));
  };
}

function bareValue({ asked, text, body, query }: Sent, source: string, steps: readonly string[]): unknown {
  if (source === 'get') return query.get(steps[0]!) ?? undefined;
  if (source === 'raw' && steps.length === 0) return text;
  if (source === 'raw')
    return steps.reduce((at: unknown, step) => (step === '*' ? at : (at as Record<string, unknown>)?.[step]), body);
  if (source === 'cookie') return cookieOf(asked.headers.cookie as string | undefined, steps[0]!);
  if (source !== 'server') return undefined;
  if (steps[0] === 'REQUEST_URI') return asked.url;
  return steps[0] === 'REQUEST_METHOD'
    ? asked.method
    : asked.headers[steps[0]!.slice(5).toLowerCase().replace('_', '-')];
}

function bareMatch({ type, value }: Match): (text: string) => boolean {
  if (type === 'regex') {
    const [, body = '', flags] = /^\/(.*)\/(\w*)$/s.exec(String(value)) ?? [];
    const pattern = RE2JS.compile(body, flags?.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => pattern.test(text);
  }
  if (type === 'contains' || type === 'stripos') return (text) => text.toLowerCase().includes(String(value));
  if (type === 'in_array') return (text) => (value as unknown[]).includes(text);
  if (type === 'less_than' || type === 'more_than')
    return (text) => (type === 'less_than') === Number(text) < Number(value);
  if (type === 'ctype_digit' || type === 'is_numeric') return (text) => !/^\d+$/.test(text);
  if (type === 'inline_xss') return (text) => /["']/.test(text) && /[>=]/.test(text);
  return (text) => text === value;
}

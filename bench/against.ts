// `npm run bench -- --against REVISION`: this version beside an earlier one, both with the same data, in turns. What costs more than
// before is found before a release.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onPostgres, type Place } from './databases.ts';
import { inFolder } from './folder.ts';
import { type Client, type Load, requestText, startClient } from './load.ts';
import { spread } from './measure.ts';
import { type Figure, megabytes, number, ratioOf, type Section } from './report.ts';
import { fillSite, type Program, type ServedSite, serveSite } from './served-site.ts';
import { afresh } from './writing.ts';

export const againstTitle = 'Against an earlier version';

const root = join(import.meta.dirname, '..');
const rounds = 7;
const mostRatio = 1.05;
const connections = 8;
/** Of each version in a round, so short that what else the machine does slows both. */
const turns = 6;
const aTurn = 200;
const leastOfATurn = 100;
const warming = 1500;

interface Operation {
  readonly what: string;
  /** Sent in turn. */
  requests(site: ServedSite): string[];
}

const get = (path: string, headersOf: (site: ServedSite) => Readonly<Record<string, string>> = () => ({})) => ({
  requests: (site: ServedSite) => [
    requestText(path.replace('{post}', String(site.post)), { headers: headersOf(site) }),
  ],
});
const cookie = () => afresh;
const signedIn = ({ credentials }: ServedSite) => credentials;

const reads: readonly Operation[] = [
  { what: 'list of ten, cached', ...get('/api/core/v2/posts') },
  { what: 'list of ten, not cached', ...get('/api/core/v2/posts', cookie) },
  { what: 'one, not cached', ...get('/api/core/v2/posts/{post}', cookie) },
  { what: 'who am I', ...get('/api/core/v2/users/me', signedIn) },
  { what: 'front page, not cached', ...get('/', cookie) },
  { what: 'media list, not cached', ...get('/api/core/v2/media', cookie) },
  { what: 'list of ten, signed in', ...get('/api/core/v2/posts', signedIn) },
  { what: 'list with `_embed`, not cached', ...get('/api/core/v2/posts?_embed=1', cookie) },
];

let titles = 0;
/** Each title makes a slug of its own: the number behind a slug that many posts share costs more with each of them. */
const create: Operation = {
  what: 'create',
  requests: ({ credentials }) =>
    Array.from({ length: 1000 }, () => {
      const title = `Good morning, number ${++titles}`;
      const body = JSON.stringify({ title, content: '<p>To everybody who reads this.</p>', status: 'publish' });
      return requestText('/api/core/v2/posts', { method: 'POST', headers: credentials, body });
    }),
};

export function measureAgainst(commit: string): Promise<Section> {
  return inFolder(async (folder) => {
    // An earlier version does not optimize the pictures of the test data while it is measured.
    const here: Program = { folder: root, settings: { GATEHOUSE_OPTIMISE_UPLOADS: 'off' } };
    const earlier = await installed(commit, join(folder, 'earlier'));
    const pair = { here, earlier };
    const figures = [
      ...(await figuresOf(pair, [...reads, create], placesIn(folder, 'sqlite'), 'SQLite')),
      ...(await onPostgres(2, (databases) =>
        figuresOf(pair, [create], placesIn(folder, 'postgres', databases), 'PostgreSQL'),
      )),
    ];
    return {
      title: againstTitle,
      about: `Processor time of the whole server for each request, and its resident memory after the requests, beside
those of \`${commit}\`. Both serve \`seed --seed x --posts 200 --media 40\` to ${connections} connections, in turns. The ratio
is the median of ${rounds} rounds. "Not cached" sends a cookie like that of a session, which passes the cache.`,
      figures,
    };
  });
}

/** The commit that a revision names; undefined if this clone has none. */
export function commitOf(revision: string): string | undefined {
  const words = ['rev-parse', '--quiet', '--verify', '--short=8', '--end-of-options', `${revision}^{commit}`];
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** With our packages where these are all that its lock file asks for; otherwise its own start installs them. */
async function installed(commit: string, folder: string): Promise<Program> {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const ours = lockedIn(root);
  const isShared = Object.entries(lockedIn(folder)).every(
    ([at, { version, dev = false }]) => at === '' || dev || ours[at]?.version === version,
  );
  if (isShared) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder };
}

type Locked = Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;

const lockedIn = (folder: string): Locked =>
  JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;

interface Pair<One> {
  readonly here: One;
  readonly earlier: One;
}

function placesIn(folder: string, name: string, databases: readonly string[] = []): Pair<Place> {
  return {
    here: { data: join(folder, name, 'here'), database: databases[0] },
    earlier: { data: join(folder, name, 'earlier'), database: databases[1] },
  };
}

async function figuresOf(
  programs: Pair<Program>,
  operations: readonly Operation[],
  places: Pair<Place>,
  engine: string,
): Promise<Figure[]> {
  const client = startClient();
  const running: { stop(): Promise<void> }[] = [client];
  try {
    const opened = async (program: Program, place: Place): Promise<ServedSite> => {
      const site = await serveSite(program, place, await fillSite(program, place));
      running.push(site);
      return site;
    };
    const here = await opened(programs.here, places.here);
    const earlier = await opened(programs.earlier, places.earlier);
    const figures: Figure[] = [];
    for (const operation of operations) figures.push(await comparedFor(operation, { here, earlier }, client, engine));
    return figures;
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

/** Of all turns of a round. */
const costOf = (all: readonly Cost[]): Cost => ({
  cpu: all.reduce((sum, { cpu }) => sum + cpu, 0) / all.length,
  memory: all.at(-1)!.memory,
});

interface Cost {
  /** Milliseconds of processor for each request. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

async function comparedFor(
  operation: Operation,
  { here, earlier }: Pair<ServedSite>,
  client: Client,
  engine: string,
): Promise<Figure> {
  const ask = (site: ServedSite, until: Pick<Load, 'milliseconds' | 'count'>) =>
    client.ask({ port: site.port, connections, requests: operation.requests(site), ...until });
  for (const site of [here, earlier]) await ask(site, { milliseconds: warming });
  // Both answer the same number of requests, so that what follows a turn weighs the same.
  const count = Math.max(leastOfATurn, (await ask(earlier, { milliseconds: aTurn })).done);
  const turn = async (site: ServedSite): Promise<Cost> => {
    const before = site.usage();
    await ask(site, { count });
    const after = site.usage();
    return { cpu: (after.cpu - before.cpu) / 1000 / count, memory: after.rss };
  };
  const roundOf = async (): Promise<Pair<Cost>> => {
    const both: Pair<Cost>[] = [];
    for (let at = 0; at < turns; at++) {
      // Neither always comes first after the other.
      const first = at % 2 === 0 ? await turn(here) : undefined;
      const other = await turn(earlier);
      both.push({ here: first ?? (await turn(here)), earlier: other });
    }
    return { here: costOf(both.map((pair) => pair.here)), earlier: costOf(both.map((pair) => pair.earlier)) };
  };
  const pairs: Pair<Cost>[] = [];
  for (let round = 0; round < rounds; round++) pairs.push(await roundOf());
  const compared = (of: (cost: Cost) => number, shown: (value: number) => string) => {
    const median = (one: keyof Pair<Cost>): string => shown(spread(pairs.map((pair) => of(pair[one]))).median);
    const ratio = spread(pairs.map((pair) => of(pair.here) / of(pair.earlier)));
    return { ours: median('here'), reference: median('earlier'), ratio };
  };
  const { ratio, ...processor } = compared(
    (one) => one.cpu,
    (value) => `${number(value, 3)} ms`,
  );
  const memory = compared((one) => one.memory, megabytes);
  return {
    what: `${engine}, ${operation.what}`,
    ...processor,
    ratio: ratioOf(ratio),
    memory: `${memory.ours} / ${memory.reference} = ${number(memory.ratio.median, 2)}`,
    wanted: `both ≤ ${mostRatio}`,
    holds: Math.max(ratio.median, memory.ratio.median) <= mostRatio,
  };
}

// `npm run bench -- --against REVISION`: this version beside an earlier one, both with the same data, in turns. What costs more than
// before is found before a release.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onPostgres, type Place } from './databases.ts';
import { inFolder } from './folder.ts';
import { type Client, requestText, startClient } from './load.ts';
import { spread } from './measure.ts';
import { type Figure, megabytes, number, ratioOf, type Section } from './report.ts';
import { fillSite, type Program, type ServedSite, serveSite } from './served-site.ts';
import { afresh } from './writing.ts';

const root = join(import.meta.dirname, '..');
const rounds = 7;
const mostRatio = 1.05;
const connections = 8;
const milliseconds = 1000;

interface Operation {
  readonly what: string;
  request(site: ServedSite): string;
}

const get = (path: string, headersOf: (site: ServedSite) => Readonly<Record<string, string>> = () => ({})) => ({
  request: (site: ServedSite) => requestText(path.replace('{post}', String(site.post)), { headers: headersOf(site) }),
});
const cookie = () => afresh;
const signedIn = ({ credentials }: ServedSite) => credentials;

const reads: readonly Operation[] = [
  { what: 'list of ten, cached', ...get('/api/core/v2/posts') },
  { what: 'list of ten, afresh', ...get('/api/core/v2/posts', cookie) },
  { what: 'one, afresh', ...get('/api/core/v2/posts/{post}', cookie) },
  { what: 'who am I', ...get('/api/core/v2/users/me', signedIn) },
  { what: 'front page, afresh', ...get('/', cookie) },
  { what: 'media list, afresh', ...get('/api/core/v2/media', cookie) },
  { what: 'list of ten, signed in', ...get('/api/core/v2/posts', signedIn) },
  { what: 'list with `_embed`, afresh', ...get('/api/core/v2/posts?_embed=1', cookie) },
];

const create: Operation = {
  what: 'create',
  request: ({ credentials }) => {
    const body = JSON.stringify({
      title: 'Good morning',
      content: '<p>To everybody who reads this.</p>',
      status: 'publish',
    });
    return requestText('/api/core/v2/posts', { method: 'POST', headers: credentials, body });
  },
};

export async function measureAgainst(revision: string): Promise<Section> {
  const commit = git('rev-parse', '--verify', '--short=8', `${revision}^{commit}`).trim();
  return inFolder(async (folder) => {
    const here: Program = { folder: root };
    const earlier = await installed(commit, join(folder, 'earlier'));
    const pair = { here, earlier };
    const figures = [
      ...(await figuresOf(pair, [...reads, create], placesIn(folder, 'sqlite'), 'SQLite')),
      ...(await onPostgres(2, (databases) =>
        figuresOf(pair, [create], placesIn(folder, 'postgres', databases), 'PostgreSQL'),
      )),
    ];
    return {
      title: 'Against an earlier version',
      about: `Processor time of the whole server for each request, and its resident memory after the requests, beside those of \`${commit}\`. Both serve \`seed --seed x --posts 200 --media 40\` to ${connections} connections, in turns; the ratio is the median of
${rounds} rounds. "Afresh" sends a cookie like that of a session, which keeps a request from meeting a cached answer.`,
      figures,
    };
  });
}

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' });

/** With our packages where its lock file asks for the same; otherwise its own start installs them. */
async function installed(commit: string, folder: string): Promise<Program> {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const lockOf = (at: string) => readFileSync(join(at, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder };
}

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
    for (const operation of operations)
      figures.push(...(await comparedFor(operation, { here, earlier }, client, engine)));
    return figures;
  } finally {
    await Promise.all(running.map((one) => one.stop()));
  }
}

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
): Promise<Figure[]> {
  const cost = async (site: ServedSite): Promise<Cost> => {
    const before = site.usage();
    const { done } = await client.ask({
      port: site.port,
      connections,
      requests: [operation.request(site)],
      milliseconds,
    });
    const after = site.usage();
    return { cpu: (after.cpu - before.cpu) / 1000 / done, memory: after.rss };
  };
  await cost(here); // both warm before they count
  await cost(earlier);
  const pairs: Pair<Cost>[] = [];
  for (let round = 0; round < rounds; round++) {
    // Neither always comes first after the other.
    const first = round % 2 === 0 ? await cost(here) : undefined;
    const other = await cost(earlier);
    pairs.push({ here: first ?? (await cost(here)), earlier: other });
  }
  const figure = (what: string, of: (cost: Cost) => number, shown: (value: number) => string): Figure => {
    const ratio = spread(pairs.map((pair) => of(pair.here) / of(pair.earlier)));
    return {
      what,
      ours: shown(spread(pairs.map((pair) => of(pair.here))).median),
      reference: shown(spread(pairs.map((pair) => of(pair.earlier))).median),
      ratio: ratioOf(ratio),
      wanted: `≤ ${mostRatio}`,
      holds: ratio.median <= mostRatio,
    };
  };
  const what = `${engine}, ${operation.what}`;
  return [
    figure(
      what,
      ({ cpu }) => cpu,
      (value) => `${number(value, 3)} ms`,
    ),
    figure(`${what}: memory`, ({ memory }) => memory, megabytes),
  ];
}

export const canMeasureAgainst = (): boolean => existsSync('/proc/self/stat');

// Reading posts over HTTP, cached and not cached, against a bare node:http server that sends the same bytes and headers.
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { furnish, postSent, writerOf } from './content-site.ts';
import { onEach } from './databases.ts';
import { type Client, requestText, startClient } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { compared, type Figure, type Section } from './report.ts';
import { answersOf } from './same-bytes.ts';
import { afresh, credentialsOf } from './writing.ts';

const posts = 200;

const least = { kept: 0.8, anew: 0.15 };

export const measureContent = async (): Promise<Section> => ({
  title: 'Reading posts',
  about: `A site with ${posts} posts of 200 words, each with terms and half of them with a picture, over HTTP, against a bare \`node:http\` server
that sends the same bytes and headers. "After a change": 5 ms before each request one of its posts is changed. Gatehouse prepares the answer in that time, which does
not count. "Not cached": nothing was written, but the request passes the cache.`,
  figures: await onEach((engine, asked) => measureReading(engine, asked, readsOf)),
});

/** Of the interface, with the paths of the newest posts there. */
const readsOf: ReadsOf = async (_site, ids) => {
  const posts = ids.map(pathOf);
  const list = { what: 'a list of 10', paths: posts.map(() => '/api/core/v2/posts?per_page=10'), anew: least.anew };
  return [list, { what: 'one post', paths: posts, anew: least.anew }];
};

const pathOf = (id: number): string => `/api/core/v2/posts/${id}`;

interface Running {
  readonly site: Child;
  readonly plain: Child;
  readonly client: Client;
}

export interface Read {
  readonly what: string;
  /** Asked in turn. */
  readonly paths: readonly string[];
  /** What is wanted of it after a change. */
  readonly anew?: number;
}

/** What is read, given the numbers of the newest posts. */
export type ReadsOf = (site: Child, ids: readonly number[]) => Promise<readonly Read[]>;

export async function measureReading(engine: string, asked: SiteAsked, readsOf: ReadsOf): Promise<Figure[]> {
  const site = start('site.ts', asked);
  const client = startClient();
  const running: { stop(): Promise<void> }[] = [site, client];
  try {
    const ids = await fill(site);
    const reads = await readsOf(site, ids);
    const plain = start('plain.ts', await answersOf(site, [...new Set(reads.flatMap(({ paths }) => paths))]));
    running.push(plain);
    const figures: Figure[] = [];
    const posts = ids.map(pathOf);
    for (const read of reads) figures.push(...(await ofRead(engine, read, { site, plain, client }, posts)));
    return figures;
  } finally {
    await Promise.all(running.map((child) => child.stop()));
  }
}

/** The numbers of the newest. */
async function fill(site: Child): Promise<number[]> {
  const place = await furnish(site);
  const { add } = await writerOf(site);
  const ids: number[] = [];
  for (let at = 0; at < posts; at++) {
    const picture = at % 2 === 0 ? { featured_media: place.picture } : {};
    ids.push(await add('posts', { ...postSent(at, place), ...picture }));
  }
  return ids.slice(-10);
}

async function ofRead(engine: string, read: Read, running: Running, posts: readonly string[]): Promise<Figure[]> {
  const what = `${engine}, ${read.what}`;
  return [
    await asked(`${what}, 1 conn.`, read, running, { least: least.kept }),
    await asked(`${what}, 16 conn.`, read, running, { connections: 16, least: least.kept }),
    await afterChange(`${what}, after a change`, read, running, posts),
    await asked(`${what}, not cached, 1 conn.`, read, running, { headers: afresh }),
    await asked(`${what}, not cached, 16 conn.`, read, running, { connections: 16, headers: afresh }),
  ];
}

interface How {
  readonly connections?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly least?: number;
}

async function asked(what: string, { paths }: Read, { site, plain, client }: Running, how: How): Promise<Figure> {
  const { connections = 1, headers = {} } = how;
  const ask = async (server: Child) => {
    const port = await server.call<number>('port');
    return client.round(server, { port, connections, requests: paths.map((path) => requestText(path, { headers })) });
  };
  const comparison = await compare(
    () => ask(site),
    () => ask(plain),
  );
  return compared(what, comparison, how.least);
}

/** Each answer is asked for once one of the posts in it is another. The processor's time holds that too, so it is not told. */
async function afterChange(
  what: string,
  { paths, anew }: Read,
  { site, plain, client }: Running,
  posts: readonly string[],
): Promise<Figure> {
  const headers = await credentialsOf(site);
  let changes = 0;
  const change = (path: string) =>
    requestText(path, { method: 'POST', headers, body: JSON.stringify({ title: `Title ${++changes}` }) });
  const requests = paths.map((path) => requestText(path));
  const ask = async (server: Child, before: readonly string[]) => {
    const port = await server.call<number>('port');
    const load = { port, connections: 1, requests, before, milliseconds: 1000 };
    return roundOf(server, () => client.ask(load));
  };
  const comparison = await compare(
    () => ask(site, Array.from({ length: 100 }, () => posts.map(change)).flat()),
    () => ask(plain, requests),
  );
  const { cpu: _, ...figure } = compared(what, comparison, anew);
  return figure;
}

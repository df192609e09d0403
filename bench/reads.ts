// Reads over HTTP against a bare node:http server that sends the same bytes and headers.
import { join } from 'node:path';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { inFolder } from './folder.ts';
import { type Client, requestText, startClient } from './load.ts';
import { compare } from './measure.ts';
import { compared, type Figure, type Section } from './report.ts';
import { answersOf } from './same-bytes.ts';
import { afresh, credentialsOf } from './writing.ts';

interface Read {
  readonly what: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly logged?: true;
  readonly least?: number;
}

const list = '/api/hello/v1/greetings?per_page=10';

const reads: readonly Read[] = [
  { what: 'index', path: '/api/', least: 0.8 },
  { what: 'namespace index', path: '/api/hello/v1', least: 0.8 },
  { what: 'index, with access log', path: '/api/', logged: true },
  { what: 'list of 10', path: list },
  { what: 'list of 10, not cached', path: list, headers: afresh },
];

export const measureReads = (): Promise<Section> =>
  inFolder(async (folder) => {
    const quiet = start('site.ts', { data: join(folder, 'quiet') } satisfies SiteAsked);
    const logging: SiteAsked = { data: join(folder, 'logging'), log: 'info+access' };
    const logged = start('site.ts', logging, { errors: join(folder, 'access.log') });
    const client = startClient();
    const running: { stop(): Promise<void> }[] = [quiet, logged, client];
    try {
      await fill(quiet, client);
      const plain = start('plain.ts', await answersOf(quiet, [...new Set(reads.map(({ path }) => path))]));
      running.push(plain);
      return {
        title: 'Reads',
        about: `\`examples/hello\` over HTTP, against a bare \`node:http\` server that sends the same bytes and headers. Answers to
anonymous reads are cached. "Not cached" sends a cookie like that of a session, which passes the cache: query, rules and JSON every time.`,
        figures: await figuresOf({ quiet, logged, plain, client }),
      };
    } finally {
      await Promise.all(running.map((one) => one.stop()));
    }
  });

interface Running {
  readonly quiet: Child;
  readonly logged: Child;
  readonly plain: Child;
  readonly client: Client;
}

async function figuresOf({ quiet, logged, plain, client }: Running): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const read of reads) {
    for (const connections of [1, 16]) {
      const ask = async (server: Child) => {
        const port = await server.call<number>('port');
        return client.round(server, { port, connections, requests: [requestText(read.path, read)] });
      };
      const site = read.logged ? logged : quiet;
      const comparison = await compare(
        () => ask(site),
        () => ask(plain),
      );
      figures.push(compared(`${read.what}, ${connections} conn.`, comparison, read.least));
    }
  }
  return figures;
}

async function fill(site: Child, client: Client): Promise<void> {
  const port = await site.call<number>('port');
  const body = JSON.stringify({ text: 'Good morning to everybody who reads this', mood: 'calm' });
  const headers = await credentialsOf(site);
  const requests = [requestText('/api/hello/v1/greetings', { method: 'POST', headers, body })];
  await client.ask({ port, connections: 16, requests, count: 1000 });
}

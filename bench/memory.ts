// What stays in memory: with nothing to do, and after much was done.
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { inFolder } from './folder.ts';
import { type Client, requestText, startClient } from './load.ts';
import { spread } from './measure.ts';
import { type Figure, megabytes, number, type Section } from './report.ts';
import { canReadUsage, serveSite } from './served-site.ts';
import { afresh, credentialsOf, written } from './writing.ts';

const ceiling = 125 * 2 ** 20;
const growth = 1.1;
/** Milliseconds after the first answer. */
const settling = 10_000;
const first = 10_000;
const all = 100_000;

export const measureMemory = (): Promise<Section> =>
  inFolder(async (folder) => {
    const site = start('site.ts', { data: join(folder, 'site') } satisfies SiteAsked);
    const bare = start('plain.ts', { '/': { head: ['Content-Length', '2'], body: '{}' } });
    const client = startClient();
    try {
      return {
        title: 'Memory',
        about: `Resident memory of an empty site that \`gatehouse serve\` started from its bundle and that has nothing to do, beside a bare
\`node:http\` server. Then that of a site with \`examples/hello\`, run from the sources, after requests of every kind (kept and fresh
reads, writes, URLs never asked for before) on 16 connections.`,
        figures: [...(await idleFigures(folder, bare)), ...(await growthFigures(site, client))],
      };
    } finally {
      await Promise.all([site, bare, client].map((one) => one.stop()));
    }
  });

async function idleFigures(folder: string, bare: Child): Promise<Figure[]> {
  if (!canReadUsage()) return [];
  const program = { folder: join(import.meta.dirname, '..') };
  const place = { data: join(folder, 'idle') };
  // The first start makes the database.
  await (await serveSite(program, place, '')).stop();
  const site = await serveSite(program, place, '');
  try {
    await after(settling);
    const idle = site.usage().rss;
    const reference = (await bare.usage()).rss;
    return [
      {
        what: 'idle',
        ours: megabytes(idle),
        reference: megabytes(reference),
        ratio: number(idle / reference, 2),
        wanted: `≤ ${megabytes(ceiling)}`,
        holds: idle <= ceiling,
      },
    ];
  } finally {
    await site.stop();
  }
}

async function growthFigures(site: Child, client: Client): Promise<Figure[]> {
  const port = await site.call<number>('port');
  const requests = mixed(await credentialsOf(site));
  const ask = (count: number) => client.ask({ port, connections: 16, requests, count });
  const early = await level(site, first, ask);
  const late = await level(site, all - first, ask);
  return [
    {
      what: `after ${number(all)} requests; reference: after the first ${number(first)}`,
      ours: megabytes(late),
      reference: megabytes(early),
      ratio: number(late / early, 2),
      wanted: `≤ ${growth}`,
      holds: late / early <= growth,
    },
  ];
}

const looks = 5;
const between = 500;

/** It rises and falls with each collection of garbage, so the level after so many requests is the middle of the last looks. */
async function level(site: Child, requests: number, ask: (count: number) => Promise<unknown>): Promise<number> {
  await ask(requests - looks * between);
  const seen: number[] = [];
  for (let look = 0; look < looks; look++) {
    await ask(between);
    await after(200);
    seen.push((await site.usage()).rss);
  }
  return spread(seen).median;
}

const greetings = '/api/hello/v1/greetings';

/** Nine reads to one write; many of the addresses differ. */
function mixed(headers: Record<string, string>): string[] {
  const sent = { method: 'POST', headers, body: JSON.stringify(written) };
  const group = (at: number): string[] => [
    requestText(greetings, sent),
    requestText('/api/'),
    requestText('/api/hello/v1'),
    requestText('/wp-json/hello/v1/greetings'),
    requestText(greetings),
    requestText(`${greetings}?page=${1 + (at % 10)}&per_page=5`),
    requestText(`${greetings}?search=${at}`),
    requestText(greetings, { headers: afresh }),
    requestText(greetings, { headers: { Origin: `http://${at}.test` } }),
    requestText('/healthz'),
  ];
  return Array.from({ length: 1000 }, (_, at) => group(at)).flat();
}

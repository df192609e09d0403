// New posts over HTTP against the same rows written by the engine's own driver and nothing else, on both engines.
import { join } from 'node:path';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { furnish, type Place, postSent } from './content-site.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import { type Client, requestText, startClient } from './load.ts';
import { compare } from './measure.ts';
import { compared, type Figure, type Section } from './report.ts';
import { credentialsOf } from './writing.ts';

const least = 0.4;

export const measureContentWrites = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Creating posts',
    about: `A post of 200 words with a category, two tags and a note is sent over HTTP, and waited for until it would survive a power cut. The
reference is a bare \`node:http\` server that writes the same rows into the same tables in one transaction, by \`node:sqlite\` (WAL,
\`synchronous=FULL\`) or \`pg\`: post, note, terms and their counts, search, totals and change counters. Ours asks who writes and whether they may, once more
inside the write, looks for a free slug, and answers the whole record.`,
    figures: [
      ...(await figuresOf('SQLite', { data: join(folder, 'site') }, { data: join(folder, 'bare') })),
      ...(await onPostgres(2, ([site, bare]) =>
        figuresOf(
          'PostgreSQL',
          { data: join(folder, 'other'), database: site! },
          { data: join(folder, 'other'), database: bare! },
        ),
      )),
    ],
  }));

async function figuresOf(engine: string, ours: SiteAsked, reference: SiteAsked): Promise<Figure[]> {
  const site = start('site.ts', ours);
  const bare = start('bare-posts.ts', reference);
  const client = startClient();
  try {
    const place = await furnish(site);
    const figures: Figure[] = [];
    for (const connections of [1, 16]) {
      const post = posting(client, connections, { headers: await credentialsOf(site), place });
      const comparison = await compare(
        () => post(site),
        () => post(bare),
      );
      figures.push(compared(`${engine}, ${connections} conn.`, comparison, least));
    }
    return figures;
  } finally {
    await Promise.all([site, bare, client].map((one) => one.stop()));
  }
}

/** More than one round sends. */
const many = 2000;

function posting(
  client: Client,
  connections: number,
  { headers, place }: { headers: Record<string, string>; place: Place },
) {
  let sent = connections * many * many;
  return async (child: Child) => {
    const port = await child.call<number>('port');
    // No two of one name: that would be another measure.
    const requests = Array.from({ length: many }, () => {
      sent += 1;
      return requestText('/api/core/v2/posts', {
        method: 'POST',
        headers,
        body: JSON.stringify(postSent(sent, place)),
      });
    });
    return client.round(child, { port, connections, requests });
  };
}

// Durable writes against the same row written by the engine's own driver and nothing else, on both engines.
import { join } from 'node:path';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import type { BareAsked } from './children/bare-writes.ts';
import type { StoreAsked } from './children/store-writes.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import { type Client, type Done, requestText, startClient } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { compared, type Figure, type Section } from './report.ts';
import { credentialsOf, written } from './writing.ts';

const milliseconds = 500;

/** Where the three that write keep their rows. */
interface Places {
  readonly site: SiteAsked;
  readonly store: StoreAsked;
  readonly bare: BareAsked;
}

export const measureWrites = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Durable writes',
    about: `A greeting is written, and waited for until it would survive a power cut. The reference is the same \`INSERT\` by
\`node:sqlite\` (WAL, \`synchronous=FULL\`) or \`pg\`, bare; for a POST, behind a bare \`node:http\` server. Ours also moves the change
counter by which kept answers are dropped; writes that arrive together share a commit on SQLite.`,
    figures: [...(await onSqlite(folder)), ...(await inDatabases(folder))],
  }));

const onSqlite = (folder: string): Promise<Figure[]> =>
  figuresOf('SQLite', {
    site: { data: join(folder, 'site') },
    store: { data: join(folder, 'store') },
    bare: { file: join(folder, 'bare.db') },
  });

const inDatabases = (folder: string): Promise<Figure[]> =>
  onPostgres(3, ([site, store, bare]) =>
    figuresOf('PostgreSQL', {
      site: { data: join(folder, 'other'), database: site! },
      store: { data: join(folder, 'other'), database: store! },
      bare: { database: bare! },
    }),
  );

async function figuresOf(engine: string, places: Places): Promise<Figure[]> {
  const site = start('site.ts', places.site);
  const store = start('store-writes.ts', places.store);
  const bare = start('bare-writes.ts', places.bare);
  const client = startClient();
  try {
    const figures: Figure[] = [];
    for (const writers of [1, 16]) {
      figures.push(await storeFigure(engine, writers, store, bare));
      figures.push(await postFigure(engine, writers, site, bare, client));
    }
    return figures;
  } finally {
    await Promise.all([site, store, bare, client].map((one) => one.stop()));
  }
}

async function storeFigure(engine: string, writers: number, store: Child, bare: Child): Promise<Figure> {
  const write = (child: Child) => roundOf(child, () => child.call<Done>('write', { writers, milliseconds }));
  const comparison = await compare(
    () => write(store),
    () => write(bare),
  );
  return compared(`${engine}, the store, ${countOf(writers, 'writer')}`, comparison);
}

async function postFigure(engine: string, connections: number, site: Child, bare: Child, client: Client) {
  const sent = { method: 'POST', headers: await credentialsOf(site), body: JSON.stringify(written) };
  const post = async (child: Child) => {
    const port = await child.call<number>('port');
    return client.round(child, { port, connections, requests: [requestText('/api/hello/v1/greetings', sent)] });
  };
  const comparison = await compare(
    () => post(site),
    () => post(bare),
  );
  return compared(`${engine}, POST, ${connections} conn.`, comparison);
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

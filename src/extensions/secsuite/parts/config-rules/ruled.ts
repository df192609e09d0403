// What the rules for the server in front of the site follow from, as either dialect is told it.
import { decodedPath } from '#kernel/table.ts';
import { blockOf, written } from '../../addresses/block.ts';

export type Dialect = 'nginx' | 'apache';

/** Where the site lies and what it serves below that: paths without a slash at either end, empty for the root. */
export interface Paths {
  readonly base: string;
  readonly uploads: string;
  readonly plugins: string;
  readonly themes: string;
}

export interface Ruled {
  readonly paths: Paths;
  /** Refused by how they call themselves. */
  readonly badBots: readonly string[];
  readonly agents: readonly string[];
  /** Refused by where they are, the newest first. */
  readonly hosts: readonly string[];
  readonly protectsFiles: boolean;
  readonly hidesListings: boolean;
  /** Folders in which nothing is run, by the setting that says so. */
  readonly still: Readonly<Partial<Record<'uploads_php' | 'plugins_php' | 'themes_php', string>>>;
  readonly refusesLegacyRpc: boolean;
}

/** Where a site lies that is called so: as servers see it, who read what is written with percent signs. */
export const baseOf = (url: string): string => decodedPath(new URL(url).pathname).replace(/^\/|\/$/g, '');

/** Of signs that mean nothing to either server. */
export const isPlain = (path: string): boolean => /^[\w./~-]+$/.test(path);

/** Files that say more than anybody should read, should somebody serve their folder. */
export const secretFiles: readonly string[] = [
  'app.env.rules',
  'apache.conf',
  'nginx.conf',
  'secret',
  'gatehouse.db',
  'gatehouse.db-wal',
  'gatehouse.db-shm',
  'docker-compose.yml',
  'Dockerfile',
  'package.json',
  'package-lock.json',
];

/** Endings of what a server might run instead of sending it; and maps, which show what programs were made of. */
export const runnable = '\\.(php\\d?|phtml|cgi|pl|py|js\\.map)$';

/** Patterns that match whoever calls himself so, each once. One that is all spaces would match everybody. */
export function patternsOf(agents: readonly string[]): string[] {
  const literals = agents.map((agent) => literal(agent.trimStart())).filter((one) => one !== undefined && one !== '');
  return [...new Set(literals)].map((one) => `^${one}`);
}

/** As addresses are written, each once. What is none is left out: nothing else may stand there. */
export function hostsOf(hosts: readonly string[]): string[] {
  const blocks = hosts.map(blockOf).filter((block) => block !== undefined);
  return [...new Set(blocks.map(written))];
}

/** Below the root of the server, with a slash at its beginning. */
export const below = ({ base }: Paths, ...more: readonly string[]): string =>
  ['', base, ...more].filter((part, at) => at === 0 || part !== '').join('/');

/** What means nothing to a pattern, to quotes, or to the files themselves. */
const plain = /^[\w /,:;=@-]$/;
/** What means something to a pattern alone, where a backslash takes it away. */
const sign = /^[.()[\]*+?^|]$/;
/** Either program reads a word of at most 4096 signs. */
const longest = 3500;

/** Nothing where it is too long to be written down. */
export function literal(text: string): string | undefined {
  const written = Array.from(text, (one) => {
    if (plain.test(one)) return one;
    return sign.test(one) ? `\\${one}` : bytesOf(one);
  }).join('');
  return written.length > longest ? undefined : written;
}

/** By their numbers: quotes, backslashes, dollars, braces, line breaks, and whatever is not ASCII. */
const bytesOf = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');

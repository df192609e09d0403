// Lists of known vulnerabilities: the short one that comes with the program, or a longer one that the operator names.
import { join } from 'node:path';
import type { Operator } from '#lib/operator.ts';
import { day, hour, minute } from '#lib/spans.ts';
import type { Outgoing } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import { entriesOf, isFolder, readText } from '../../../disk/reading.ts';
import type { Software } from '../../../software/inventory.ts';
import { type Advisory, type AffectedPackage, isAffected, readAdvisory } from './advisory.ts';

export interface Feed {
  readonly advisories: readonly Advisory[];
  /** When the list was made, in milliseconds since 1970. */
  readonly published: number;
}

/** The list cannot be had. */
export class FeedUnavailable extends Error {}

const largestFeed = 64 * 1024 * 1024;
const mostFiles = 100_000;
/** How old a list from a URL may be before it is fetched again. */
const refreshAfter = 20 * hour;

interface FeedDeps {
  readonly source: Operator['security']['advisories'];
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
}

export function createFeed({ source, outgoing, clock }: FeedDeps) {
  let fetched: { readonly at: number; readonly feed: Feed } | undefined;
  const fromUrl = async (url: string, signal: AbortSignal): Promise<Feed> => {
    const now = clock().getTime();
    if (fetched !== undefined && now >= fetched.at && now - fetched.at < refreshAfter) return fetched.feed;
    const answer = await outgoing.fetch(url, {
      name: 'secsuite-advisories',
      types: ['application/json', 'application/x-ndjson', 'text/plain', 'application/octet-stream'],
      most: largestFeed,
      within: 2 * minute,
      signal,
    });
    const feed = readFeed([await answer.text()]);
    fetched = { at: now, feed };
    return feed;
  };
  return {
    /** Throws `FeedUnavailable`. */
    async read(signal: AbortSignal): Promise<Feed> {
      try {
        if (source?.kind === 'url') return await fromUrl(source.url, signal);
        return readFeed(await textsAt(source?.path ?? bundledFeed));
      } catch (error) {
        if (signal.aborted) throw error;
        const why = error instanceof Error ? error.message : String(error);
        throw new FeedUnavailable(`The list of known vulnerabilities cannot be read. ${why}`, { cause: error });
      }
    },
  };
}

const bundledFeed = join(import.meta.dirname, 'advisories.json');

/** A file, or all files of a folder. */
async function textsAt(path: string): Promise<string[]> {
  const names = (await isFolder(path))
    ? (await entriesOf(path))
        .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
        .slice(0, mostFiles)
        .map(({ name }) => join(path, name))
    : [path];
  const texts: string[] = [];
  let left = largestFeed;
  for (const name of names) {
    const text = await readText(name, left);
    if (text === undefined) throw new Error(`${name} is not a readable file of at most ${largestFeed} bytes.`);
    left -= text.length;
    texts.push(text);
  }
  return texts;
}

/** A text is an advisory, a list of them, an object that has such a list, or one advisory a line. */
export function readFeed(texts: readonly string[]): Feed {
  const values = texts.flatMap(valuesIn);
  const published = values.flatMap(({ published }) => published ?? []);
  const advisories = values.flatMap(({ items }) => items.flatMap((one) => readAdvisory(one) ?? []));
  if (advisories.length === 0) throw new Error('It has no advisory in OSV format.');
  const changes = advisories.map(({ modified }) => Date.parse(modified ?? '')).filter(Number.isFinite);
  const latest = (all: readonly number[]): number => all.reduce((one, other) => Math.max(one, other), 0);
  return { advisories: merged(advisories), published: latest(published.length > 0 ? published : changes) };
}

interface Values {
  readonly items: readonly unknown[];
  readonly published?: number;
}

function valuesIn(text: string): Values[] {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return [{ items: lines.map((line) => JSON.parse(line) as unknown) }];
  }
  if (Array.isArray(whole)) return [{ items: whole }];
  const { vulns, advisories = vulns, published } = Object(whole) as Record<string, unknown>;
  if (!Array.isArray(advisories)) return [{ items: [whole] }];
  const date = Date.parse(String(published));
  return [{ items: advisories, ...(Number.isFinite(date) && { published: date }) }];
}

const isCve = (id: string): boolean => id.startsWith('CVE-');

/** The same vulnerability has several ids: they become one advisory, called by its CVE number if it has one. */
function merged(all: readonly Advisory[]): Advisory[] {
  const owners = new Map<string, number>();
  /** Of each advisory, one that is the same: in the end the same for all that are the same. */
  const parents = all.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  for (const [at, { id, aliases }] of all.entries())
    for (const name of [id, ...aliases]) {
      const known = owners.get(name);
      if (known === undefined) owners.set(name, at);
      else parents[rootOf(at)] = rootOf(known);
    }
  return [...Map.groupBy(all, (_, at) => rootOf(at)).values()].map((same) => {
    const ids = [...new Set(same.flatMap(({ id, aliases }) => [id, ...aliases]))];
    const [first] = same.toSorted((a, b) => Number(isCve(b.id)) - Number(isCve(a.id)));
    const id = ids.find(isCve) ?? first!.id;
    return {
      ...first!,
      id,
      aliases: ids.filter((one) => one !== id),
      links: [...new Set(same.flatMap(({ links }) => links))],
      affected: same.flatMap(({ affected }) => affected),
    };
  });
}

export interface Match {
  readonly software: Software;
  readonly advisory: Advisory;
  readonly affected: AffectedPackage;
}

export function matchesIn({ advisories }: Feed, inventory: readonly Software[]): Match[] {
  const keyOf = ({ ecosystem, name }: { readonly ecosystem: string; readonly name: string }) => `${ecosystem} ${name}`;
  const named = new Map<string, { readonly advisory: Advisory; readonly affected: AffectedPackage }[]>();
  for (const advisory of advisories)
    for (const affected of advisory.affected) {
      const list = named.get(keyOf(affected));
      if (list === undefined) named.set(keyOf(affected), [{ advisory, affected }]);
      else list.push({ advisory, affected });
    }
  return inventory.flatMap((software) =>
    (named.get(keyOf(software.advisoryPackage)) ?? [])
      .filter(({ affected }) => isAffected(software.version, affected))
      .map((one) => ({ software, ...one })),
  );
}

/** `of 28 November 2026, 3 days old` */
export function ageOf({ published }: Feed, now: number): string {
  const days = Math.max(0, Math.floor((now - published) / day));
  const date = new Date(published).toISOString().slice(0, 10);
  return `of ${date}, ${days === 1 ? '1 day' : `${days} days`} old`;
}

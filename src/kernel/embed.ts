// `_embed`: records that an answer links to, fetched within the same request by the same caller.
import { forEachConcurrently } from '#lib/concurrency.ts';
import { RenderedLinks } from './links.ts';

/** `true` embeds every embeddable link, a list only these relations. */
type Embeds = true | ReadonlySet<string>;

/** Follows a link and gives back the body of its answer, be it a refusal. */
type Fetch = (href: string) => Promise<unknown>;

export function parseEmbed(value: unknown): Embeds | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === '1' || value === 'true' || value === true) return true;
  const names = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
  return new Set(names.flatMap((name) => name.split(/[\s,]+/)).filter(Boolean));
}

/** How many links are followed side by side. */
const atOnce = 16;

/** By relation. */
type Targets = ReadonlyMap<string, readonly Target[]>;
type Target = Readonly<Record<string, unknown>>;

/** Adds `_embedded` to a record or to each record of a list. The same address is fetched once per answer. */
export async function embed(body: unknown, embeds: Embeds, fetch: Fetch): Promise<unknown> {
  const records: readonly unknown[] = Array.isArray(body) ? body : [body];
  const targets = records.map((record) => targetsOf(record, embeds));
  const fetched = new Map<string, unknown>();
  await forEachConcurrently(hrefsOf(targets), atOnce, async (href) => void fetched.set(href, await fetch(href)));
  const embedded = records.map((record, at) => withEmbedded(record, targets[at]!, fetched));
  return Array.isArray(body) ? embedded : embedded[0];
}

function targetsOf(record: unknown, embeds: Embeds): Targets {
  const { _links: links } = (record ?? {}) as { _links?: unknown };
  if (!(links instanceof RenderedLinks)) return new Map();
  const wanted = Object.entries(links).filter(([rel]) => embeds === true || embeds.has(rel));
  return new Map(wanted.filter(([, targets]) => targets.some(isEmbeddable)));
}

const isEmbeddable = ({ embeddable }: Target): boolean => embeddable === true;

/** Each once; those of one relation beside each other, for they look up the same. */
function hrefsOf(all: readonly Targets[]): Set<string> {
  const relations = new Set(all.flatMap((targets) => [...targets.keys()]));
  const links = [...relations].flatMap((rel) => all.flatMap((targets) => targets.get(rel) ?? []));
  return new Set(links.filter(isEmbeddable).map(({ href }) => href as string));
}

function withEmbedded(record: unknown, targets: Targets, fetched: ReadonlyMap<string, unknown>): unknown {
  const embedded: Record<string, unknown[]> = {};
  for (const [rel, links] of targets) {
    const results = links.map((link) => (isEmbeddable(link) ? fetched.get(link.href as string) : []));
    if (!results.every(isNothing)) embedded[rel] = results;
  }
  return Object.keys(embedded).length === 0 ? record : { ...(record as object), _embedded: embedded };
}

/** An empty list is nothing to show: a post that nobody spoke about has no replies. */
const isNothing = (result: unknown): boolean => Array.isArray(result) && result.length === 0;

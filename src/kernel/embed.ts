// `_embed`: records that an answer links to, fetched within the same request by the same caller.
import { RenderedLinks } from './links.ts';

/** `true` embeds every embeddable link, a list only these relations. */
export type Embeds = true | ReadonlySet<string>;

/** Follows a link and gives back the body of its answer, be it a refusal. */
export type Fetch = (href: string) => Promise<unknown>;

export function parseEmbed(value: unknown): Embeds | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === '1' || value === 'true' || value === true) return true;
  const names = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
  return new Set(names.flatMap((name) => name.split(/[\s,]+/)).filter(Boolean));
}

/** Adds `_embedded` to a record or to each record of a list. The same address is fetched once per answer. */
export async function embed(body: unknown, embeds: Embeds, fetch: Fetch): Promise<unknown> {
  const fetched = new Map<string, Promise<unknown>>();
  const once: Fetch = (href) => {
    const known = fetched.get(href) ?? fetch(href);
    fetched.set(href, known);
    return known;
  };
  if (!Array.isArray(body)) return embedOne(body, embeds, once);
  const embedded: unknown[] = [];
  for (const record of body) embedded.push(await embedOne(record, embeds, once));
  return embedded;
}

async function embedOne(record: unknown, embeds: Embeds, fetch: Fetch): Promise<unknown> {
  const { _links: links } = (record ?? {}) as { _links?: unknown };
  if (!(links instanceof RenderedLinks)) return record;
  const embedded: Record<string, unknown[]> = {};
  for (const [rel, targets] of Object.entries(links)) {
    if (embeds !== true && !embeds.has(rel)) continue;
    if (!targets.some(({ embeddable }) => embeddable === true)) continue;
    const results = await Promise.all(
      targets.map(async ({ embeddable, href }) => (embeddable === true ? fetch(href as string) : [])),
    );
    if (!results.every(isNothing)) embedded[rel] = results;
  }
  return Object.keys(embedded).length === 0 ? record : { ...(record as object), _embedded: embedded };
}

/** An empty list is nothing to show: a post that nobody spoke about has no replies. */
const isNothing = (result: unknown): boolean => Array.isArray(result) && result.length === 0;

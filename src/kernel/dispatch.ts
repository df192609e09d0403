// The one way in: `dispatch(request) → reply`.

import { forEachConcurrently } from '#lib/concurrency.ts';
import { Raw, type Reply } from './answer.ts';
import { type Caller, isNobody, nobody } from './caller.ts';
import { describeGroup } from './catalogue.ts';
import { kernelErrors } from './errors.ts';
import { selectFields, wantedFields } from './fields.ts';
import { guardBody, guardCaller } from './guarding.ts';
import { type Call, callerOf, execute, prepare, type Site, understand, understandInner, withAllow } from './perform.ts';
import { Permissions } from './permission.ts';
import { refuse } from './refusal.ts';
import { noSources, type Request, requestFor } from './request.ts';
import { pathBelow, RenderedLinks } from './shape.ts';

export type Dispatch = (request: Request) => Promise<Reply>;

const largestPage = '100';

export function createDispatch(site: Site): Dispatch {
  return async (request) => {
    let call: Call | undefined;
    let caller: Caller | undefined;
    try {
      call = understand(site, request);
      const guarded = guardBody(site.guarding, call, call.match?.entry?.route.bodyLimit ?? site.bodyLimit);
      if (guarded !== undefined) await guarded;
      caller = await callerOf(call, () => site.identify(request));
      if (request.incoming !== undefined) request.incoming.user = caller.id;
      const reply = call.method === 'OPTIONS' ? await describe(site, call, caller) : await answer(site, call, caller);
      return finished(call, caller, await embedded(site, call, caller, reply));
    } catch (error) {
      return finished(call, caller, refuse(site.report, request, error, caller ?? nobody, call?.match?.entry?.route));
    }
  };
}

const answer = async (site: Site, call: Call, caller: Caller): Promise<Reply> =>
  execute(site, await prepare(site, call, caller));

/**
 * What is said to a known caller is not stored on the way; nor are refused credentials, which leave the caller open, and
 * refusals of a request whose method was overridden.
 */
function finished(call: Call | undefined, caller: Caller | undefined, reply: Reply): Reply {
  const isOverridden = call?.overridden === true && reply.status >= 400 && reply.status < 500;
  const known = reply.known || isOverridden || (call !== undefined && caller === undefined);
  const headOnly = call?.headOnly === true;
  const headers = caller?.headers === undefined ? reply.headers : { ...caller.headers, ...reply.headers };
  if (call?.query._envelope === undefined || reply.body instanceof Raw) return { ...reply, headers, known, headOnly };
  const enclosed = Object.keys(headers).length === 0 ? [] : headers;
  return {
    status: 200,
    headers: {},
    body: { body: reply.body, status: reply.status, headers: enclosed },
    known,
    headOnly,
  };
}

async function describe(site: Site, call: Call, caller: Caller): Promise<Reply> {
  const { request, match } = call;
  await guardCaller(site.guarding, call, caller);
  const known = !isNobody(caller);
  if (match === undefined) return { status: 200, headers: {}, body: [], known };
  const allow = await new Permissions(caller, match.group.coercePath(match.path)).allowed(match.group, {});
  const described = describeGroup(match.group, site.roots, request.face, { schema: true });
  const body = selectFields(described, wantedFields(call.query._fields));
  return withAllow({ status: 200, headers: {}, body, known }, allow);
}

async function embedded(site: Site, call: Call, caller: Caller, reply: Reply): Promise<Reply> {
  const embeds = parseEmbed(call.query._embed);
  if (embeds === undefined || reply.status >= 400 || reply.body instanceof Raw) return reply;
  let { until, personal } = reply;
  const follow = async (href: string): Promise<unknown> => {
    if (call.request.hasLeft?.()) throw kernelErrors.clientLeft();
    const linked = await fetchLinked(site, call.request, caller, href);
    until = earlier(until, linked.until);
    // What may not be kept by itself may not be kept inside another answer.
    if (linked.status >= 500 || linked.personal || (linked.known && !reply.known)) personal = true;
    return linked.body;
  };
  const body = await site.gathering(() => embed(reply.body, embeds, follow));
  return { ...reply, body, until, personal };
}

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** A link followed from inside: the same caller, the embed context, the largest page. */
async function fetchLinked(site: Site, request: Request, caller: Caller, href: string): Promise<Reply> {
  const below = pathBelow(site.roots, request.face, href);
  if (below === undefined) return refuse(site.report, request, kernelErrors.noRoute(), caller);
  const query = new URLSearchParams(below.query);
  if (!query.has('context')) query.set('context', 'embed');
  if (!query.has('per_page')) query.set('per_page', largestPage);
  const asked = { path: below.path, query: query.toString(), method: 'GET', headers: {}, sources: noBody };
  const inner = requestFor(request, asked);
  try {
    const call = { ...understandInner(site, inner), linked: true };
    return await answer(site, call, await callerOf(call, () => caller));
  } catch (error) {
    return refuse(site.report, inner, error, caller);
  }
}

const noBody = async () => noSources;

// `_embed`: records that an answer links to, fetched within the same request by the same caller.

/** `true` embeds every embeddable link, a list only these relations. */
type Embeds = true | ReadonlySet<string>;

/** Follows a link and gives back the body of its answer, be it a refusal. */
type Follow = (href: string) => Promise<unknown>;

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
export async function embed(body: unknown, embeds: Embeds, follow: Follow): Promise<unknown> {
  const records: readonly unknown[] = Array.isArray(body) ? body : [body];
  const targets = records.map((record) => targetsOf(record, embeds));
  const fetched = new Map<string, unknown>();
  await forEachConcurrently(hrefsOf(targets), atOnce, async (href) => void fetched.set(href, await follow(href)));
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

// The one way in: `dispatch(request) → reply`.
import { Raw, type Reply } from './answer.ts';
import { type Caller, isNobody, nobody } from './caller.ts';
import { describeGroup } from './catalogue.ts';
import { callerOf } from './credential.ts';
import { embed, parseEmbed } from './embed.ts';
import { selectFields, wantedFields } from './fields.ts';
import {
  type Call,
  execute,
  prepare,
  type Site,
  understand,
  understandInner,
  watchAsked,
  watchKnown,
  withAllow,
} from './perform.ts';
import { Permissions } from './permission.ts';
import { clientLeft } from './problem.ts';
import { noRoute, refuse } from './refusal.ts';
import { noSources, type Request } from './request.ts';
import { pathBelow } from './shape.ts';

export type Dispatch = (request: Request) => Promise<Reply>;

const largestPage = '100';

export function createDispatch(site: Site): Dispatch {
  return async (request) => {
    let call: Call | undefined;
    let caller: Caller | undefined;
    try {
      call = understand(site, request);
      const watching = watchAsked(site, call);
      if (watching !== undefined) await watching;
      caller = await callerOf(call, () => site.identify(request));
      if (request.knock !== undefined) request.knock.user = caller.id;
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
  await watchKnown(site, call, caller);
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
    if (call.request.hasLeft?.()) throw clientLeft();
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
  if (below === undefined) return refuse(site.report, request, noRoute(), caller);
  const query = new URLSearchParams(below.query);
  if (!query.has('context')) query.set('context', 'embed');
  if (!query.has('per_page')) query.set('per_page', largestPage);
  const inner = { ...request, path: below.path, query: query.toString(), method: 'GET', headers: {}, sources: noBody };
  try {
    const call = { ...understandInner(site, inner), linked: true };
    return await answer(site, call, await callerOf(call, () => caller));
  } catch (error) {
    return refuse(site.report, inner, error, caller);
  }
}

const noBody = async () => noSources;

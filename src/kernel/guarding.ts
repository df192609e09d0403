// Where the kernel asks the request guards, and what it needs to answer a refusal.
import { mergedQueries } from './args/query.ts';
import type { Caller } from './caller.ts';
import type { PageAnswer } from './http/page.ts';
import { Problem } from './problem.ts';
import { type IncomingRequest, noSources, type Request, type Sources } from './request.ts';
import type { CombinedGuard, KnownRequest, Refusal, SentBody, Verdict } from './request-guard.ts';
import type { Match } from './table.ts';
import type { Upload } from './upload.ts';

export interface Guarding {
  /** All guards of the site as one. */
  readonly guard: CombinedGuard;
  userOf(caller: Caller): unknown;
  /** Who opens a page or a file. */
  visitorOf(incoming: IncomingRequest): Promise<Pick<KnownRequest, 'user' | 'can'>>;
  /** Does what the refusal asks for before it is answered. */
  end(refusal: Refusal, incoming: IncomingRequest): Promise<void>;
  /** How the REST interface answers a refusal. */
  problemOf(refusal: Refusal): Promise<RefusedRequest>;
  /** How pages answer it. */
  pageOf(refusal: Refusal): Promise<PageAnswer>;
}

/** Refuses the whole request, whichever part of a batch was refused. */
export class RefusedRequest extends Problem {
  constructor({ status, code, message, details, others, also }: Problem, headers: Readonly<Record<string, string>>) {
    super(status, code, message, details, { headers, others, also });
  }
}

/** The part of a call that guards are told. */
export interface GuardedCall {
  readonly request: Request;
  readonly query: Readonly<Record<string, unknown>>;
  readonly method: string;
  readonly match: Match | undefined;
  /** Found by following a link of another answer. */
  readonly linked?: boolean;
}

/** Asks before the caller is known. Throws the refusal. */
export function guardBody(guarding: Guarding | undefined, call: GuardedCall, limit: number): void | Promise<void> {
  const { incoming } = call.request;
  if (incoming === undefined || !guarding?.guard.judges('onBody')) return undefined;
  return demandBody(guarding, call, incoming, limit);
}

async function demandBody(
  guarding: Guarding,
  { request, match }: GuardedCall,
  incoming: IncomingRequest,
  limit: number,
): Promise<void> {
  const { guard } = guarding;
  const isRead = !match?.entry?.route.upload && guard.needsBody(incoming);
  const bytes = isRead ? await unlessUnfit(async () => request.bytes?.(limit)) : undefined;
  const { form, files } = (isRead && (await unlessUnfit(() => request.sources(limit, 'parts')))) || noSources;
  await demand(guarding, incoming, await guard.onBody(incoming, { bytes, form, files }));
}

export interface ReadBody {
  readonly json?: Sources['json'];
  readonly form?: Sources['form'];
  readonly upload?: Upload | undefined;
}

/** Asks once the caller is known and the arguments are read. Throws the refusal. */
export function guardCaller(
  guarding: Guarding | undefined,
  call: GuardedCall,
  caller: Caller,
  { json, form, upload }: ReadBody = {},
): void | Promise<void> {
  const { request, method, linked } = call;
  const { incoming } = request;
  if (guarding === undefined || incoming === undefined) return undefined;
  const { guard } = guarding;
  if (!guard.judges(linked ? 'onEmbed' : 'onCaller')) return undefined;
  if (linked) return demandEmbed(guarding, incoming, knownOf(guarding, call, caller));
  const part = request.part && { method, url: partUrl(incoming, request), body: request.part.body };
  const known = { ...knownOf(guarding, call, caller, mergedQueries(form, json)), form, upload, part };
  return Promise.resolve(guard.onCaller(incoming, known)).then((refusal) => demand(guarding, incoming, refusal));
}

/** The record alone is missing from the answer. */
async function demandEmbed({ guard }: Guarding, incoming: IncomingRequest, known: KnownRequest): Promise<void> {
  const refusal = await guard.onEmbed(incoming, known);
  if (refusal !== undefined) throw refusal.problem;
}

async function demand(guarding: Guarding, incoming: IncomingRequest, refusal: Verdict): Promise<void> {
  if (refusal === undefined) return;
  await guarding.end(refusal, incoming);
  throw await guarding.problemOf(refusal);
}

function knownOf(
  { userOf }: Guarding,
  { method, query, match }: GuardedCall,
  caller: Caller,
  sent: object = {},
): KnownRequest {
  return {
    user: userOf(caller),
    can: (capability: string) => caller.can(capability),
    form: undefined,
    upload: undefined,
    asked: { route: match?.group.pattern.text, method, params: mergedQueries(query, sent, match?.path ?? {}) },
  };
}

/** Below the address of the batch. */
function partUrl({ url }: IncomingRequest, { path, query }: Request): string {
  const root = /^([^?]*)\/batch\/v1\/?(?:\?|$)/.exec(url)?.[1] ?? '/wp-json';
  return `${root}${encodeURI(path)}${query === '' ? '' : `?${query}`}`;
}

/** The route that needs the body refuses one that cannot be read. */
async function unlessUnfit<R>(read: () => Promise<R>): Promise<R | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** What was sent to a page, as far as it is read. */
export type SentToPage = Partial<SentBody> & Pick<KnownRequest, 'isToCome'> & { readonly upload?: Upload | undefined };

/** Asks about a request to a page or a file. */
export async function guardVisit(
  guarding: Guarding | undefined,
  incoming: IncomingRequest,
  { bytes, form, files, upload, isToCome }: SentToPage,
): Promise<Verdict> {
  if (guarding === undefined) return undefined;
  const { guard, visitorOf } = guarding;
  const refusal = upload === undefined ? await guard.onBody(incoming, { bytes, form, files }) : undefined;
  if (refusal !== undefined || !guard.judges('onCaller')) return refusal;
  const visitor = await visitorOf(incoming);
  return guard.onCaller(incoming, { ...visitor, form, upload, isToCome, asked: undefined });
}

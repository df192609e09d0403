// Match, settle, handle: the work every request has in common, whether it came over HTTP, inside a batch or as an embed.
import { Deleted, Lasting, Raw, type Reply } from './answer.ts';
import { parseQuery } from './args/query.ts';
import type { ArgSources } from './args/settle.ts';
import { type Caller, isNobody, nobody } from './caller.ts';
import { kernelErrors } from './errors.ts';
import { neutralPath, neutralPathOfEither, type Roots } from './faces.ts';
import { type Fields, selectFields, wantedFields } from './fields.ts';
import { type GuardedCall, type Guarding, guardCaller } from './guarding.ts';
import { Permissions } from './permission.ts';
import { Problem } from './problem.ts';
import { type Report, refuse } from './refusal.ts';
import { noSources, type Request, type Sources, WatchedRequest } from './request.ts';
import type { Resource } from './resource.ts';
import type { Route } from './route.ts';
import { type Gathering, shape } from './shape.ts';
import type { Entry, Match, Table } from './table.ts';
import type { FormFile, Upload } from './upload.ts';

/** What the kernel needs of the site it serves. */
export interface Site {
  readonly table: Table;
  readonly roots: Roots;
  /** In bytes, for routes that name no limit of their own. */
  readonly bodyLimit: number;
  /** In bytes, of a file that is uploaded. */
  readonly uploadLimit?: number | undefined;
  /** Who asks. The one place where credentials are judged; a wrong one is thrown as a Problem. */
  identify(request: Request): Promise<Caller>;
  readonly report: Report;
  readonly gathering: Gathering;
  readonly guarding?: Guarding | undefined;
}

/** A request whose query, method and path are understood. */
export interface Call extends GuardedCall {
  readonly overridden: boolean;
  /** Everything but the body is wanted. */
  readonly headOnly: boolean;
}

interface Settled {
  readonly args: Record<string, unknown>;
  readonly payload: unknown;
  readonly query: readonly (readonly [string, unknown])[];
  readonly json: Sources['json'];
  readonly form: Sources['form'];
  readonly isUnreadJson: boolean;
  readonly upload: Upload | undefined;
  readonly files: readonly FormFile[];
}

/** A matched request with its arguments settled, or with the reason why they are not. */
export interface Prepared {
  readonly call: Call;
  readonly match: Match;
  readonly entry: Entry;
  readonly caller: Caller;
  readonly permissions: Permissions;
  readonly settled: Settled | Problem;
  /** Refused by a rule that is asked before the arguments are looked at. */
  readonly ahead: boolean;
}

/** A request from outside, which may name its method in other places than the first line. */
export function understand(site: Site, request: Request): Call {
  const query = parseQuery(request.query);
  const override = textOf(query._method) ?? textOf(request.headers['x-http-method-override']);
  const asked = (override ?? request.method).toUpperCase();
  const method = asked === 'HEAD' ? 'GET' : asked;
  const path = neutralPath(request.face, request.path);
  const match = path === undefined ? undefined : site.table.match(method, path);
  return { request, query, method, overridden: override !== undefined, headOnly: asked === 'HEAD', match };
}

/** A request from inside another one: its method is the one it was made with, whatever its query says. */
export function understandInner(site: Site, request: Request): Call {
  const match = site.table.match(request.method, neutralPathOfEither(request.path));
  return {
    request,
    query: parseQuery(request.query),
    method: request.method,
    overridden: false,
    headOnly: false,
    match,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Everything that can be refused before permission is asked; throws only when there is no such route. */
export async function prepare(site: Site, call: Call, caller: Caller): Promise<Prepared> {
  const { match } = call;
  if (match?.entry === undefined) {
    await guardCaller(site.guarding, call, caller);
    throw kernelErrors.noRoute();
  }
  const { entry } = match;
  const permissions = new Permissions(caller, match.group.coercePath(match.path));
  const { accessFirst, upload } = entry.route;
  const refusal = accessFirst || upload ? await permissions.refusalAhead(entry) : undefined;
  const settled = refusal ?? (await settle(site, call, match, entry, caller));
  const heard = settled instanceof Problem ? undefined : settled;
  try {
    const guarded = guardCaller(site.guarding, call, caller, heard);
    if (guarded !== undefined) await guarded;
  } catch (error) {
    await heard?.upload?.release();
    throw error;
  }
  if (!(settled instanceof Problem)) {
    const { json, form } = settled;
    permissions.heard({ method: call.method, query: call.query, json, form });
  }
  return { call, match, entry, caller, permissions, settled, ahead: refusal !== undefined };
}

async function settle(site: Site, call: Call, match: Match, entry: Entry, caller: Caller): Promise<Settled | Problem> {
  let upload: Upload | undefined;
  try {
    const body = await sourcesOf(site, call, entry.route);
    upload = body.upload;
    const sources: ArgSources = { path: match.path, json: body.json, form: body.form, query: call.query };
    const { args, query } = entry.settleArgs(sources, caller);
    const payload = settlePayload(entry, sources, body.document ?? body.form, caller);
    const { json, form, isUnreadJson = false } = body;
    return { args, payload, query, json, form, isUnreadJson, upload, files: body.files ?? [] };
  } catch (error) {
    await upload?.release();
    if (error instanceof Problem) return error;
    throw error;
  }
}

async function sourcesOf(site: Site, { request }: Call, route: Route): Promise<Sources> {
  const { upload, formFiles, bodyTooLarge, bodyLimit } = route;
  try {
    return upload && site.uploadLimit !== undefined
      ? await request.sources(Math.min(site.uploadLimit, bodyLimit ?? Number.POSITIVE_INFINITY), 'file')
      : await request.sources(bodyLimit ?? site.bodyLimit, formFiles && 'parts');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (upload === 'optional' && noFile.has(error.code)) return noSources;
    throw bodyTooLarge && error.code === kernelErrors.bodyTooLarge.code ? bodyTooLarge() : error;
  }
}

/** Refusals of requests that bring no file. */
const noFile = new Set<string>([kernelErrors.uploadNoData.code, kernelErrors.uploadNoContentDisposition.code]);

function settlePayload(entry: Entry, sources: ArgSources, document: unknown, caller: Caller): unknown {
  if (entry.settlePayload !== undefined) return entry.settlePayload(sources, caller).args;
  if (entry.settleDocument === undefined) return undefined;
  const failure = entry.settleDocument.check(document, 'body');
  if (failure === undefined) return entry.settleDocument.coerce(document);
  const { code, message, data } = failure;
  throw kernelErrors.invalidParam(`The body is not valid: ${message}`).with({
    params: { body: message },
    details: { body: { code, message, data: data ?? null } },
  });
}

const tooMuch = 503;

/** Permission, handler, shape, and the methods this caller may use here. Every failure becomes its answer. */
export async function execute(site: Site, prepared: Prepared): Promise<Reply> {
  const { call, match, entry, caller, permissions, settled } = prepared;
  const args = settled instanceof Problem ? {} : settled.args;
  const request = new WatchedRequest(call.request);
  let hasFailed = false;
  const answered = await handle(site, prepared, request).catch(async (error) => {
    hasFailed = !(error instanceof Problem);
    return refuse(site.report, call.request, await withHint(site, prepared, error), caller, entry.route);
  });
  if (!(settled instanceof Problem)) await settled.upload?.release();
  const reply = { ...answered, personal: request.wasLookedAt };
  // Nothing more is asked of what is broken, or has too much to do.
  if (hasFailed || reply.status === tooMuch) return reply;
  // What was done is done: should a rule fail now, the answer goes without its hint.
  const allow = await permissions.allowed(match.group, args).catch(() => []);
  return withAllow(reply, allow);
}

const noContentType =
  'The body looks like JSON, but was not read as JSON: send it with the header `Content-Type: application/json`.';

/** Rules that look at the body, as that of comments does, refuse with 403 what names no record. */
const hintedStatuses = new Set<Problem['status']>([400, 403, 404]);

/** JSON without its content type brings no arguments; most refusals then speak of what is missing. */
async function withHint(site: Site, { call, entry, ahead }: Prepared, error: unknown): Promise<unknown> {
  // What was refused ahead was not read, and is not read for the sake of a hint.
  if (ahead || !(error instanceof Problem) || !hintedStatuses.has(error.status)) return error;
  const { isUnreadJson } = await sourcesOf(site, call, entry.route).catch(() => noSources);
  return isUnreadJson === true ? error.saying(`${noContentType} ${error.message}`) : error;
}

export const withAllow = (reply: Reply, allow: readonly string[]): Reply =>
  allow.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Allow: allow.join(', ') } };

async function handle(site: Site, prepared: Prepared, request: Request): Promise<Reply> {
  const { call, match, entry, caller, permissions, settled } = prepared;
  const { route } = entry;
  if (settled instanceof Problem) throw settled;
  const { args, payload, query, isUnreadJson, upload, files } = settled;
  await permissions.demand(entry, args);
  const record = await permissions.record(entry);
  // Answered with success, the client would believe that its arguments were used.
  if (isUnreadJson) throw kernelErrors.emptyContent();
  const asked = wantedFields(call.query._fields);
  // What a route wraps is its record together with the wrapping: the client names members of both.
  const fields = route.envelope === undefined ? asked : undefined;
  const wants = (member: string): boolean => fields === undefined || fields.members.has(member);
  const anybody = isForAnybody(prepared, args.context, asked) ? request.face : undefined;
  const ask = {
    args,
    payload,
    path: match.path,
    record,
    caller,
    upload,
    files,
    use: entry.use,
    request,
    wants,
    anybody,
  };
  const answer: unknown = await route.handle(ask as never);
  if (answer instanceof Deleted) permissions.forget();
  const until = answer instanceof Lasting ? answer.until : undefined;
  const shaped = await shape(answer instanceof Lasting ? answer.answer : answer, {
    table: site.table,
    roots: site.roots,
    face: request.face,
    match,
    resource: route.resource as unknown as Resource | undefined,
    caller,
    method: call.method,
    args,
    query,
    fields,
    gathering: site.gathering,
  });
  const body =
    route.envelope === undefined || shaped.body instanceof Raw
      ? shaped.body
      : selectFields(route.envelope.success(shaped.body), asked);
  const understood = query.length === Object.keys(call.query).length;
  return { ...shaped, body, known: !isNobody(caller) || route.credential !== undefined, understood, until };
}

/** What is embedded is added to each record; and what gathers may look a moment back, and is not to be remembered. */
const isForAnybody = ({ call, caller, entry }: Prepared, context: unknown, fields: Fields | undefined): boolean =>
  isNobody(caller) &&
  call.linked !== true &&
  entry.route.credential === undefined &&
  call.method === 'GET' &&
  (context === undefined || context === 'view') &&
  fields === undefined &&
  call.query._embed === undefined;

/**
 * Who asks. A route with a token of its own judges it, whether the request came by itself, inside a batch or as an embed;
 * everywhere else it is whoever the site's credentials name. A key is a route's affair: where there is none nobody can say that it is wrong,
 * and a program that heard so would throw it away.
 */
export async function callerOf(
  { request, method, match }: Call,
  otherwise: () => Caller | Promise<Caller>,
): Promise<Caller> {
  const { route, use } = match?.entry ?? {};
  const isNowhere = method === 'OPTIONS' ? match === undefined : route === undefined;
  if (isNowhere && /^bearer\b/i.test(request.headers.authorization ?? '')) return nobody;
  if (route?.credential !== undefined) return route.credential(request, use as never);
  return (await route?.token?.(request, use as never)) ?? otherwise();
}

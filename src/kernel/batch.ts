// `POST /batch/v1`: up to 25 writes in one request. Each is checked and run on its own, for the caller of the whole; they
// are not one transaction, so a later one sees what an earlier one did, and a failure undoes nothing.
import { type Reply, withStatus } from './answer.ts';
import type { Caller } from './caller.ts';
import { kernelErrors } from './errors.ts';
import { RefusedRequest } from './guarding.ts';
import { callerOf, execute, type Prepared, prepare, type Site, understandInner } from './perform.ts';
import { Problem } from './problem.ts';
import { refuse } from './refusal.ts';
import { type Request, requestFor } from './request.ts';
import { routeMaker } from './route.ts';
import { type Static, t } from './schema.ts';
import { decodedPath } from './table.ts';

const entry = t.object({
  method: t.optional(t.choice(['POST', 'PUT', 'PATCH', 'DELETE'], { default: 'POST' })),
  path: t.string(),
  body: t.optional(t.free({ additionalProperties: true })),
  headers: t.optional(t.map(t.listOrOne(t.string()))),
});
type BatchEntry = Static<typeof entry>;

interface Batch {
  readonly site: Site;
}

export const batchRoute = routeMaker<Batch>()({
  method: 'POST',
  path: 'batch/v1',
  summary: 'Several writes in one request',
  access: 'public',
  args: {
    validation: t.choice(['require-all-validate', 'normal'], { default: 'normal' }),
    requests: t.list(entry, { maxItems: 25 }),
  },
  handle: async ({ args, caller, use, request }) => withStatus(207, await runBatch(use.site, caller, request, args)),
});

interface Asked {
  readonly validation: 'require-all-validate' | 'normal';
  readonly requests: readonly BatchEntry[];
}

async function runBatch(
  site: Site,
  caller: Caller,
  request: Request,
  { validation, requests }: Asked,
): Promise<unknown> {
  const prepared: (Prepared | Reply)[] = [];
  for (const one of requests) {
    if (request.hasLeft?.()) throw kernelErrors.clientLeft();
    prepared.push(await prepareEntry(site, caller, request, one));
  }
  const refusals = prepared.map((one) => refusalOf(site, one));
  if (validation === 'require-all-validate' && refusals.some((refusal) => refusal !== undefined)) {
    return {
      failed: 'validation',
      responses: refusals.map((refusal) => (refusal === undefined ? null : enclose(refusal))),
    };
  }
  const responses: unknown[] = [];
  for (const one of prepared) {
    if (request.hasLeft?.()) throw kernelErrors.clientLeft();
    responses.push(enclose('call' in one ? await execute(site, one) : one));
  }
  return { responses };
}

/** An entry ready to run, or the answer of one that names no route. */
async function prepareEntry(site: Site, caller: Caller, outer: Request, one: BatchEntry): Promise<Prepared | Reply> {
  try {
    const call = understandInner(site, innerRequest(outer, one));
    const prepared = await prepare(site, call, await callerOf(call, () => caller));
    return prepared.entry.route.batch
      ? prepared
      : { ...prepared, settled: kernelErrors.batchNotAllowed(), ahead: false };
  } catch (error) {
    if (error instanceof RefusedRequest) throw error;
    return refuse(site.report, outer, error, caller);
  }
}

/** What may not come with an entry: credentials, and another method than the one it names. */
const outerHeaders = new Set(['authorization', 'cookie', 'x-wp-nonce', 'x-http-method-override']);

function innerRequest(outer: Request, { path, method = 'POST', body, headers = {} }: BatchEntry): Request {
  const [sent, query = ''] = path.split('#')[0]!.split(/\?(.*)/s);
  if (!sent?.startsWith('/')) throw kernelErrors.parsePathFailed(path.slice(0, 100));
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')] as const);
  return requestFor(outer, {
    part: { body },
    method,
    path: decodedPath(sent),
    query,
    headers: Object.fromEntries(own.filter(([name]) => !outerHeaders.has(name))),
    sources: async () => ({ form: body, document: body }),
  });
}

/** Only what was refused for other reasons than permission counts as validation. */
function refusalOf(site: Site, one: Prepared | Reply): Reply | undefined {
  if (!('call' in one)) return one;
  if (!(one.settled instanceof Problem) || one.ahead) return undefined;
  return refuse(site.report, one.call.request, one.settled, one.caller, one.entry.route);
}

const enclose = ({ body, status, headers }: Reply): unknown => ({
  body,
  status,
  headers: Object.keys(headers).length === 0 ? [] : headers,
});

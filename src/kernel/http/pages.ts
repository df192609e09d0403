// Pages over HTTP: Fastify finds them, what they are given and what they answer is plain data.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { knocking } from '../knock.ts';
import { Problem } from '../problem.ts';
import { outage } from '../refusal.ts';
import type { Spool, Upload } from '../upload.ts';
import type { Arrival } from './arrival.ts';
import { readSources, wholeBytes } from './body.ts';
import type { ClientOf } from './client.ts';
import { composePage } from './compose.ts';
import type { Doorkeeper } from './doorkeeper.ts';
import { type MakePage, visitOf } from './open-pages.ts';
import type { Page, PageAnswer, PageAt, SentForm, StreamedAnswer, Visit } from './page.ts';
import { send as sendWhole } from './sending.ts';
import { noData, readUpload } from './upload.ts';

interface Mounting {
  readonly pages: readonly Page[];
  /** A page that came after these, and may go again. */
  readonly pageAt?: PageAt;
  /** The public site, wherever none of these pages is. */
  readonly makePage: MakePage;
  /** What those get who want something else there than to look at it. */
  missing(): PageAnswer | Promise<PageAnswer>;
  readonly arrival: Arrival;
  readonly clientOf: ClientOf;
  readonly doorkeeper: Doorkeeper;
  /** Where files that come with a form lie aside. */
  readonly spool?: Spool;
  report(error: unknown, id: string): void;
}

export const plain = 'text/plain; charset=UTF-8';
export const unshown = 'This page cannot be shown just now.\n';

export function mountPages(app: FastifyInstance, mounting: Mounting): void {
  // Bodies are read by us, with the same limits and patience as those of the interface.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  for (const page of mounting.pages) {
    app.route({ method: methodsOf(page), url: page.path, handler: (_, reply) => show(page, reply, mounting) });
  }
  app.setNotFoundHandler(async ({ raw: message }, reply) => {
    const page = mounting.pageAt?.(message.url ?? '/');
    const method = message.method === 'HEAD' ? 'GET' : message.method;
    if (page !== undefined && methodsOf(page).some((one) => one === method)) return show(page, reply, mounting);
    const id = String(reply.raw.getHeader('X-Request-Id'));
    if (message.method !== 'GET' && message.method !== 'HEAD')
      return send(reply, (await turnedAway(message, id, mounting)) ?? (await mounting.missing()));
    const visit = visitOf(message, id, mounting.clientOf);
    const stopped = await watched(mounting, visit);
    if (stopped !== undefined) return send(reply, stopped);
    const sendPage = await mounting.makePage(message, visit);
    reply.hijack();
    return sendPage(message, reply.raw, id);
  });
  app.setErrorHandler((error, _request, reply) => {
    const id = String(reply.raw.getHeader('X-Request-Id'));
    if (!(error instanceof Problem) && statusOf(error) >= 500) mounting.report(error, id);
    const problem = error instanceof Problem ? error : outage(error);
    if (typeof problem?.status !== 'number') return reply.code(statusOf(error)).type(plain).send(unshown);
    return reply.code(problem.status).headers(problem.headers).type(plain).send(`${problem.message}\n`);
  });
}

const methodsOf = (page: Page): ('GET' | 'POST')[] => (page.takesForms || page.takesFiles ? ['GET', 'POST'] : ['GET']);

async function show(page: Page, reply: FastifyReply, mounting: Mounting) {
  const { raw: message } = reply.request;
  const id = String(reply.raw.getHeader('X-Request-Id'));
  const answer = await (page.takesFiles ? visitedWithFile : visited)(page, message, id, mounting);
  if (isStreamed(answer)) return stream(reply, answer, mounting, id);
  if (message.method !== 'POST' || message.complete) return send(reply, answer);
  reply.hijack();
  return sendWhole(message, reply.raw, composePage(answer, false), id);
}

const isStreamed = (answer: PageAnswer | StreamedAnswer): answer is StreamedAnswer => typeof answer.body !== 'string';

function stream(reply: FastifyReply, answer: StreamedAnswer, { report }: Mounting, id: string): FastifyReply {
  answer.body.once('error', (error) => report(error, id));
  if (reply.request.method !== 'HEAD') return send(reply, answer);
  // Fastify would read all of it for nobody.
  answer.body.destroy();
  return send(reply, { ...answer, body: Readable.from([]) });
}

const send = (reply: FastifyReply, { status, headers, type, body }: PageAnswer | StreamedAnswer): FastifyReply =>
  reply
    .code(status)
    .headers({ ...headers } as Record<string, string | string[]>)
    .type(type)
    .send(body);

const statusOf = (error: unknown): number => (error as { statusCode?: number }).statusCode ?? 500;

/** Longer than anything people write into a form of ours. */
const formLimit = 64 * 1024;

async function visited(page: Page, message: IncomingMessage, id: string, mounting: Mounting) {
  const { visit, bytes } = await formVisitOf(message, id, mounting);
  return (await watched(mounting, visit, bytes)) ?? page.visit(visit);
}

/** What they get instead who are not to come in. */
async function watched({ doorkeeper }: Mounting, visit: Visit, bytes?: Uint8Array): Promise<PageAnswer | undefined> {
  const knock = knocking();
  return knock && doorkeeper.visiting(knock, visit, bytes);
}

/** Nothing is there that would take it; who sends what he should not is told so all the same. */
async function turnedAway(message: IncomingMessage, id: string, mounting: Mounting): Promise<PageAnswer | undefined> {
  const knock = knocking();
  if (knock === undefined || !mounting.doorkeeper.reads(knock))
    return watched(mounting, visitOf(message, id, mounting.clientOf));
  try {
    const { visit, bytes } = await formVisitOf(message, id, mounting, 'POST');
    return await watched(mounting, visit, bytes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return watched(mounting, visitOf(message, id, mounting.clientOf));
  }
}

async function visitedWithFile(page: Page, message: IncomingMessage, id: string, mounting: Mounting) {
  const { clientOf, arrival, spool } = mounting;
  const visit = visitOf(message, id, clientOf);
  const stopped = await watched(mounting, visit);
  if (stopped !== undefined) return stopped;
  if (message.method !== 'POST' || spool === undefined) return page.visit(visit);
  let kept: Upload | undefined;
  const sent = async (limit: number): Promise<SentForm> => {
    const { form = {}, upload } = await readUpload(message, { limit, arrival, spool });
    if (upload === undefined) throw noData();
    kept = upload;
    return { form, upload };
  };
  try {
    return await page.visit({ ...visit, method: 'POST', sent });
  } finally {
    await kept?.release();
  }
}

interface Sent {
  readonly visit: Visit;
  readonly bytes?: Uint8Array | undefined;
}

async function formVisitOf(
  message: IncomingMessage,
  id: string,
  { clientOf, arrival }: Mounting,
  method = message.method,
): Promise<Sent> {
  const visit = visitOf(message, id, clientOf);
  if (method !== 'POST') return { visit };
  const bytes = await wholeBytes(message, formLimit, arrival);
  const { form = {} } = await readSources(message, formLimit, arrival, bytes);
  return { visit: { ...visit, method: 'POST', form }, bytes };
}

// Pages over HTTP: Fastify finds them, what they are given and what they answer is plain data.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Roots } from '../faces.ts';
import { knocking } from '../knock.ts';
import { Problem } from '../problem.ts';
import { outage } from '../refusal.ts';
import type { Spool, Upload } from '../upload.ts';
import type { Layout } from './address.ts';
import type { Arrival } from './arrival.ts';
import { readSources, wholeBytes } from './body.ts';
import type { ClientOf } from './client.ts';
import { composePage } from './compose.ts';
import { type Doorkeeper, type SentToPage, type Stop, turnAway } from './doorkeeper.ts';
import { giveUp } from './malformed.ts';
import { type MakePage, visitOf } from './open-pages.ts';
import type { Page, PageAnswer, PageAt, SentForm, StreamedAnswer } from './page.ts';
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
  readonly roots: Roots;
  readonly layout: Layout;
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
    const isSending = message.method !== 'GET' && message.method !== 'HEAD';
    const stop = await (isSending ? turnedAway(message, mounting) : watched(mounting, {}));
    if (stop !== undefined) return stopped(stop, reply, mounting, id);
    if (isSending) return send(reply, await mounting.missing());
    const visit = visitOf(message, id, mounting.clientOf);
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
  if (isStop(answer)) return stopped(answer, reply, mounting, id);
  if (isStreamed(answer)) return stream(reply, answer, mounting, id);
  if (message.method !== 'POST' || message.complete) return send(reply, answer);
  reply.hijack();
  return sendWhole(message, reply.raw, composePage(answer, false), id);
}

type Visited = PageAnswer | StreamedAnswer | Stop;

const isStop = (answer: Visited): answer is Stop => 'problem' in answer;

/** In the form that whoever asks prefers. */
function stopped(stop: Stop, reply: FastifyReply, mounting: Mounting, id: string): Promise<void> {
  reply.hijack();
  const { raw: response } = reply;
  return turnAway(stop, reply.request.raw, response, id, mounting).catch((error) =>
    giveUp(error, response, id, mounting.report),
  );
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

async function visited(page: Page, message: IncomingMessage, id: string, mounting: Mounting): Promise<Visited> {
  const visit = visitOf(message, id, mounting.clientOf);
  if (message.method !== 'POST') return (await watched(mounting, {})) ?? page.visit(visit);
  const sent = await sentTo(message, mounting);
  const stop = await watched(mounting, sent instanceof Problem ? {} : sent);
  if (stop !== undefined) return stop;
  if (sent instanceof Problem) throw sent;
  return page.visit({ ...visit, method: 'POST', form: sent.form ?? {} });
}

/** Why they are not to come in. */
async function watched({ doorkeeper }: Mounting, sent: SentToPage): Promise<Stop | undefined> {
  const knock = knocking();
  return knock && doorkeeper.visiting(knock, sent);
}

/** Nothing is there that would take it; who sends what he should not is told so all the same. */
async function turnedAway(message: IncomingMessage, mounting: Mounting): Promise<Stop | undefined> {
  const knock = knocking();
  if (knock === undefined || !mounting.doorkeeper.reads(knock)) return watched(mounting, {});
  const sent = await sentTo(message, mounting);
  return watched(mounting, sent instanceof Problem ? {} : sent);
}

async function visitedWithFile(page: Page, message: IncomingMessage, id: string, mounting: Mounting): Promise<Visited> {
  const { clientOf, arrival, spool } = mounting;
  const visit = visitOf(message, id, clientOf);
  const isSending = message.method === 'POST' && spool !== undefined;
  let stop = await watched(mounting, { isToCome: isSending });
  if (stop !== undefined || !isSending) return stop ?? page.visit(visit);
  let kept: Upload | undefined;
  const sent = async (limit: number): Promise<SentForm> => {
    const { form = {}, upload } = await readUpload(message, { limit, arrival, spool });
    if (upload === undefined) throw noData();
    kept = upload;
    stop = await watched(mounting, { form, upload });
    if (stop !== undefined) throw await stop.problem();
    return { form, upload };
  };
  try {
    const answer = await page.visit({ ...visit, method: 'POST', sent });
    return stop ?? answer;
  } catch (error) {
    if (stop === undefined) throw error;
    return stop;
  } finally {
    await kept?.release();
  }
}

/** What came with it; or what is wrong with that. */
async function sentTo(message: IncomingMessage, { doorkeeper, arrival }: Mounting): Promise<SentToPage | Problem> {
  const knock = knocking();
  const keepsFiles = knock !== undefined && doorkeeper.reads(knock);
  try {
    const bytes = await wholeBytes(message, formLimit, arrival);
    const { form = {}, files } = await readSources(message, formLimit, arrival, { whole: bytes, keepsFiles });
    return { bytes, form, files };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

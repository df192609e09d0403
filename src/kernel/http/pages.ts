// Pages over HTTP: Fastify finds them, what they are given and what they answer is plain data.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { kernelErrors } from '../errors.ts';
import type { Roots } from '../faces.ts';
import { type Guarding, guardVisit, type SentToPage } from '../guarding.ts';
import { Problem } from '../problem.ts';
import { outage } from '../refusal.ts';
import { currentRequest } from '../request.ts';
import type { Refusal, Verdict } from '../request-guard.ts';
import type { Spool, Upload } from '../upload.ts';
import type { Layout } from './address.ts';
import type { Arrival } from './arrival.ts';
import { readSources, wholeBytes } from './body.ts';
import type { ClientOf } from './client.ts';
import { composePage } from './compose.ts';
import { giveUp } from './malformed.ts';
import { type MakePage, visitOf } from './open-pages.ts';
import type { Page, PageAnswer, PageAt, SentForm, StreamedAnswer } from './page.ts';
import { refuseRequest } from './refusing.ts';
import { send as sendWhole } from './sending.ts';
import { readUpload } from './upload.ts';

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
  readonly guarding?: Guarding | undefined;
  /** Where files that come with a form lie aside. */
  readonly spool?: Spool;
  report(error: unknown, id: string): void;
}

export const plain = 'text/plain; charset=UTF-8';
export const unshown = 'This page cannot be shown at the moment. Try again in 1 minute.\n';

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
    const refusal = await (isSending ? refusalOfSent(message, mounting) : refusalOf(mounting, {}));
    if (refusal !== undefined) return refused(refusal, reply, mounting, id);
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
  if (isRefusal(answer)) return refused(answer, reply, mounting, id);
  if (isStreamed(answer)) return stream(reply, answer, mounting, id);
  if (message.method !== 'POST' || message.complete) return send(reply, answer);
  reply.hijack();
  return sendWhole(message, reply.raw, composePage(answer, false), id);
}

type Visited = PageAnswer | StreamedAnswer | Refusal;

const isRefusal = (answer: Visited): answer is Refusal => 'problem' in answer;

async function refused(refusal: Refusal, reply: FastifyReply, mounting: Mounting, id: string): Promise<void> {
  const { guarding, report } = mounting;
  const incoming = currentRequest();
  if (guarding === undefined || incoming === undefined) throw refusal.problem;
  reply.hijack();
  const { raw: response } = reply;
  await refuseRequest(guarding, refusal, { message: reply.request.raw, response, incoming }, mounting).catch((error) =>
    giveUp(error, response, id, report),
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
  if (message.method !== 'POST') return (await refusalOf(mounting, {})) ?? page.visit(visit);
  const sent = await sentTo(message, mounting);
  const refusal = await refusalOf(mounting, sent instanceof Problem ? {} : sent);
  if (refusal !== undefined) return refusal;
  if (sent instanceof Problem) throw sent;
  return page.visit({ ...visit, method: 'POST', form: sent.form ?? {} });
}

async function refusalOf({ guarding }: Mounting, sent: SentToPage): Promise<Verdict> {
  const incoming = currentRequest();
  return incoming && guardVisit(guarding, incoming, sent);
}

/** No page takes what was sent, but guards judge it. */
async function refusalOfSent(message: IncomingMessage, mounting: Mounting): Promise<Verdict> {
  if (!needsBody(mounting)) return refusalOf(mounting, {});
  const sent = await sentTo(message, mounting);
  return refusalOf(mounting, sent instanceof Problem ? {} : sent);
}

function needsBody({ guarding }: Mounting): boolean {
  const incoming = currentRequest();
  return incoming !== undefined && guarding?.guard.needsBody(incoming) === true;
}

async function visitedWithFile(page: Page, message: IncomingMessage, id: string, mounting: Mounting): Promise<Visited> {
  const { clientOf, arrival, spool } = mounting;
  const visit = visitOf(message, id, clientOf);
  const isSending = message.method === 'POST' && spool !== undefined;
  let refusal = await refusalOf(mounting, { isToCome: isSending });
  if (refusal !== undefined || !isSending) return refusal ?? page.visit(visit);
  let kept: Upload | undefined;
  const sent = async (limit: number): Promise<SentForm> => {
    const { form = {}, upload } = await readUpload(message, { limit, arrival, spool });
    if (upload === undefined) throw kernelErrors.uploadNoData();
    kept = upload;
    refusal = await refusalOf(mounting, { form, upload });
    if (refusal !== undefined) throw refusal.problem;
    return { form, upload };
  };
  try {
    const answer = await page.visit({ ...visit, method: 'POST', sent });
    return refusal ?? answer;
  } catch (error) {
    if (refusal === undefined) throw error;
    return refusal;
  } finally {
    await kept?.release();
  }
}

/** What came with it; or what is wrong with that. */
async function sentTo(message: IncomingMessage, mounting: Mounting): Promise<SentToPage | Problem> {
  const { arrival } = mounting;
  const keepsFiles = needsBody(mounting);
  try {
    const bytes = await wholeBytes(message, formLimit, arrival);
    const { form = {}, files } = await readSources(message, formLimit, arrival, { whole: bytes, keepsFiles });
    return { bytes, form, files };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

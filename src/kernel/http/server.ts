// HTTP in and out. Nothing outside this folder knows that it exists.
import { randomBytes } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Fastify from 'fastify';
import { Admission, type AdmissionFigures, createPipelining } from './admission.ts';
import { type AnswerFigures, createAhead, createAnswers } from './answers.ts';
import { createArrival, wanted } from './arrival.ts';
import { boundConnections } from './connections.ts';
import { createExchange, createMakeAhead } from './exchange.ts';
import { type HttpOptions, listener, type OpenAnswers, openAnswers, type Serving } from './handling.ts';
import { createRanking, type Ranking } from './lane.ts';
import { type Limits, standardLimits } from './limits.ts';
import { refuse, refuseTunnel, rejectMalformed, unmetExpectation } from './malformed.ts';
import { createMakePageAhead, createOpenPages } from './open-pages.ts';
import { pageFinder } from './page.ts';
import { mountPages, plain, unshown } from './pages.ts';

export type { Observation } from './handling.ts';

export interface HttpServer {
  /** The address it listens at. */
  listen(where: { host: string; port: number }): Promise<string>;
  /** Stops accepting, waits for what is in flight, at most this long. */
  close(graceMilliseconds: number): Promise<void>;
  /** Has the answer made that anybody gets at this address, below the base. */
  ready(url: string): void;
  /** Of the answers that are kept. */
  figures(): AnswerFigures;
  /** Of the requests that are worked on, and of those that are not. */
  load(): AdmissionFigures;
}

export function createHttp(options: HttpOptions): HttpServer {
  const limits = { ...standardLimits, ...options.limits };
  const answers = createAnswers(options);
  const admission = new Admission(limits);
  const arrival = createArrival(limits, { apart: (message, read) => admission.apart(message, read) });
  const exchange = createExchange({ ...options, answers, arrival });
  const open = { ...options, openSite: options.openSite ?? options.missing, answers };
  const makers = [createMakeAhead({ ...options, answers }), createMakePageAhead(open)];
  const ahead = createAhead(async (url) => {
    for (const make of makers) await make(url).catch((error) => options.report(error, 'ahead'));
  });
  answers.outdated(ahead.ready);
  const ServerResponse = responseClass(options.strictTransport);
  const server = createServer({ ...timeouts(limits), ServerResponse });
  const underWay = openAnswers(server);
  const serving: Serving = {
    options,
    limits,
    answers,
    exchange,
    admission,
    open: underWay,
    nextId: requestIds(),
    ranking: rankingOf(options),
    pipelining: createPipelining(),
  };
  boundConnections(server, { ...limits, isProxy: (address) => options.isProxy?.(address) === true });
  server.on('connection', () => admission.connected());
  server.setTimeout(limits.idleTimeout);
  server.on('connect', (_message, socket) => refuseTunnel(socket, serving.nextId()));
  server.on('checkContinue', (message, response) => {
    message.once(wanted, () => response.writeContinue());
    server.emit('request', message, response);
  });
  server.on('checkExpectation', (_message, response) => refuse(response, unmetExpectation, serving.nextId()));
  const app = Fastify({
    logger: false,
    return503OnClosing: false,
    // People type addresses by hand.
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => rejectMalformed(error, socket, serving.nextId()),
    frameworkErrors: (_error, _request, reply: FastifyReply) => reply.code(400).type(plain).send(unshown),
    serverFactory: (pages) => server.on('request', listener(serving, pages as RequestListener)),
  });
  mountPages(app, { ...options, arrival, makePage: createOpenPages(open) });
  return {
    listen: (where) => app.listen({ ...where, backlog }),
    close: async (grace) => {
      await Promise.all([closeWithin(app, server, underWay, grace), ahead.stop()]);
    },
    ready: (url) => ahead.ready([url]),
    figures: answers.figures,
    load: () => admission.figures(),
  };
}

function rankingOf({ pages, pageAt, credentialCookie, now }: HttpOptions): Ranking {
  const ownPage = pageFinder(pages);
  return createRanking({ credentialCookie, now, pageAt: (url) => ownPage(url) ?? pageAt?.(url) });
}

/** Connections that wait to be taken; the system may bound it further. With fewer, a burst of clients waits seconds for another try. */
const backlog = 4_096;

const timeouts = (limits: Limits) => ({
  headersTimeout: limits.headersTimeout,
  // That of other bodies is kept where they are read: here nobody knows yet what comes.
  requestTimeout: Math.max(limits.requestTimeout, limits.uploadTimeout),
  keepAliveTimeout: limits.keepAliveTimeout,
  connectionsCheckingInterval: limits.checkingInterval,
  maxHeaderSize: limits.maxHeaderSize,
  // Refused by us, in the interface's own form.
  requireHostHeader: false,
});

/** Lets what is in flight finish; what is not finished by then is cut. */
async function closeWithin(app: FastifyInstance, server: Server, open: OpenAnswers, grace: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), grace);
  open.last();
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
  }
}

/** Ids for requests: unlike those of any other process, and cheap. */
function requestIds(): () => string {
  const origin = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${origin}-${(count++).toString(36)}`;
}

const name = 'Strict-Transport-Security';

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The class that `createServer` makes its responses of. */
function responseClass(value: string | undefined): typeof ServerResponse {
  if (value === undefined) return ServerResponse;
  // A list may belong to an answer that is kept, so it is copied.
  const withHeader = (head: Head = {}): Head =>
    Array.isArray(head) ? [...head, name, value] : { ...head, [name]: value };
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, reason?: string | Head, head?: Head): this {
      if (typeof reason !== 'string') return super.writeHead(status, withHeader(reason));
      return super.writeHead(status, reason, withHeader(head));
    }
  };
}

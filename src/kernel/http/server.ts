// HTTP in and out. Nothing outside this folder knows that it exists.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Dispatch } from '../dispatch.ts';
import type { Roots } from '../faces.ts';
import { forKnock, type Knock } from '../knock.ts';
import type { Spool } from '../upload.ts';
import { belowBase, type Layout, placeOf } from './address.ts';
import { createAhead } from './ahead.ts';
import { type AnswerFigures, type Answers, createAnswers, type Tracking } from './answers.ts';
import { createArrival, wanted } from './arrival.ts';
import { type ClientOf, peerOf } from './client.ts';
import { type Doorkeeper, turnAway } from './doorkeeper.ts';
import { createExchange, createMakeAhead, type Exchange } from './exchange.ts';
import { type FileHouse, filePathOf, sendFile } from './files.ts';
import { type Limits, standardLimits } from './limits.ts';
import { giveUp, originForm, refusalOf, refuse, refuseTunnel, rejectMalformed, unmetExpectation } from './malformed.ts';
import { type OpenAnswers, openAnswers } from './open-answers.ts';
import { createMakePageAhead, createOpenPages, type OpenSite } from './open-pages.ts';
import type { Page, PageAnswer, PageAt } from './page.ts';
import { mountPages, plain, unshown } from './pages.ts';
import { requestIds } from './request-id.ts';
import { responseClass } from './strict-transport.ts';

/** One answered request, for the log and the figures. */
export interface Observation {
  readonly id: string;
  readonly method: string;
  /** Without its query, which may hold secrets. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly address: string;
}

interface HttpOptions {
  readonly dispatch: Dispatch;
  readonly roots: Roots;
  readonly layout: Layout;
  readonly tracking: Tracking;
  /** The cookie that makes a browser known. */
  readonly credentialCookie: string;
  readonly pages: readonly Page[];
  /** Pages that come and go while it serves; what is in `pages` goes before. */
  readonly pageAt?: PageAt;
  /** What is shown wherever no page is; without it, what is missing. */
  readonly openSite?: OpenSite;
  /** What those get there who want something else than to look. */
  missing(): PageAnswer | Promise<PageAnswer>;
  /** Whose request it is. */
  readonly clientOf: ClientOf;
  readonly doorkeeper: Doorkeeper;
  readonly limits?: Partial<Limits>;
  /** Where uploads lie aside. */
  readonly spool?: Spool;
  readonly files?: FileHouse;
  /** What `Strict-Transport-Security` says in every answer; nothing where it is not sent. */
  readonly strictTransport?: string | undefined;
  /** What time it is, in milliseconds since 1970. */
  now(): number;
  observe(observation: Observation): void;
  report(error: unknown, id: string): void;
}

export interface HttpServer {
  /** The address it listens at. */
  listen(where: { host: string; port: number }): Promise<string>;
  /** Stops accepting, waits for what is in flight, at most this long. */
  close(graceMilliseconds: number): Promise<void>;
  /** Has the answer made that anybody gets at this address, below the base. */
  ready(url: string): void;
  /** Of the answers that are kept. */
  figures(): AnswerFigures;
}

/** What answering needs besides the request. */
interface Serving {
  readonly options: HttpOptions;
  readonly limits: Limits;
  readonly answers: Answers;
  readonly exchange: Exchange;
  readonly nextId: () => string;
  readonly open: OpenAnswers;
}

export function createHttp(options: HttpOptions): HttpServer {
  const limits = { ...standardLimits, ...options.limits };
  const answers = createAnswers(options);
  const arrival = createArrival(limits);
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
  const serving: Serving = { options, limits, answers, exchange, open: underWay, nextId: requestIds() };
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
    listen: (where) => app.listen(where),
    close: async (grace) => {
      await Promise.all([closeWithin(app, server, underWay, grace), ahead.stop()]);
    },
    ready: (url) => ahead.ready([url]),
    figures: answers.figures,
  };
}

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

/** The interface is answered here, kept answers first; what is none of its addresses is a page, and Fastify's. */
function listener(serving: Serving, pages: RequestListener): RequestListener {
  const { options, nextId } = serving;
  return (message, response) => {
    const id = nextId();
    try {
      arrived(serving, pages, { message, response, id });
    } catch (error) {
      giveUp(error, response, id, options.report);
    }
  };
}

interface Arrived {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
}

function arrived(serving: Serving, pages: RequestListener, { message, response, id }: Arrived): void {
  const { options, limits, answers, open } = serving;
  const { clientOf, doorkeeper } = options;
  const started = performance.now();
  // A connection that is cut says no more who was there: nothing is done for whom nobody knows, and nobody waits for an answer.
  if (peerOf(message) === '') {
    message.destroy();
    return;
  }
  const address = clientOf(message);
  const observe = () => options.observe(observation(message, response, id, started, address));
  if (!message.url?.startsWith('/')) message.url = originForm(message.url);
  message.url = belowBase(message.url, options.layout.base);
  const refusal = refusalOf(message, limits);
  const knock = knockOf(message, { id, address, began: started });
  const stop = refusal === undefined ? doorkeeper.arriving(knock) : undefined;
  const mayBeKept = refusal === undefined && stop === undefined && !open.isStopping && doorkeeper.keeps(knock);
  if (mayBeKept && answers.serve(message, response, id)) {
    observe();
    return;
  }
  open.add(response);
  response.once('close', observe);
  if (refusal !== undefined) refuse(response, refusal, id);
  else if (stop !== undefined)
    turnAway(stop, message, response, id, options).catch((error) => giveUp(error, response, id, options.report));
  else forKnock(knock, () => answerFor(serving, pages, { message, response, knock }));
}

interface Underway {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly knock: Knock;
}

function answerFor(
  { options, exchange }: Serving,
  pages: RequestListener,
  { message, response, knock }: Underway,
): void {
  const { id } = knock;
  const place = placeOf(message.url!, options.layout);
  if (place !== undefined) {
    exchange({ message, response, place, knock }).catch((error) => giveUp(error, response, id, options.report));
    return;
  }
  const showPage = () => {
    response.setHeader('X-Request-Id', id);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    pages(message, response);
  };
  const { files } = options;
  const path = files && filePathOf(message, files.base);
  if (files === undefined || path === undefined) {
    showPage();
    return;
  }
  fetched(files, options, { message, response, knock, path }).then(
    (isAnswered) => {
      if (isAnswered) return;
      // Well encoded, whatever it was: there is no such page.
      message.url = `/${files.base}/${path.split('/').map(encodeURIComponent).join('/')}`;
      showPage();
    },
    (error) => giveUp(error, response, id, options.report),
  );
}

/** Whom something is still to be asked about is asked before a file is sent. */
async function fetched(
  files: FileHouse,
  options: HttpOptions,
  { message, response, knock, path }: Underway & { readonly path: string },
): Promise<boolean> {
  const { doorkeeper } = options;
  const stop = doorkeeper.keeps(knock) ? undefined : await doorkeeper.visiting(knock, {});
  if (stop === undefined) return sendFile(files, { message, response, path, id: knock.id });
  await turnAway(stop, message, response, knock.id, options);
  return true;
}

const knockOf = (message: IncomingMessage, { id, address, began }: Pick<Knock, 'id' | 'address' | 'began'>): Knock => ({
  id,
  protocol: `HTTP/${message.httpVersion}`,
  method: message.method ?? 'GET',
  url: message.url ?? '/',
  headers: message.headers,
  address,
  peer: peerOf(message),
  port: message.socket.remotePort,
  began,
  user: 0,
});

function observation(
  message: IncomingMessage,
  response: ServerResponse,
  id: string,
  started: number,
  address: string,
): Observation {
  const path = (message.url ?? '').split('?', 1)[0]!;
  const milliseconds = performance.now() - started;
  return { id, method: message.method ?? '', path, status: response.statusCode, milliseconds, address };
}

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

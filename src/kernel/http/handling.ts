// What happens to a request from its first line on: who may not come in, whether an answer is kept, whether there is a place for it,
// and who answers it.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { networkOf } from '#lib/ip-address.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Roots } from '../faces.ts';
import { type Guarding, guardVisit } from '../guarding.ts';
import { type IncomingRequest, withRequest } from '../request.ts';
import type { Spool } from '../upload.ts';
import { belowBase, type Layout, type Place, placeOf } from './address.ts';
import type { Admission, Pipelining } from './admission.ts';
import type { Answers, Tracking } from './answers.ts';
import { type ClientOf, peerOf } from './client.ts';
import type { Exchange } from './exchange.ts';
import { type FileHouse, filePathOf, sendFile } from './files.ts';
import type { Ranking } from './lane.ts';
import type { Limits } from './limits.ts';
import { giveUp, originForm, refusalOf, refuse, refuseOverloaded } from './malformed.ts';
import type { OpenSite } from './open-pages.ts';
import type { Page, PageAnswer, PageAt } from './page.ts';
import { refuseRequest } from './refusing.ts';

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

export interface HttpOptions {
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
  /** Whether this peer brings the requests of many clients, as a proxy does. */
  isProxy?(address: string): boolean;
  readonly guarding?: Guarding | undefined;
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

/** What answering needs besides the request. */
export interface Serving {
  readonly options: HttpOptions;
  readonly limits: Limits;
  readonly answers: Answers;
  readonly exchange: Exchange;
  readonly admission: Admission;
  readonly ranking: Ranking;
  readonly pipelining: Pipelining;
  readonly nextId: () => string;
  readonly open: OpenAnswers;
}

/** The interface is answered here, kept answers first; what is none of its addresses is a page, and Fastify's. */
export function listener(serving: Serving, pages: RequestListener): RequestListener {
  const { options, nextId } = serving;
  return (message, response) => {
    serving.pipelining.inTurn(message, response, () => {
      const id = nextId();
      try {
        arrived(serving, pages, { message, response, id });
      } catch (error) {
        giveUp(error, response, id, options.report);
      }
    });
  };
}

interface Arrived {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
}

function arrived(serving: Serving, pages: RequestListener, { message, response, id }: Arrived): void {
  const { options, limits, answers, open, admission } = serving;
  const { clientOf, guarding } = options;
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
  const fault = refusalOf(message, limits);
  const incoming = incomingOf(message, { id, address, began: started, admission });
  const guarded = fault === undefined ? guarding?.guard.onConnect(incoming) : undefined;
  const mayBeKept =
    fault === undefined &&
    guarded === undefined &&
    !open.isStopping &&
    guarding?.guard.mayServeCached(incoming) !== false;
  if (mayBeKept && answers.serve(message, response, id)) {
    observe();
    return;
  }
  open.add(response);
  response.once('close', () => {
    observe();
    if (incoming.user !== 0) serving.ranking.wasGood(message);
  });
  if (fault !== undefined) refuse(response, fault, id);
  else if (guarding !== undefined && guarded !== undefined)
    refuseRequest(guarding, guarded, { message, response, incoming }, options).catch((error) =>
      giveUp(error, response, id, options.report),
    );
  else admitted(serving, pages, { message, response, incoming });
}

/** Begins it now or once there is a place for it. */
function admitted(serving: Serving, pages: RequestListener, { message, response, incoming }: Underway): void {
  const { admission, ranking, options } = serving;
  const place = placeOf(message.url!, options.layout);
  const rank = ranking.of(message, place === undefined);
  const begin = (): void => {
    try {
      withRequest(incoming, () => answerFor(serving, pages, { message, response, incoming, place }));
    } catch (error) {
      giveUp(error, response, incoming.id, options.report);
    }
  };
  if (rank === 'vital') {
    begin();
    return;
  }
  const refuse = () => refuseOverloaded(message, response, incoming.id, place === undefined);
  admission.enter({ rank, client: networkOf(incoming.address), message, response, begin, refuse });
}

interface Underway {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly incoming: IncomingRequest;
}

function answerFor(
  { options, exchange }: Serving,
  pages: RequestListener,
  { message, response, incoming, place }: Underway & { readonly place: Place | undefined },
): void {
  const { id } = incoming;
  if (place !== undefined) {
    exchange({ message, response, place, incoming }).catch((error) => giveUp(error, response, id, options.report));
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
  fetched(files, options, { message, response, incoming, path }).then(
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
  { message, response, incoming, path }: Underway & { readonly path: string },
): Promise<boolean> {
  const { guarding } = options;
  const isOpen = guarding === undefined || guarding.guard.mayServeCached(incoming) !== false;
  const refusal = isOpen ? undefined : await guardVisit(guarding, incoming, {});
  if (isOpen || refusal === undefined) return sendFile(files, { message, response, path, id: incoming.id });
  await refuseRequest(guarding, refusal, { message, response, incoming }, options);
  return true;
}

const incomingOf = (
  message: IncomingMessage,
  { id, address, began, admission }: Pick<IncomingRequest, 'id' | 'address' | 'began'> & Pick<Serving, 'admission'>,
): IncomingRequest => ({
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
  outside: (wait) => admission.outside(message, wait),
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

/** Answers under way. While the server stops, each is the last on its connection, so that nobody waits for a client who keeps one open. */
export interface OpenAnswers {
  readonly isStopping: boolean;
  add(response: ServerResponse): void;
  /** From now on: no connection is kept for another request. */
  last(): void;
}

export function openAnswers(server: Server): OpenAnswers {
  const open = new Set<ServerResponse>();
  let stopping = false;
  const end = (response: ServerResponse): void => {
    response.shouldKeepAlive = false;
    // One whose head has gone out already promised to stay; it is closed once it lies idle.
    if (response.headersSent) response.once('close', () => setImmediate(() => server.closeIdleConnections()));
  };
  return {
    get isStopping() {
      return stopping;
    },
    add(response) {
      if (stopping) end(response);
      else open.add(response.once('close', () => open.delete(response)));
    },
    last() {
      stopping = true;
      for (const response of open) end(response);
    },
  };
}

// What is no request at all, or none that is served, is answered in the interface's own form, and the connection ends.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, statusOf } from '../problem.ts';
import { outage } from '../refusal.ts';
import { unshared } from './compose.ts';
import { answerDue } from './connections.ts';
import type { Limits } from './limits.ts';
import { prefersJson } from './refusing.ts';

interface Malformation {
  readonly status: number;
  readonly reason: string;
  readonly code: string;
  readonly message: string;
}

const malformations: Record<string, Malformation> = {
  HPE_INVALID_METHOD: {
    status: 404,
    reason: 'Not Found',
    code: 'rest_no_route',
    message: 'No route matches this URL and method. The index of the API lists all routes.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    code: 'rest_headers_too_large',
    message: 'The header of the request is too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    code: 'rest_request_timeout',
    message: 'The request did not arrive within the time limit. Try again.',
  },
};

const other: Malformation = {
  status: 400,
  reason: 'Bad Request',
  code: 'rest_malformed_request',
  message: 'This is not a valid HTTP request.',
};

const tooLong: Malformation = {
  status: 414,
  reason: 'URI Too Long',
  code: 'rest_uri_too_long',
  message: 'The URL is too long.',
};

export const unmetExpectation: Malformation = {
  status: 417,
  reason: 'Expectation Failed',
  code: 'rest_expectation_failed',
  message: 'This server does not support the value of the header Expect.',
};

const failed: Malformation = {
  status: 500,
  reason: 'Internal Server Error',
  code: 'rest_internal_error',
  message:
    'The request failed because of an internal error. Try again. If it fails again, give the site operator the value of the header X-Request-Id.',
};

/** Answers on the bare connection. An answer that is due there to an earlier, whole request goes first and is the last. */
export function rejectMalformed(error: { code?: string }, socket: Duplex, id: string): void {
  const due = answerDue(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  if (due?.req.complete) return void due.once('finish', () => endSoon(socket));
  if (due?.headersSent) return void socket.destroy();
  const malformation = malformations[error.code ?? ''] ?? other;
  const body = bodyOf(malformation);
  const head = Object.entries(headersOf(body, id)).map(([name, value]) => `${name}: ${value}`);
  const text = [`HTTP/1.1 ${malformation.status} ${malformation.reason}`, ...head, '', body].join('\r\n');
  // A client that is too slow sends nothing more that its answer could be lost for.
  if (malformation.status === tooSlow) socket.once('finish', () => socket.destroy());
  endSoon(socket, text);
}

const tooSlow = 408;
/** In milliseconds. A connection that is cut while bytes arrive loses the answer too. */
const untilCut = 1_000;

/** Ends a connection whether or not the client ends its half. */
function endSoon(socket: Duplex, text = ''): void {
  const cut = setTimeout(() => socket.destroy(), untilCut);
  socket.once('close', () => clearTimeout(cut));
  socket.end(text);
}

/** Requests that can be read and are still none: of another protocol, without a host, at an endless address. */
export function refusalOf(message: IncomingMessage, { maxUrlLength }: Limits): Malformation | undefined {
  const { httpVersion, headers, url = '' } = message;
  if (url.length > maxUrlLength) return tooLong;
  if (httpVersion === '1.1') return headers.host === undefined ? other : undefined;
  return httpVersion === '1.0' ? undefined : other;
}

type Refusal = Omit<Malformation, 'reason'> & Partial<Malformation>;

export function refuse(response: ServerResponse, malformation: Refusal, id: string, details: object = {}): void {
  const body = bodyOf(malformation, details);
  response.writeHead(malformation.status, malformation.reason, headersOf(body, id)).end(body);
}

/** A tunnel is not to be had here. Node has let go of the connection by now, so it is watched and ended by us. */
export function refuseTunnel(socket: Duplex, id: string): void {
  socket.on('error', () => socket.destroy());
  rejectMalformed({ code: 'HPE_INVALID_METHOD' }, socket, id);
  socket.once('finish', () => socket.destroy());
}

const gone = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** An answer that failed while it was sent. What was sent of it is cut off, so that nobody takes it for the whole. */
export function giveUp(
  error: unknown,
  response: ServerResponse,
  id: string,
  report: (error: unknown, id: string) => void,
): void {
  if (gone.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')) return void response.destroy();
  const problem = error instanceof Problem ? error : outage(error);
  if (!(error instanceof Problem)) report(error, id);
  if (response.headersSent || response.destroyed) return void response.destroy();
  if (problem === undefined) return void refuse(response, failed, id, { reference: id });
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  const { code, message } = problem;
  const status = statusOf(problem, true);
  refuse(response, { status, code, message }, id);
}

/** The address of a request to a proxy, `http://host/path`, as that of a request to us; whose host it names is never asked. */
export function originForm(url = '/'): string {
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
}

/** Nobody has asked yet who it was, so the answer is on no shelf either. */
const headersOf = (body: string, id: string) => ({
  ...unshared,
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': id,
  'Content-Length': Buffer.byteLength(body),
  Connection: 'close',
});

const bodyOf = ({ status, code, message }: Refusal, details: object = {}): string =>
  JSON.stringify({ code, message, data: { status, ...details } });

/** In seconds. */
const retryAfter = 5;
const message = 'The site has too many requests at the moment. Try again in a few seconds.';

/** As the interface says it, or for people. */
export function refuseOverloaded(asked: IncomingMessage, response: ServerResponse, id: string, isPage: boolean): void {
  response.setHeader('Retry-After', retryAfter);
  if (!isPage || prefersJson(asked.headers.accept)) {
    refuse(response, { status: 503, code: 'overloaded', message }, id);
    return;
  }
  const body = `${message}\n`;
  const head = { 'Content-Type': 'text/plain; charset=UTF-8', 'Content-Length': body.length, 'X-Request-Id': id };
  response.writeHead(503, { ...head, 'Cache-Control': 'no-store', Connection: 'close' }).end(body);
}

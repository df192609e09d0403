// One request of the interface over HTTP, from the first line to the last byte of the answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Raw, type Reply } from '../answer.ts';
import type { Dispatch } from '../dispatch.ts';
import type { Roots } from '../faces.ts';
import { type IncomingRequest, noSources, type Request, type Sources } from '../request.ts';
import type { Spool } from '../upload.ts';
import { type Layout, type Place, placeOf } from './address.ts';
import type { Answers, Tracking } from './answers.ts';
import type { Arrival } from './arrival.ts';
import { readSigned, readSources, wholeBytes } from './body.ts';
import { apiHeaders, type Composed, compose, crossOrigin, holds } from './compose.ts';
import { ended, leftover, send } from './sending.ts';
import { readUpload } from './upload.ts';

interface ExchangeOptions {
  readonly dispatch: Dispatch;
  readonly roots: Roots;
  readonly answers: Answers;
  readonly tracking: Tracking;
  readonly arrival: Arrival;
  readonly spool?: Spool;
}

interface Underway {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly place: Place;
  readonly incoming: IncomingRequest;
}

export type Exchange = (underway: Underway) => Promise<void>;

/** Makes the answer of this address that anybody may have, and keeps it. */
export type MakeAhead = (url: string) => Promise<void>;

export function createExchange({ dispatch, roots, answers, tracking, ...reading }: ExchangeOptions): Exchange {
  return async (underway) => {
    const { message, response, place, incoming } = underway;
    const { id } = incoming;
    const since = answers.moment();
    const { answer: reply, topics } = await tracking.track(() => dispatch(requestOf(underway, reading)));
    if (response.destroyed) return discard(reply.body);
    if (reply.body instanceof Raw) {
      await sendRaw(underway, reply, reply.body, roots);
      return;
    }
    const shareable = answers.isShareable(message);
    if (shareable) answers.missed();
    const composed = compose(reply, { ...lookOf(place), roots, revalidates: shareable });
    await send(message, response, reply.headOnly ? withoutBody(composed, message) : composed, id);
    if (!shareable || topics === undefined || !isAnybodys(reply, composed)) return;
    answers.keep(message.url ?? '', composed, { topics, since, until: reply.until });
  };
}

type Making = Pick<ExchangeOptions, 'dispatch' | 'roots' | 'answers' | 'tracking'> & { readonly layout: Layout };

export function createMakeAhead({ dispatch, roots, answers, tracking, layout }: Making): MakeAhead {
  return async (url) => {
    const place = placeOf(url, layout);
    if (place === undefined) return;
    const since = answers.moment();
    const { answer: reply, topics } = await tracking.track(() => dispatch(unasked(place)));
    if (reply.body instanceof Raw) return discard(reply.body);
    const composed = compose(reply, { ...lookOf(place), roots, revalidates: true });
    if (topics === undefined || !isAnybodys(reply, composed)) return;
    answers.keep(url, composed, { topics, since, until: reply.until }, 'ahead');
  };
}

/** Nobody's request. */
const unasked = ({ face, path, query }: Place): Request => {
  const sources = async () => noSources;
  return { id: 'ahead', face, method: 'GET', path, query, headers: {}, address: '', sources };
};

const lookOf = ({ face, query }: Place) => ({ face, pretty: /(?:^|&)_pretty(?:[=&]|$)/.test(query) });

const isAnybodys = (reply: Reply, { etag }: Composed): boolean =>
  etag !== undefined && reply.understood === true && reply.personal !== true;

type Reading = Pick<ExchangeOptions, 'arrival' | 'spool'> & {
  readonly bytes?: Promise<Buffer | undefined> | undefined;
};

function requestOf({ message, response, place, incoming }: Underway, reading: Reading): Request {
  let read: Promise<Sources> | undefined;
  let bytes: Promise<Buffer | undefined> | undefined;
  return {
    id: incoming.id,
    incoming,
    face: place.face,
    method: message.method ?? 'GET',
    path: place.path,
    query: place.query,
    headers: message.headers as Record<string, string | undefined>,
    address: incoming.address,
    hasLeft: () => response.destroyed,
    bytes: (limit) => {
      bytes ??= read === undefined ? wholeBytes(message, limit, reading.arrival) : Promise.resolve(undefined);
      return bytes;
    },
    sources: (limit, as) => {
      // Its bytes were looked at by others before: they are here still.
      if (as === 'bytes' && bytes !== undefined) return sourcesOf(message, { ...reading, bytes }, limit, as);
      read ??= sourcesOf(message, { ...reading, bytes }, limit, as);
      return read;
    },
  };
}

async function sourcesOf(
  message: IncomingMessage,
  { arrival, spool, bytes }: Reading,
  limit: number,
  as?: Parameters<Request['sources']>[1],
): Promise<Sources> {
  const whole = await bytes;
  if (as === 'bytes') return readSigned(message, limit, arrival, whole);
  if (as === 'parts') return readSources(message, limit, arrival, { whole, keepsFiles: true });
  if (as === undefined || spool === undefined) return readSources(message, limit, arrival, { whole });
  return readUpload(message, { limit, arrival, spool });
}

/** `HEAD` that was asked for in another way than by the first line: there a body is announced, so it is empty. */
const withoutBody = (composed: Composed, { method }: IncomingMessage): Composed =>
  method === 'HEAD' ? composed : { ...composed, body: Buffer.alloc(0), compressible: false };

async function sendRaw(
  { message, response, place, incoming: { id } }: Underway,
  reply: Reply,
  raw: Raw,
  roots: Roots,
): Promise<void> {
  const headers = { ...apiHeaders(reply, place.face, roots, false), 'Content-Type': raw.type, 'X-Request-Id': id };
  const named = Object.entries(headers).flat();
  const head = [...named, ...crossOrigin(message.headers.origin, { head: named }), ...leftover(message)];
  const tag = reply.headers.ETag;
  if (typeof tag === 'string' && holds(message.headers['if-none-match'], tag)) {
    discard(raw);
    response.writeHead(304, head as string[]).end();
    return;
  }
  response.writeHead(reply.status, head as string[]);
  if (message.method === 'HEAD' || reply.headOnly) {
    discard(raw);
    await ended(message, response);
  } else if (typeof raw.body === 'string' || raw.body instanceof Uint8Array) response.end(raw.body);
  else await pipeline(raw.body, response);
}

/** A stream that nobody will read gives back what it holds. */
function discard(body: unknown): void {
  if (body instanceof Raw && body.body instanceof Readable) body.body.destroy();
}

// Answers to anonymous reads, kept as bytes until something they read is written. Bounded; a request that carries any
// credential never meets one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Composed } from './compose.ts';
import { acceptedEncoding, compress, type Encoding } from './encoding.ts';
import { corsHeaders } from './headers.ts';

/** How the answers learn what was read and what was written. */
export interface Tracking {
  /** Runs the work and tells which topics it read; undefined when no word of a change to them would come. */
  track<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly topics: ReadonlySet<string> | undefined }>;
  /** Tells what was written, once it is committed, by whichever process. */
  watch(listener: (topics: ReadonlySet<string>) => void): void;
}

interface Kept {
  readonly composed: Composed;
  readonly topics: ReadonlySet<string>;
  readonly bodies: Map<Encoding, Buffer | string>;
  readonly until: number;
  size: number;
}

export interface Answers {
  /** Sends a kept answer; false when there is none for this request. */
  serve(message: IncomingMessage, response: ServerResponse, id: string): boolean;
  /** A moment to hand to `keep`, taken before the answer was made. */
  now(): number;
  keep(message: IncomingMessage, composed: Composed, reading: Reading): void;
}

/** What an answer was made from: the topics read, since when, and how long the clock leaves it true. */
export interface Reading {
  readonly topics: ReadonlySet<string>;
  readonly since: number;
  readonly until?: number;
}

const mostBytes = 64 * 1024 * 1024;
const longestUrl = 2048;
const overhead = 1024;
const longestInOne = 16 * 1024;
const personal = [
  'authorization',
  'cookie',
  'x-wp-nonce',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
];

export const isShareable = ({ method, headers, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  url.length <= longestUrl &&
  !personal.some((name) => headers[name] !== undefined);

export function createAnswers(tracking: Pick<Tracking, 'watch'>): Answers {
  const kept = new Map<string, Kept>();
  const written = new Map<string, number>();
  let bytes = 0;
  let tick = 0;

  const forget = (url: string, answer: Kept): void => {
    bytes -= answer.size;
    kept.delete(url);
  };
  tracking.watch((topics) => {
    tick++;
    for (const topic of topics) written.set(topic, tick);
    for (const [url, answer] of kept) if (!answer.topics.isDisjointFrom(topics)) forget(url, answer);
  });
  const grow = (answer: Kept, length: number): void => {
    answer.size += length;
    bytes += length;
    for (const [url, oldest] of kept) {
      if (bytes <= mostBytes) return;
      forget(url, oldest);
    }
  };
  const bodyFor = (answer: Kept, header: string | undefined): Encoding => {
    const encoding = answer.composed.compressible ? acceptedEncoding(header) : 'identity';
    if (encoding === 'identity' || answer.bodies.has(encoding)) return encoding;
    void compress(answer.composed.body, encoding).then((body) => {
      if (answer.bodies.has(encoding)) return;
      answer.bodies.set(encoding, inOne(body));
      grow(answer, body.length);
    });
    return 'identity';
  };

  return {
    serve(message, response, id) {
      const url = message.url ?? '';
      const answer = kept.get(url);
      if (answer === undefined || !isShareable(message)) return false;
      if (answer.until <= Date.now()) {
        forget(url, answer);
        return false;
      }
      kept.delete(url);
      kept.set(url, answer);
      sendKept(message, response, id, answer, bodyFor(answer, message.headers['accept-encoding']));
      return true;
    },
    now: () => tick,
    keep(message, composed, { topics, since, until = Number.POSITIVE_INFINITY }) {
      const url = message.url ?? '';
      for (const topic of topics) if ((written.get(topic) ?? 0) > since) return;
      const before = kept.get(url);
      if (before !== undefined) forget(url, before);
      const bodies = new Map([['identity' as Encoding, inOne(composed.body)]]);
      const answer: Kept = { composed, topics, bodies, until, size: 0 };
      kept.set(url, answer);
      grow(answer, 2 * composed.body.length + url.length + overhead);
    },
  };
}

/** Node sends a short text in one piece with its head, and bytes apart from it. Each character stands for one byte. */
const inOne = (body: Buffer): Buffer | string => (body.length <= longestInOne ? body.toString('latin1') : body);

function sendKept(
  message: IncomingMessage,
  response: ServerResponse,
  id: string,
  answer: Kept,
  encoding: Encoding,
): void {
  const { composed, bodies } = answer;
  const body = bodies.get(encoding) ?? composed.body;
  const fresh = composed.etag !== undefined && message.headers['if-none-match'] === composed.etag;
  const head: (string | number)[] = [...composed.head, 'X-Request-Id', id];
  const cors = corsHeaders(message.headers.origin);
  if (cors !== undefined) for (const [name, value] of Object.entries(cors)) head.push(name, value);
  if (encoding !== 'identity') head.push('Content-Encoding', encoding);
  if (!fresh) head.push('Content-Length', body.length);
  response.writeHead(fresh ? 304 : composed.status, head as string[]);
  response.end(fresh || message.method === 'HEAD' ? undefined : body, 'latin1');
}

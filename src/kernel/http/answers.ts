// Answers to anonymous reads, kept as bytes until something they read is written. Bounded; a request that carries any
// credential never meets one. Cookies of other programs are none.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cached, type CacheFigures, TopicCache, type TopicNews } from '../topic-cache.ts';
import { acceptedEncoding, type Composed, compress, crossOrigin, type Encoding, holds } from './compose.ts';

/** How the answers learn what was read and what was written. */
export interface Tracking extends TopicNews {
  /** Runs the work and tells which topics it read; undefined when no word of a change to them would come. */
  track<T>(work: () => Promise<T>): Promise<{ readonly answer: T; readonly topics: ReadonlySet<string> | undefined }>;
}

interface KeptAnswer extends Cached {
  readonly composed: Omit<Composed, 'body'>;
  /** Also those under way, so that each is made once. */
  readonly bodies: Map<Encoding, Buffer | string | undefined>;
  readonly until: number;
  /** When somebody asked for it last; 0 while nobody did since it was made ahead. */
  asked: number;
}

interface AnswersOptions {
  readonly tracking: TopicNews;
  /** The cookie that is a credential. */
  readonly credentialCookie: string;
  /** In milliseconds since 1970. */
  now(): number;
}

export interface Answers {
  /** Whether the answer to this request may be anybody's. */
  isShareable(message: IncomingMessage): boolean;
  /** Sends a kept answer; false when there is none for this request. */
  serve(message: IncomingMessage, response: ServerResponse, id: string): boolean;
  /** A moment to hand to `keep`, taken before the answer was made. */
  moment(): number;
  /** `ahead`: nobody asked for it yet. */
  keep(url: string, composed: Composed, reading: Reading, ahead?: 'ahead'): void;
  /** Tells of answers that are not true any more, of those that somebody asked for since they were made. */
  outdated(listener: MakeReady): void;
  /** An answer that may be anybody's had to be made. */
  missed(): void;
  figures(): AnswerFigures;
}

export interface AnswerFigures extends CacheFigures {
  /** Sent as they were kept. */
  readonly served: number;
  /** Made although any reader may have them: none was kept. */
  readonly missed: number;
}

/** What an answer was made from: the topics read, since when, and how long the clock leaves it true. */
export interface Reading {
  readonly topics: ReadonlySet<string>;
  readonly since: number;
  readonly until?: number | undefined;
}

const maxBytes = 64 * 1024 * 1024;
const longestUrl = 2048;
const overhead = 1024;
const longestInOne = 16 * 1024;
const personal = ['authorization', 'x-wp-nonce', 'x-http-method-override', 'content-length', 'transfer-encoding'];

/** A cookie whose name or value merely contains the name is taken for one too: that costs little. */
const sharing =
  (credentialCookie: string) =>
  ({ method, headers, url = '' }: IncomingMessage): boolean =>
    (method === 'GET' || method === 'HEAD') &&
    url.length <= longestUrl &&
    !personal.some((name) => headers[name] !== undefined) &&
    headers.cookie?.includes(credentialCookie) !== true;

export function createAnswers({ tracking, credentialCookie, now }: AnswersOptions): Answers {
  const isShareable = sharing(credentialCookie);
  let served = 0;
  let asks = 0;
  let missed = 0;
  let listener: MakeReady = () => {};
  const cache = new TopicCache<KeptAnswer>(tracking, {
    maxBytes,
    onNews: (_, dropped) => listener(addressesOf(dropped)),
  });
  return {
    isShareable,
    serve(message, response, id) {
      const url = message.url ?? '';
      const answer = cache.get(url);
      if (answer === undefined || !isShareable(message)) return false;
      if (answer.until < Number.POSITIVE_INFINITY && answer.until <= now()) {
        cache.drop(url);
        return false;
      }
      cache.touch(url, answer);
      served += 1;
      answer.asked = ++asks;
      sendKept(message, response, id, answer, bodyFor(cache, url, answer, message.headers['accept-encoding']));
      return true;
    },
    moment: () => cache.moment,
    keep(url, composed, { topics, since, until = Number.POSITIVE_INFINITY }, ahead) {
      const { body, ...rest } = composed;
      const bodies = new Map([['identity' as Encoding, inOne(body)]]);
      const asked = ahead === undefined ? ++asks : 0;
      const size = body.length + url.length + overhead;
      cache.put(url, { composed: rest, topics, bodies, until, asked, size }, since);
    },
    missed: () => {
      missed += 1;
    },
    outdated(one) {
      listener = one;
    },
    figures: () => ({ ...cache.figures, served, missed }),
  };
}

/** The last asked for at the end. */
const addressesOf = (gone: ReadonlyMap<string, KeptAnswer>): string[] =>
  [...gone]
    .filter(([, { asked }]) => asked > 0)
    .sort(([, one], [, other]) => one.asked - other.asked)
    .map(([url]) => url);

/** The first who accepts a compressed answer gets it plain, and those after him compressed. */
function bodyFor(cache: TopicCache<KeptAnswer>, url: string, answer: KeptAnswer, header: string | undefined): Encoding {
  const { composed, bodies } = answer;
  const encoding = composed.compressible ? acceptedEncoding(header) : 'identity';
  if (encoding === 'identity' || bodies.get(encoding) !== undefined) return encoding;
  if (!bodies.has(encoding)) {
    bodies.set(encoding, undefined);
    void compress(bytesOf(bodies.get('identity')), encoding).then((body) => {
      bodies.set(encoding, inOne(body));
      cache.grow(url, answer, body.length);
    });
  }
  return 'identity';
}

/** Node sends a short text in one piece with its head, and bytes apart from it. Each character stands for one byte. */
const inOne = (body: Buffer): Buffer | string => (body.length <= longestInOne ? body.toString('latin1') : body);

const bytesOf = (body: Buffer | string = ''): Buffer => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body);

function sendKept(
  message: IncomingMessage,
  response: ServerResponse,
  id: string,
  answer: KeptAnswer,
  encoding: Encoding,
): void {
  const { composed, bodies } = answer;
  const body = bodies.get(encoding) ?? '';
  const fresh = holds(message.headers['if-none-match'], composed.etag);
  const head = [...composed.head, 'X-Request-Id', id, ...crossOrigin(message.headers.origin, composed)];
  if (encoding !== 'identity') head.push('Content-Encoding', encoding);
  if (!fresh) head.push('Content-Length', body.length);
  response.writeHead(fresh ? 304 : composed.status, head as string[]);
  response.end(fresh || message.method === 'HEAD' ? undefined : body, 'latin1');
}

// Answers that somebody asked for since they were made are made again right after what they tell has changed: the next who asks finds one
// ready. So no more is made ahead than was asked for, however much is written.

/** After one change; the others are made when somebody asks. */
const mostAtOnce = 8;

/** In milliseconds: whoever wrote has their answer first. */
const moment = 1;

/** Has the answers of these addresses made, the last of them first. */
type MakeReady = (urls: readonly string[]) => void;

interface Ahead {
  readonly ready: MakeReady;
  /** Once all that is to be made is made. */
  settled(): Promise<void>;
  /** Begins nothing any more, and waits for what is under way. */
  stop(): Promise<void>;
}

export function createAhead(make: (url: string) => Promise<void>): Ahead {
  let waiting: string[] = [];
  let isStopping = false;
  let underWay: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    await pause(moment);
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) await make(url);
    underWay = undefined;
  };
  return {
    ready(urls) {
      if (isStopping || urls.length === 0) return;
      waiting = [...new Set([...waiting, ...urls])].slice(-mostAtOnce);
      underWay ??= work();
    },
    async settled() {
      await underWay;
    },
    async stop() {
      isStopping = true;
      waiting = [];
      await underWay;
    },
  };
}

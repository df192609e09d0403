// Exchanges that were recorded elsewhere, replayed here: read from test/spec/recorded, sent again, and compared in shape.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Face } from '#kernel/faces.ts';
import { ask, type Told } from '#test/ask.ts';
import type { TestSite } from '#test/site.ts';
import { differences } from './shapes.ts';

export interface Exchange {
  readonly name: string;
  readonly request: {
    readonly line: string;
    /** The role whose application password was sent. */
    readonly as: string | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: Response;
}

interface Response {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
  readonly text?: string;
}

export function recorded(topic: string): Exchange[] {
  const file = join(import.meta.dirname, `../spec/recorded/${topic}.json`);
  return JSON.parse(readFileSync(file, 'utf8')).exchanges;
}

/** What the recordings leave open: values in angle brackets, and bodies that were left out. */
export interface Filling {
  /** The headers of this exchange as they are sent now. */
  headers(exchange: Exchange): Promise<Record<string, string>>;
  /** What stands for a text in angle brackets in the line. */
  word(placeholder: string): string;
  /** The bytes of a body that was left out. */
  body(placeholder: string, exchange: Exchange): string | Uint8Array;
  /** The part of an answer that is compared; without it, all of it. */
  comparable?(body: unknown): unknown;
}

/** One run through the exchanges of a topic, in order. Records made on the way have other names here, which it remembers. */
export interface Replay {
  /** How our answer differs from the one recorded; nothing when it does not. */
  play(exchange: Exchange): Promise<string[]>;
}

export function replayOn(site: TestSite, face: Face, filling: Filling): Replay {
  const places = new Map<string, string>();
  const rooted = (path: string): string =>
    face === 'classic' ? path : path.replace(/^\/wp-json\/wp([/-])/i, '/api/core$1').replace(/^\/wp-json/, '/api');
  const pathOf = (line: string): string => {
    const path = line.split(' ')[1]!.replace(/<[^>]+>/g, (word) => encodeURIComponent(filling.word(word)));
    // A record may be named below another one.
    const moved = [...places]
      .filter(([before]) => path.startsWith(before))
      .sort(([one], [other]) => other.length - one.length)[0];
    return moved === undefined ? rooted(path) : moved[1] + path.slice(moved[0].length);
  };
  return {
    async play(exchange) {
      const { line } = exchange.request;
      const headers = await filling.headers(exchange);
      const body = bodyOf(exchange, filling);
      const got = await ask(site.port, { method: line.split(' ')[0]!, path: pathOf(line), headers, body });
      const answer = answerOf(got, filling);
      const [before, after] = [placeOf(headersOf(exchange.response)), placeOf(headersOf(answer))];
      if (before !== undefined && after !== undefined) places.set(before, after);
      return compared(exchange.response, answer);
    },
  };
}

const placeOf = (headers: Headers): string | undefined => {
  const location = headers.get('location');
  return location === null ? undefined : new URL(location).pathname;
};

/** Accounts were recorded with the password `x`, which no account may have here. */
function withLongPassword({ request: { line } }: Exchange, body: unknown): unknown {
  const isOfUser = /^\w+ \/[^ ]*\/users(?:[/?\s]|$)/.test(line) && !line.includes('application-passwords');
  const isShort = (body as { password?: unknown } | null)?.password === 'x';
  return isOfUser && isShort ? { ...(body as object), password: 'a password that is long enough' } : body;
}

function bodyOf(exchange: Exchange, filling: Filling): string | Uint8Array {
  const { body = '' } = exchange.request;
  if (typeof body !== 'string') return JSON.stringify(withLongPassword(exchange, body));
  return /^<.*>$/.test(body) ? filling.body(body, exchange) : body;
}

function answerOf({ status, headers, text }: Told, { comparable = (body) => body }: Filling): Response {
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status, headers: [...headers], ...(isJson ? { body: comparable(bodyIn(text)) } : { text }) };
}

/** HEAD says what would come, and nothing comes. */
const bodyIn = (text: string): unknown => (text === '' ? null : JSON.parse(text));

const headersOf = ({ headers }: Response): Headers => new Headers(headers.map(([name, value]) => [name, value]));

/** What every answer carries: the recordings leave the first lines of it out, the rest concerns the connection. */
const everywhere = new Set([
  'access-control-allow-headers',
  'access-control-expose-headers',
  'content-type',
  'vary',
  'x-content-type-options',
  'x-robots-tag',
  'connection',
  'content-length',
  'content-security-policy',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'referrer-policy',
  'x-request-id',
]);

/** A `Link` that only names the index is not recorded either. */
const isIndexLink = (name: string, value: string): boolean =>
  name === 'link' && /^<[^>]*>; rel="https:\/\/api\.w\.org\/"$/.test(value);

/** Stands for words that do not matter, and where there are several. */
const leftOut = '(text)';

const telling = (headers: Headers): string[] =>
  [...headers].flatMap(([name, value]) => (everywhere.has(name) || isIndexLink(name, value) ? [] : [name]));

function compared(before: Response, now: Response): string[] {
  const outcome = [
    ...differing('status', before.status, now.status),
    ...differing('code', codeOf(before.body), codeOf(now.body)),
  ];
  if (before.status !== now.status) return outcome;
  const [was, is] = [headersOf(before), headersOf(now)];
  return [
    ...outcome,
    ...(was.get('allow') === leftOut ? [] : differing('Allow', was.get('allow'), is.get('allow'))),
    ...telling(was).flatMap((name) => (is.has(name) ? [] : [`without the header ${name}`])),
    ...telling(is).flatMap((name) => (was.has(name) ? [] : [`with the header ${name}`])),
    ...differences(before.body, now.body).filter((one) => !isDescription(one)),
  ];
}

/** Those of arguments and properties were removed from the recordings. */
const isDescription = (difference: string): boolean =>
  /\.(?:args|properties)\.[^.]+(?:\.items|\.oneOf\[\])*\.description: more$/.test(difference);

const differing = (what: string, was: unknown, is: unknown): string[] =>
  was === is ? [] : [`${what}: ${is ?? 'none'} instead of ${was ?? 'none'}`];

/** That of an entry of a log is no code of an answer. */
function codeOf(body: unknown): string | undefined {
  const code = (body as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** A difference that is meant, and why. */
export interface Accepted {
  readonly exchange: string;
  readonly differs: readonly string[];
  readonly why: string;
}

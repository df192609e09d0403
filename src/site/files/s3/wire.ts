// One question to the object store: signed, sent, timed, and asked again where that can help. Nothing else here opens a connection.
import { createHash } from 'node:crypto';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import type { Keys } from '#lib/operator.ts';
import type { Clock } from '../../platform/clock.ts';
import { brokenOf, isBroken, isUntrusted, passes, type Refused, refusalOf } from './faults.ts';

interface Question {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The store has work to do before it answers: seconds or minutes. */
  readonly long?: true;
  /** Statuses besides 2xx that are answers. */
  readonly takes?: readonly number[];
}

export type Answered = Dispatcher.ResponseData;

export interface Wire {
  /** The body is the caller's to read or destroy. */
  ask(question: Question): Promise<Answered>;
  /** The whole answer, which must not be long. */
  told(question: Question): Promise<{ status: number; headers: Answered['headers']; text: string }>;
  readonly place: string;
}

/** In milliseconds. */
export interface Patience {
  readonly connect: number;
  /** Until an answer begins. */
  readonly first: number;
  /** Between two pieces of it. */
  readonly stall: number;
  /** How long to rest after the n-th try. */
  pause(attempt: number): Promise<unknown>;
}

export const patience: Patience = {
  connect: 5_000,
  first: 20_000,
  stall: 30_000,
  pause: (attempt) => wait(200 * 2 ** attempt * (0.5 + Math.random() / 2)),
};

interface WireOptions {
  readonly keys: Keys;
  readonly region: string;
  /** For people: `the bucket "media" at s3.example.org`. */
  readonly place: string;
  readonly now: Clock;
  readonly patience: Patience;
}

const tries = 4;
const working = 180_000;
/** A line slower than this many bytes in a millisecond does not get a piece through. */
const slowest = 64;
const longestText = 8 * 1024 ** 2;

export function createWire(options: WireOptions): Wire {
  const { place, patience: limits } = options;
  const dispatcher = new Agent({
    connect: { timeout: limits.connect },
    bodyTimeout: limits.stall,
    connections: 64,
    allowH2: false,
  });
  const once = async (question: Question): Promise<Answered> => {
    const { method, url, body } = question;
    const headers = await signed(question, options);
    const headersTimeout = (question.long ? working : limits.first) + (body?.length ?? 0) / slowest;
    const answer = await request(url, { method, headers, body: body ?? null, dispatcher, headersTimeout });
    // One that is destroyed before it was read to its end is no fault that anybody waits for.
    answer.body.on('error', () => {});
    return answer;
  };
  /** An answer, or what to throw; `again` where another try may help. */
  const attempt = async (question: Question): Promise<Answered | { error: Error; again: boolean }> => {
    try {
      const answer = await once(question);
      const { statusCode: status } = answer;
      if ((status >= 200 && status < 300) || question.takes?.includes(status)) return answer;
      const refused = await refusedBy(answer);
      return { error: refusalOf(refused, place), again: passes(refused) };
    } catch (error) {
      if (!isBroken(error)) throw error;
      return { error: brokenOf(error, place), again: !isUntrusted(error) };
    }
  };
  const ask = async (question: Question): Promise<Answered> => {
    for (let n = 1; ; n += 1) {
      const outcome = await attempt(question);
      if (!('error' in outcome)) return outcome;
      if (!outcome.again || n === tries) throw outcome.error;
      await limits.pause(n);
    }
  };
  return { place, ask, told: (question) => whole(question, ask, options) };
}

/** Text that broke off, or an error that came after a good beginning, is asked for again like any other failure. */
async function whole(question: Question, ask: Wire['ask'], { place, patience: { pause } }: WireOptions) {
  for (let n = 1; ; n += 1) {
    const answer = await ask(question);
    const read = await textOf(answer.body).catch((error: unknown) => brokenOf(error, place));
    const code = typeof read === 'string' && answer.statusCode < 300 ? errorCode(read) : undefined;
    if (typeof read === 'string' && code === undefined)
      return { status: answer.statusCode, headers: answer.headers, text: read };
    if (n === tries) throw typeof read === 'string' ? refusalOf({ status: 500, code }, place) : read;
    await pause(n);
  }
}

/** What it says, if it is not too long. */
export async function textOf(body: Answered['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestText) throw Object.assign(new Error('Too long.'), { code: 'TOO_LONG' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function refusedBy({ statusCode: status, headers, body }: Answered): Promise<Refused> {
  const text = await textOf(body).catch(() => '');
  const region = headers['x-amz-bucket-region'];
  return { status, code: errorCode(text), ...(typeof region === 'string' && { region }) };
}

const mouthful = 1024 ** 2;

/** Bit by bit, so that requests are answered meanwhile. Web Crypto would copy it all, and keep the copies until some later day. */
async function digestOf(body: Uint8Array = new Uint8Array()): Promise<string> {
  const digest = createHash('sha256');
  for (let at = 0; at < body.length; at += mouthful) {
    if (at > 0) await turn();
    digest.update(body.subarray(at, at + mouthful));
  }
  return digest.digest('hex');
}

async function signed({ method, url, headers, body }: Question, { keys, region, now }: WireOptions) {
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: { ...headers, 'x-amz-content-sha256': await digestOf(body) },
    accessKeyId: keys.id,
    secretAccessKey: keys.secret,
    service: 's3',
    region,
    datetime: now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, ''),
  });
  const { headers: all } = await signer.sign();
  return { ...Object.fromEntries(all), 'user-agent': 'gatehouse' };
}

/** The few things an object store says in XML. Nothing of it is expanded or looked up, and who calls has bounded its length. */
const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return signs[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

/** What stands in the first element of this name that holds text alone. */
export function field(xml: string, name: string): string | undefined {
  const opening = `<${name}>`;
  const from = xml.indexOf(opening);
  if (from < 0) return undefined;
  const to = xml.indexOf('<', from + opening.length);
  return to < 0 || !xml.startsWith(`</${name}>`, to) ? undefined : unescaped(xml.slice(from + opening.length, to));
}

/** What stands in every element of this name. */
export function* elements(xml: string, name: string): Generator<string> {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  for (let from = xml.indexOf(opening); from >= 0; from = xml.indexOf(opening, from)) {
    const to = xml.indexOf(closing, from);
    if (to < 0) return;
    yield xml.slice(from + opening.length, to);
    from = to + closing.length;
  }
}

/** An error may also come with the status of a success, once the store had begun to answer. */
export const errorCode = (xml: string): string | undefined =>
  /<Error[\s>]/.test(xml) ? (field(xml, 'Code') ?? 'Error') : undefined;

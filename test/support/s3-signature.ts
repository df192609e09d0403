// Whether a request is signed as S3 wants it, worked out here from its bytes on the wire and from nothing that the program uses.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Keys } from '#lib/operator.ts';

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly headers?: Record<string, string>;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const quarterHour = 15 * 60 * 1000;

const strict = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=').map((part) => strict(decodeURIComponent(part)));
    return [name, value] as const;
  });
  return pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

const canonicalPath = (path: string): string =>
  path
    .split('/')
    .map((segment) => strict(decodeURIComponent(segment)))
    .join('/');

function dateOf(stamp: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(stamp) ?? [];
  return Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
}

/** What a request was refused for, or nothing. */
export function refusalOf(
  message: IncomingMessage,
  body: Uint8Array,
  expects: { keys: Keys; region: string; now: Date },
): Refusal | undefined {
  const header = (name: string): string => String(message.headers[name] ?? '');
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/;
  const [, id, day = '', region = '', names = '', signature] = form.exec(header('authorization')) ?? [];
  if (id === undefined) return { status: 403, code: 'AccessDenied' };
  if (id !== expects.keys.id) return { status: 403, code: 'InvalidAccessKeyId' };
  if (region !== expects.region) {
    const headers = { 'x-amz-bucket-region': expects.region };
    return { status: 400, code: 'AuthorizationHeaderMalformed', headers };
  }
  const stamp = header('x-amz-date');
  const skew = Math.abs(dateOf(stamp) - expects.now.getTime());
  if (!(skew <= quarterHour) || !stamp.startsWith(day)) return { status: 403, code: 'RequestTimeTooSkewed' };
  const mustBeSigned = Object.keys(message.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  const signed = names.split(';');
  if (mustBeSigned.some((name) => !signed.includes(name))) return { status: 403, code: 'AccessDenied' };
  if (header('x-amz-content-sha256') !== sha256(body)) return { status: 400, code: 'XAmzContentSHA256Mismatch' };
  const [path = '', query = ''] = (message.url ?? '').split('?');
  const lines = signed.map((name) => `${name}:${header(name).trim().replace(/\s+/g, ' ')}\n`).join('');
  const canonical = [message.method, canonicalPath(path), canonicalQuery(query), lines, names, sha256(body)].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const parts = [day, region, 's3', 'aws4_request'];
  const key = parts.reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${expects.keys.secret}`);
  return hmac(key, text).toString('hex') === signature ? undefined : { status: 403, code: 'SignatureDoesNotMatch' };
}

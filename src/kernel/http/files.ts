// Files over HTTP: whole or in part, once to each who keeps what was sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  readonly type: string;
  /** Sent to be saved under this name; shown, without one. */
  readonly saveAs?: string;
  /** Nothing when it is gone meanwhile. */
  open(part?: Part): Promise<Readable | undefined>;
}

/** The first and the last byte, both included. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

export interface FileHouse {
  /** The path that files are served under, without slashes around it. */
  readonly base: string;
  find(path: string): Promise<StoredFile | undefined>;
}

interface FileAsked {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly id: string;
}

/** The path below the files that an address names, as it stands where it cannot be decoded; nothing when it is none of theirs. */
export function filePathOf({ method, url = '' }: IncomingMessage, base: string): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const path = url.split('?', 1)[0]!;
  if (!path.startsWith(`/${base}/`)) return undefined;
  const below = path.slice(base.length + 2);
  try {
    return decodeURIComponent(below);
  } catch {
    return below;
  }
}

const longTime = 30 * 24 * 3_600;

/** False when there is no such file; nothing was said then. */
export async function sendFile(house: FileHouse, { message, response, path, id }: FileAsked): Promise<boolean> {
  const file = await house.find(path);
  if (file === undefined) return false;
  const tag = `"${file.size.toString(36)}-${file.modified.getTime().toString(36)}"`;
  const head = {
    'X-Request-Id': id,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
    'Cache-Control': `public, max-age=${longTime}`,
    'Last-Modified': file.modified.toUTCString(),
    ETag: tag,
    'Accept-Ranges': 'bytes',
    ...(file.saveAs !== undefined && { 'Content-Disposition': attachment(file.saveAs) }),
  };
  if (isOther(message, file, tag)) {
    response.writeHead(412, { ...head, 'Content-Length': 0 }).end();
    return true;
  }
  if (isKnown(message, file, tag)) {
    response.writeHead(304, head).end();
    return true;
  }
  const part = partOf(message, file, tag);
  if (part === 'none') {
    response.writeHead(416, { ...head, 'Content-Range': `bytes */${file.size}`, 'Content-Length': 0 }).end();
    return true;
  }
  const { first, last } = part ?? { first: 0, last: file.size - 1 };
  const about = {
    ...head,
    'Content-Type': file.type,
    'Content-Length': last - first + 1,
    ...(part !== undefined && { 'Content-Range': `bytes ${first}-${last}/${file.size}` }),
  };
  const status = part === undefined ? 200 : 206;
  if (message.method === 'HEAD') {
    response.writeHead(status, about).end();
    return true;
  }
  const stream = await file.open(part);
  if (stream === undefined) return false;
  if (response.destroyed) {
    stream.destroy(); // the client left while the file was being opened
    return true;
  }
  response.writeHead(status, about);
  await pipeline(stream, response);
  return true;
}

const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;

const seconds = (date: Date | number): number => Math.floor(Number(date) / 1_000);

/** Whether whoever asks wants it only as it was, and it is not so any more. */
function isOther({ headers }: IncomingMessage, { modified }: StoredFile, tag: string): boolean {
  const tags = headers['if-match'];
  if (tags !== undefined) return !tags.split(',').some((one) => ['*', tag].includes(one.trim()));
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return !Number.isNaN(since) && seconds(modified) > seconds(since);
}

/** Whether whoever asks has it already. A tag says more than a date. */
function isKnown({ headers }: IncomingMessage, { modified }: StoredFile, tag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && seconds(modified) <= seconds(since);
}

/** One part; who asks for several, or in words nobody knows, gets all of it. */
function partOf({ headers }: IncomingMessage, { size, modified }: StoredFile, tag: string): Part | 'none' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== tag && condition !== modified.toUTCString()) return undefined;
  if (from === '') return lastOf(Number(to), size);
  const part = { first: Number(from), last: Math.min(to === '' ? size - 1 : Number(to), size - 1) };
  if (to !== '' && Number(to) < part.first) return undefined;
  return part.first >= size ? 'none' : part;
}

const lastOf = (count: number, size: number): Part | 'none' =>
  count === 0 || size === 0 ? 'none' : { first: Math.max(0, size - count), last: size - 1 };

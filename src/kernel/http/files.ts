// Files over HTTP: whole or in part, once to each who keeps what was sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Unavailable } from '#lib/failures.ts';
import { accepts } from './compose.ts';

interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  readonly type: string;
  /** Sent to be saved under this name; shown, without one. */
  readonly saveAs?: string;
  /** Undefined when it is gone meanwhile. */
  open(part?: Part): Promise<Readable | undefined>;
  /** The same picture in other types, the best first. A client gets the first whose type its `Accept` names. */
  readonly variants?: readonly FileVariant[];
}

export type FileVariant = Pick<StoredFile, 'size' | 'modified' | 'type' | 'open'>;

/** The first and the last byte, both included. */
export interface Part {
  readonly first: number;
  readonly last: number;
}

export interface FileHouse {
  /** The path that files are served under, without slashes around it. */
  readonly base: string;
  /** `accept`: the types that the client names. Variants of others need not be found. */
  find(path: string, accept: string): Promise<StoredFile | MovedFile | undefined>;
}

/** The file has another name now, in the same folder. */
interface MovedFile {
  readonly movedTo: string;
}

/** The file was replaced after it was found. It can be found again. */
export class FileReplaced extends Unavailable {}

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

/** False when there is no such file; nothing was sent then. */
export async function sendFile(house: FileHouse, asked: FileAsked): Promise<boolean> {
  try {
    return await findAndSend(house, asked);
  } catch (error) {
    if (!(error instanceof FileReplaced) || asked.response.headersSent) throw error;
    return findAndSend(house, asked);
  }
}

async function findAndSend(house: FileHouse, asked: FileAsked): Promise<boolean> {
  const { accept } = asked.message.headers;
  const file = await house.find(asked.path, accept ?? '');
  if (file === undefined) return false;
  if ('movedTo' in file) return sendMoved(file, asked);
  const variant = variantFor(file, accept);
  // A variant that is gone meanwhile leaves the file itself.
  return (variant !== undefined && (await send(file, variant, asked))) || send(file, file, asked);
}

/** Not cached, because the file may move back. */
function sendMoved({ movedTo }: MovedFile, { message, response, id }: FileAsked): true {
  const query = /\?.*$/s.exec(message.url ?? '')?.[0] ?? '';
  const head = { 'X-Request-Id': id, 'Cache-Control': 'public, max-age=0, must-revalidate', 'Content-Length': 0 };
  response.writeHead(301, { ...head, Location: `./${encodeURIComponent(movedTo)}${query}` }).end();
  return true;
}

/** Wildcards name no variant: clients send them that can show none of the newer types. */
const variantFor = ({ variants = [] }: StoredFile, accept = ''): FileVariant | undefined =>
  variants.find(({ type }) => accepts(accept.toLowerCase(), type));

/** `chosen`: the file itself or one of its variants. */
async function send(file: StoredFile, chosen: FileVariant, { message, response, id }: FileAsked): Promise<boolean> {
  const { size, modified, type } = chosen;
  const version = `${size.toString(36)}-${modified.getTime().toString(36)}`;
  const tag = chosen === file ? `"${version}"` : `"${version}-${type.replace('/', '-')}"`;
  const head = {
    'X-Request-Id': id,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'",
    'Cache-Control': `public, max-age=${longTime}`,
    'Last-Modified': modified.toUTCString(),
    ETag: tag,
    'Accept-Ranges': 'bytes',
    ...(file.variants !== undefined && { Vary: 'Accept' }),
    ...(file.saveAs !== undefined && { 'Content-Disposition': attachment(file.saveAs) }),
  };
  const empty = (status: number, more: Readonly<Record<string, string | number>>): true => {
    response.writeHead(status, { ...head, ...more }).end();
    return true;
  };
  if (isOther(message, chosen, tag)) return empty(412, { 'Content-Length': 0 });
  if (isKnown(message, chosen, tag)) return empty(304, {});
  const part = partOf(message, chosen, tag);
  if (part === 'none') return empty(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': 0 });
  const { first, last } = part ?? { first: 0, last: size - 1 };
  const about = {
    'Content-Type': type,
    'Content-Length': last - first + 1,
    ...(part !== undefined && { 'Content-Range': `bytes ${first}-${last}/${size}` }),
  };
  const status = part === undefined ? 200 : 206;
  if (message.method === 'HEAD') return empty(status, about);
  const stream = await chosen.open(part);
  if (stream === undefined) return false;
  if (response.destroyed) {
    stream.destroy(); // the client left while the file was being opened
    return true;
  }
  response.writeHead(status, { ...head, ...about });
  await pipeline(stream, response);
  return true;
}

const attachment = (name: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;

const seconds = (date: Date | number): number => Math.floor(Number(date) / 1_000);

/** Whether whoever asks wants it only as it was, and it is not so any more. */
function isOther({ headers }: IncomingMessage, { modified }: FileVariant, tag: string): boolean {
  const tags = headers['if-match'];
  if (tags !== undefined) return !tags.split(',').some((one) => ['*', tag].includes(one.trim()));
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return !Number.isNaN(since) && seconds(modified) > seconds(since);
}

/** Whether whoever asks has it already. A tag says more than a date. */
function isKnown({ headers }: IncomingMessage, { modified }: FileVariant, tag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && seconds(modified) <= seconds(since);
}

/** One part; who asks for several, or in words nobody knows, gets all of it. */
function partOf({ headers }: IncomingMessage, { size, modified }: FileVariant, tag: string): Part | 'none' | undefined {
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

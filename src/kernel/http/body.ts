// The body of a request, read after its route is known, so that the route's own limit counts and nothing is read for nobody.
import type { IncomingMessage } from 'node:http';
import { readJson } from '../args/json.ts';
import { parseQuery } from '../args/query.ts';
import { kernelErrors } from '../errors.ts';
import { hasBody, noSources, type Sources } from '../request.ts';
import { type Arrival, arriving } from './arrival.ts';
import { readMultipart } from './multipart.ts';

const json = /^application\/(?:[\w.!#$&^+-]+\+)?json$/;
export const multipart = 'multipart/form-data';
const urlencoded = 'application/x-www-form-urlencoded';
const formMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const formWithoutType = new Set(['PUT', 'PATCH', 'DELETE']);

export const mediaType = (message: IncomingMessage): string =>
  (message.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();

/** As it came; nothing of a form in parts, which is read part by part. */
export async function wholeBytes(
  message: IncomingMessage,
  limit: number,
  arrival: Arrival,
): Promise<Buffer | undefined> {
  if (!hasBody(message) || message.readableEnded || mediaType(message) === multipart) return undefined;
  refuseEncoded(message);
  return readBytes(message, limit, arrival);
}

interface How {
  /** Its bytes, where they were read already. */
  readonly whole?: Buffer | undefined;
  /** Whether files in a form are told of, which nobody takes here. */
  readonly keepsFiles?: boolean;
}

export async function readSources(
  message: IncomingMessage,
  limit: number,
  arrival: Arrival,
  { whole, keepsFiles = false }: How = {},
): Promise<Sources> {
  if (whole === undefined && (!hasBody(message) || message.readableEnded)) return noSources;
  refuseEncoded(message);
  const type = mediaType(message);
  const bytes = async () => whole ?? (await readBytes(message, limit, arrival));
  if (json.test(type)) return jsonSources(readJson(await bytes()));
  if (!formMethods.has(message.method ?? '')) return noSources;
  if (type === multipart) {
    const { fields, files } = await readMultipart(message, limit, arrival, keepsFiles);
    return { form: parseQuery(fields), ...(keepsFiles && { files }) };
  }
  const isForm = type === urlencoded || (type === '' && formWithoutType.has(message.method ?? ''));
  if (!isForm && type !== '' && type !== 'text/plain') return noSources;
  const text = (await bytes()).toString('utf8');
  return { ...(isForm && { form: parseQuery(text) }), ...(isJson(text) && { isUnreadJson: true }) };
}

/** As it was signed, with what it means where it is JSON. */
export async function readSigned(
  message: IncomingMessage,
  limit: number,
  arrival: Arrival,
  whole?: Buffer,
): Promise<Sources> {
  if (whole === undefined && (!hasBody(message) || message.readableEnded)) return noSources;
  refuseEncoded(message);
  const bytes = whole ?? (await readBytes(message, limit, arrival));
  return json.test(mediaType(message)) ? { ...jsonSources(readJson(bytes)), bytes } : { bytes };
}

/** An object or a list that holds something. */
const isJson = (text: string): boolean => {
  if (!/^\s*[[{]\s*[^\s\]}]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Only an object's members are arguments; any other value is a document for the few routes that take one. */
function jsonSources(document: unknown): Sources {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return { document };
  return { json: document as Record<string, unknown>, document };
}

export function refuseEncoded(message: IncomingMessage): void {
  const encoding = message.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const transfer = message.headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  if (encoding === 'identity' && transfer === 'chunked') return;
  throw kernelErrors.unsupportedEncoding();
}

async function readBytes(message: IncomingMessage, limit: number, arrival: Arrival): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer): void => void chunks.push(chunk);
  const { promise, resolve } = Promise.withResolvers<void>();
  try {
    await arriving(message, limit, arrival, () => {
      message.on('data', keep).once('end', resolve);
      return promise;
    });
  } finally {
    message.off('data', keep);
  }
  return Buffer.concat(chunks);
}

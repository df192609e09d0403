// The fields of a multipart body, as the form they stand for. Files are the concern of routes that take uploads, and of those who
// look at all that is sent.
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FormFile } from '../upload.ts';
import { type Arrival, arriving, incomplete } from './arrival.ts';

/** One more than are read, so that too many are refused as in any form, and not dropped in silence. */
const mostFields = 1001;

interface Read {
  /** Written as a query, which is how their names are read. */
  readonly fields: string;
  /** Those that were to be kept. */
  readonly files: readonly FormFile[];
}

export function readMultipart(
  message: IncomingMessage,
  limit: number,
  arrival: Arrival,
  keepsFiles: boolean,
): Promise<Read> {
  const fields = new URLSearchParams();
  const files: FormFile[] = [];
  const parser = parserFor(message, limit);
  const { promise, resolve, reject } = Promise.withResolvers<Read>();
  parser.on('field', (name, value) => fields.append(name, value));
  const stop = (error: unknown): void => reject(incomplete(error));
  parser.on('file', (field, stream, name, _encoding, type) => {
    const pieces: Buffer[] = [];
    const keep = (piece: Buffer): void => void pieces.push(piece);
    stream.on('data', keepsFiles ? keep : () => {});
    if (keepsFiles)
      stream.on('end', () => files.push({ field, name: baseOf(name), type, bytes: Buffer.concat(pieces) }));
    // A file that is torn says so itself, and an error that nobody hears would end the process.
    stream.on('error', stop);
  });
  parser.on('finish', () => resolve({ fields: fields.toString(), files }));
  parser.on('error', stop);
  return arriving(message, limit, arrival, () => {
    message.pipe(parser);
    return promise;
  });
}

/** A name without folders. */
export const baseOf = (name: string | undefined): string => (name ?? '').split(/[/\\]/).at(-1)!.trim();

export function parserFor(message: IncomingMessage, limit: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: message.headers as BusboyHeaders,
      limits: { fields: mostFields, fieldSize: limit, parts: mostFields },
    });
  } catch (error) {
    throw incomplete(error);
  }
}

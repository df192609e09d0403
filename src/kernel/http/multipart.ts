// The fields of a multipart body, as the form they stand for. Files are the concern of routes that take uploads.
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { type Arrival, arriving, incomplete } from './arrival.ts';

/** One more than are read, so that too many are refused as in any form, and not dropped in silence. */
const mostFields = 1001;

/** The fields written as a query, which is how their names are read. */
export function readMultipart(message: IncomingMessage, limit: number, arrival: Arrival): Promise<string> {
  const fields = new URLSearchParams();
  const parser = parserFor(message, limit);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  parser.on('field', (name, value) => fields.append(name, value));
  const stop = (error: unknown): void => reject(incomplete(error));
  // A file that is torn says so itself, and an error that nobody hears would end the process.
  parser.on('file', (_name, file) => file.on('error', stop).resume());
  parser.on('finish', () => resolve(fields.toString()));
  parser.on('error', stop);
  return arriving(message, limit, arrival, () => {
    message.pipe(parser);
    return promise;
  });
}

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

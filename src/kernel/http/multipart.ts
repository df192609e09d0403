// The fields of a multipart body, as the form they stand for. Files are the concern of routes that take uploads.
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Problem } from '../problem.ts';

/** One more than are read, so that too many are refused as in any form, and not dropped in silence. */
const mostFields = 1001;

export const tooLarge = (limit: number): Problem =>
  new Problem(413, 'rest_body_too_large', `The body is larger than the ${limit} bytes this address takes.`);

export const incomplete = (cause?: unknown): Problem =>
  new Problem(400, 'rest_body_incomplete', 'The body ended before it was complete.', {}, { cause });

/** The fields written as a query, which is how their names are read. */
export function readMultipart(message: IncomingMessage, limit: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fields = new URLSearchParams();
  const parser = parserFor(message, limit);
  let length = 0;
  const stop = (error: unknown): void => {
    message.unpipe(parser);
    reject(error instanceof Problem ? error : incomplete(error));
  };
  parser.on('field', (name, value) => fields.append(name, value));
  parser.on('file', (_name, file) => file.on('error', stop).resume());
  parser.on('finish', () => resolve(fields.toString()));
  parser.on('error', stop);
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) stop(tooLarge(limit));
  });
  message.once('error', stop);
  message.once('close', () => message.complete || stop(undefined));
  message.pipe(parser);
  return promise;
}

function parserFor(message: IncomingMessage, limit: number): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: message.headers as BusboyHeaders,
      limits: { fields: mostFields, fieldSize: limit, parts: mostFields },
    });
  } catch (error) {
    throw incomplete(error);
  }
}

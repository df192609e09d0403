// The fields of a multipart body, as the form they stand for. Files are the concern of routes that take uploads, and of those who
// look at all that is sent.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { parseQuery } from '../args/query.ts';
import { kernelErrors } from '../errors.ts';
import { Problem } from '../problem.ts';
import { outage } from '../refusal.ts';
import type { FormFile, Upload } from '../upload.ts';
import { type Arrival, arriving, incomplete, patiently, tooLarge } from './arrival.ts';

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
const baseOf = (name: string | undefined): string => (name ?? '').split(/[/\\]/).at(-1)!.trim();

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

/** A form with a file in it, wherever it stands among the fields. */
export interface FileInForm {
  readonly field: string;
  readonly name: string;
  /** As whoever sent it said. */
  readonly type: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Reading {
  readonly arrival: Arrival;
  /** What all fields may take together, in bytes. */
  readonly most: number;
  /** Throws when this is more than the message may have, in bytes, whatever of it anybody wants. */
  refuseLonger(bytes: number): void;
  keep(file: FileInForm): Promise<Upload>;
}

interface FormWithFile {
  readonly form: Record<string, unknown>;
  /** The part that is named `file`, or the first file where none is. */
  readonly upload: Upload | undefined;
}

interface Part {
  readonly field: string;
  readonly stream: Readable;
  readonly kept: Promise<Upload>;
}

export async function readForm(message: IncomingMessage, reading: Reading): Promise<FormWithFile> {
  const { arrival, most, refuseLonger, keep } = reading;
  const { room } = arrival;
  const parser = parserFor(message, most);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {}); // heard of where something waits
  const fields = new URLSearchParams();
  const parts: Part[] = [];
  let taken = 0;
  let isOver = false;
  parser.on('field', (name, value) => {
    if (isOver) return;
    const bytes = name.length + value.length;
    if (taken + bytes > most) return fail(tooLarge(most));
    if (!room.take(bytes)) return fail(kernelErrors.tooBusy('The site is receiving too much data at the moment.'));
    taken += bytes;
    fields.append(name, value);
  });
  parser.on('file', (field, stream, name, _encoding, type) => {
    const isWanted = parts.length === 0 || (field === 'file' && parts.length === 1 && parts[0]!.field !== 'file');
    // A file that is torn says so itself, and an error that nobody hears would end the process. Whoever keeps one hears it first.
    stream.on('error', (error) => isWanted || fail(incomplete(error)));
    if (isOver || !isWanted) return void stream.resume();
    const kept = keep({ field, name: baseOf(name), type, bytes: stream });
    kept.catch(fail);
    parts.push({ field, stream, kept });
  });
  parser.on('error', (error) => fail(incomplete(error)));
  try {
    await Promise.race([
      poured(counted(patiently(message, arrival), refuseLonger), parser, failed, () => isOver),
      failed,
    ]);
    const kept = await Promise.all(parts.map((part) => part.kept));
    await Promise.all(kept.slice(0, -1).map((upload) => upload.release()));
    return { form: parseQuery(fields.toString()), upload: kept.at(-1) };
  } catch (error) {
    // More may still come: of that nothing is kept.
    isOver = true;
    for (const { stream } of parts) stream.destroy(new Error('The upload was stopped.'));
    await Promise.all(parts.map(({ kept }) => kept.then((upload) => upload.release()).catch(() => {})));
    // A full disk is not the client's mistake: only a form that was torn is incomplete.
    throw error instanceof Problem || outage(error) !== undefined ? error : incomplete(error);
  } finally {
    room.give(taken);
  }
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  refuseLonger: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    refuseLonger(size);
    yield piece;
  }
}

async function poured(
  bytes: AsyncIterable<Uint8Array>,
  parser: ReturnType<typeof parserFor>,
  failed: Promise<never>,
  isOver: () => boolean,
): Promise<void> {
  const finished = once(parser, 'finish');
  finished.catch(() => {});
  for await (const piece of bytes) {
    if (!isOver() && !parser.write(piece)) await Promise.race([once(parser, 'drain'), failed]);
  }
  parser.end();
  await Promise.race([finished, failed]);
}

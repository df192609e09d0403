// A file in a body: the body itself, or one part of a form. It is laid aside while it arrives, so that memory stays flat.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hasBody } from '../knock.ts';
import { Problem } from '../problem.ts';
import type { Sources } from '../request.ts';
import type { Laid, Spool, Upload } from '../upload.ts';
import { type Arrival, incomplete, patiently } from './arrival.ts';
import { mediaType, multipart, refuseEncoded } from './body.ts';
import { fileNameIn } from './disposition.ts';
import { type FileInForm, readForm } from './form-upload.ts';

interface Taking {
  /** Of the file, in bytes. */
  readonly limit: number;
  readonly arrival: Arrival;
  readonly spool: Spool;
}

/** What a form may say besides its file, in bytes. */
const mostBeside = 8 * 2 ** 20;

const refused = (code: string, message: string, status = 400): Problem => new Problem(status, code, message);

export const noData = (): Problem => refused('rest_upload_no_data', 'No file was sent.');
const tooBig = (limit: number) =>
  refused('rest_upload_file_too_big', `The file is larger than the ${limit} bytes that are taken here.`, 413);

export async function readUpload(message: IncomingMessage, taking: Taking): Promise<Sources> {
  if (!hasBody(message)) throw noData();
  if (message.readableEnded) throw incomplete();
  refuseEncoded(message);
  const isForm = mediaType(message) === multipart;
  const announced = Number(message.headers['content-length'] ?? 0);
  if (announced > taking.limit + (isForm ? mostBeside : 0)) throw tooBig(taking.limit);
  return taking.arrival.apart(message, async () =>
    isForm ? fromForm(message, taking) : { upload: await fromBody(message, taking) },
  );
}

async function fromBody(message: IncomingMessage, { limit, arrival, spool }: Taking): Promise<Upload> {
  const disposition = message.headers['content-disposition'];
  if (disposition === undefined)
    throw refused('rest_upload_no_content_disposition', 'Please name the file with the header Content-Disposition.');
  const name = fileNameIn(disposition);
  if (name === undefined)
    throw refused('rest_upload_invalid_disposition', 'The header Content-Disposition names no file: filename="…".');
  const counted = counting(patiently(message, arrival), limit, sumOf(message));
  return whole(await spool(counted.bytes), counted, { name, type: mediaType(message), inForm: false });
}

async function fromForm(message: IncomingMessage, { limit, arrival, spool }: Taking): Promise<Sources> {
  const keep = async ({ bytes, ...said }: FileInForm): Promise<Upload> => {
    const counted = counting(bytes, limit, sumOf(message));
    return whole(await spool(counted.bytes), counted, { ...said, inForm: true });
  };
  const refuseLonger = (bytes: number): void => {
    if (bytes > limit + mostBeside) throw tooBig(limit);
  };
  const { form, upload } = await readForm(message, { arrival, most: mostBeside, refuseLonger, keep });
  if (upload === undefined) throw noData();
  return { form, upload };
}

type Said = Pick<Upload, 'name' | 'inForm' | 'field' | 'type'>;

/** Neither empty nor another file than the one that was meant. */
async function whole(laid: Laid, { size, isMeant }: Counted, said: Said): Promise<Upload> {
  if (size() > 0 && isMeant()) return { ...laid, ...said, size: size() };
  await laid.release();
  if (size() === 0) throw noData();
  throw refused('rest_upload_hash_mismatch', 'The file is not the one that Content-MD5 speaks of.', 412);
}

const sumOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['content-md5'] === undefined ? undefined : String(headers['content-md5']).trim().toLowerCase();

interface Counted {
  readonly bytes: AsyncIterable<Uint8Array>;
  size(): number;
  /** Whether it has the sum it was announced with. */
  isMeant(): boolean;
}

function counting(bytes: AsyncIterable<Uint8Array>, limit: number, announced: string | undefined): Counted {
  const digest = announced === undefined ? undefined : createHash('md5');
  let size = 0;
  async function* passed(): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      size += piece.length;
      if (size > limit) throw tooBig(limit);
      digest?.update(piece);
      yield piece;
    }
  }
  return { bytes: passed(), size: () => size, isMeant: () => digest?.digest('hex') === announced };
}

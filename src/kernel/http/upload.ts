// A file in a body: the body itself, or one part of a form. It is laid aside while it arrives, so that memory stays flat.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { kernelErrors } from '../errors.ts';
import { hasBody, type Sources } from '../request.ts';
import type { Laid, Spool, Upload } from '../upload.ts';
import { type Arrival, incomplete, patiently } from './arrival.ts';
import { mediaType, multipart, refuseEncoded } from './body.ts';
import { type FileInForm, readForm } from './multipart.ts';

interface Taking {
  /** Of the file, in bytes. */
  readonly limit: number;
  readonly arrival: Arrival;
  readonly spool: Spool;
}

/** What a form may say besides its file, in bytes. */
const mostBeside = 8 * 2 ** 20;
const tooBig = (limit: number) =>
  kernelErrors.uploadFileTooBig(`The file is too large. This URL accepts at most ${limit} bytes.`);

export async function readUpload(message: IncomingMessage, taking: Taking): Promise<Sources> {
  if (!hasBody(message)) throw kernelErrors.uploadNoData();
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
  if (disposition === undefined) throw kernelErrors.uploadNoContentDisposition();
  const name = fileNameIn(disposition);
  if (name === undefined) throw kernelErrors.uploadInvalidDisposition();
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
  if (upload === undefined) throw kernelErrors.uploadNoData();
  return { form, upload };
}

type Said = Pick<Upload, 'name' | 'inForm' | 'field' | 'type'>;

/** Neither empty nor another file than the one that was meant. */
async function whole(laid: Laid, { size, isMeant }: Counted, said: Said): Promise<Upload> {
  if (size() > 0 && isMeant()) return { ...laid, ...said, size: size() };
  await laid.release();
  if (size() === 0) throw kernelErrors.uploadNoData();
  throw kernelErrors.uploadHashMismatch();
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

// The name of a file as `Content-Disposition` says it.

const extended = /;\s*filename\*\s*=\s*([\w!#$%&+^`{}~.-]+)'[^']*'([^\s;]+)/i;
const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/i;

/** Without folders; nothing where it names no file. What it says twice counts in the form that knows every letter. */
export function fileNameIn(disposition: string): string | undefined {
  const text = `;${disposition.slice(disposition.indexOf(';') + 1)}`;
  const name = extendedName(text) ?? plainName(text);
  const bare = name?.split(/[/\\]/).at(-1)?.trim();
  return bare === '' ? undefined : bare;
}

function extendedName(text: string): string | undefined {
  const [, charset = '', value = ''] = extended.exec(text) ?? [];
  if (charset.toLowerCase() !== 'utf-8') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function plainName(text: string): string | undefined {
  const [, quoted, bare] = plain.exec(text) ?? [];
  const name = quoted?.replace(/\\(["\\])/g, '$1') ?? bare;
  return name && asUtf8(name);
}

/** Headers arrive as one letter a byte, and nearly everybody means UTF-8 by them. */
function asUtf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const decoded = bytes.toString('utf8');
  return decoded.includes('\ufffd') || bytes.toString('latin1') !== text ? text : decoded;
}

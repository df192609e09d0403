// An archive that every system opens: its files one after the other, then the list of them. Below 4 GiB and 65,535 files.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  /** Relative, with `/` between its parts. */
  readonly path: string;
  /** A text is written in UTF-8. */
  readonly content: string | Uint8Array;
}

interface Written {
  readonly name: Buffer;
  readonly fields: Buffer;
  readonly start: number;
}

const utf8 = 0x0800;
const deflated = 8;
const neededVersion = 20;
const signatures = { file: 0x04034b50, listed: 0x02014b50, end: 0x06054b50 };

/** Piece by piece; one file at a time is in memory. */
export async function* zip(files: AsyncIterable<ZipFile> | Iterable<ZipFile>, modified: Date): AsyncGenerator<Buffer> {
  const listed: Written[] = [];
  let at = 0;
  for await (const { path, content: given } of files) {
    const [name, content] = [Buffer.from(path), Buffer.from(given)];
    const packed = deflateRawSync(content);
    const fields = fieldsOf(content, packed, name, modified);
    const head = Buffer.concat([number(signatures.file, 4), fields, name, packed]);
    listed.push({ name, fields, start: at });
    at += head.length;
    yield head;
  }
  const list = Buffer.concat(listed.map(listing));
  yield list;
  yield end(listed.length, list.length, at);
}

/** What the file says of itself, and the list says of it again. */
const fieldsOf = (content: Buffer, packed: Buffer, name: Buffer, modified: Date): Buffer =>
  Buffer.concat([
    ...[neededVersion, utf8, deflated, timeOf(modified), dateOf(modified)].map((value) => number(value, 2)),
    ...[crc32(content), packed.length, content.length].map((value) => number(value, 4)),
    ...[name.length, 0].map((value) => number(value, 2)),
  ]);

const listing = ({ name, fields, start }: Written): Buffer =>
  Buffer.concat([
    number(signatures.listed, 4),
    number(neededVersion, 2),
    fields,
    // No comment, the first disk, no attributes.
    Buffer.alloc(10),
    number(start, 4),
    name,
  ]);

const end = (files: number, size: number, start: number): Buffer =>
  Buffer.concat([
    number(signatures.end, 4),
    ...[0, 0, files, files].map((value) => number(value, 2)),
    ...[size, start].map((value) => number(value, 4)),
    number(0, 2),
  ]);

function number(value: number, bytes: 2 | 4): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
}

/** In steps of two seconds, and of no zone. */
const timeOf = (moment: Date): number =>
  (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1);

const dateOf = (moment: Date): number =>
  ((Math.max(1980, moment.getUTCFullYear()) - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate();

/** An archive is unpacked on machines of every kind, so its paths must suit all of them. */
const pathLimits = { path: 200, segment: 100, depth: 20 };
/** Separators and drives of other systems, what their file systems do not take, controls and signs that steer. */
const foreign = /[\\:*?"<>|\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\u2028\u2029]/u;
/** Devices, which some systems find in every folder. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

const isSegment = (text: string): boolean =>
  text !== '' && text.length <= pathLimits.segment && text === text.trim() && !text.endsWith('.') && !device.test(text);

/** Relative, with `/` between its parts. `..` and `.` end with a dot, as no part may. */
export function isArchivePath(text: string): boolean {
  const segments = text.split('/');
  return (
    text.length <= pathLimits.path &&
    segments.length <= pathLimits.depth &&
    !foreign.test(text) &&
    segments.every(isSegment)
  );
}

/** The same for all that some file system takes for one name. */
export const sameName = (path: string): string => path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

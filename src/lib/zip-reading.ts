// Reads the list of an archive that strangers made, and trusts nothing: every file stands where the list says and is what the list
// says, one directly after the other, and no byte belongs to none. So all programs that read it find the same.

import { TextDecoder } from 'node:util';
import { isArchivePath, sameName } from './zip.ts';

export interface ZipSource {
  /** In bytes. */
  readonly size: number;
  read(at: number, length: number): Promise<Buffer>;
}

export interface ZipLimits {
  readonly files: number;
  /** Of all files, unpacked. */
  readonly bytes: number;
  /** How many times its packed size a file may be, and all of them together. */
  readonly ratio: number;
}

export interface ZipEntry {
  readonly path: string;
  readonly size: number;
  readonly packed: number;
  readonly sum: number;
  readonly isDeflated: boolean;
  /** Where its bytes begin. */
  readonly start: number;
}

/** An entry of the list, with what it means. */
interface Read extends Listed {
  readonly path: string;
  readonly isFolder: boolean;
}

const mostListed = 4 * 1024 * 1024;

/** The files, as they are listed. Nothing of them is unpacked yet, so their sums are still to be tried. */
export async function readZip(source: ZipSource, limits: ZipLimits): Promise<ZipEntry[]> {
  const read = (at: number, length: number): Promise<Buffer> => {
    if (at + length > source.size) throw new BadZip('is cut off');
    return source.read(at, length);
  };
  const end = endIn(
    await read(Math.max(0, source.size - lengths.end), Math.min(lengths.end, source.size)),
    source.size,
  );
  if (end.entries > 2 * limits.files || end.size > mostListed) throw new BadZip('lists too many files');
  const listed = listedIn(await read(end.start, end.size), end.entries).map(understood);
  const files = listed.filter(({ isFolder }) => !isFolder);
  refuseTooMuch(files, source.size, limits);
  refuseClashes(listed);
  const starts = await startsOf(listed, end.start, read);
  return files.map((file) => {
    const { path, size, packed, sum } = file;
    return { path, size, packed, sum, isDeflated: file.method === methods.deflated, start: starts.get(file)! };
  });
}

const methods = { stored: 0, deflated: 8 };
const flag = { descriptor: 0x0008, utf8: 0x0800, speed: 0x0006 };
const knownFlags = flag.descriptor | flag.utf8 | flag.speed;

function understood(listed: Listed): Read {
  const name = nameOf(listed);
  const isFolder = name.endsWith('/');
  const path = isFolder ? name.slice(0, -1) : name;
  if (!isArchivePath(path)) throw new BadZip('has a file name that is not a path inside the archive');
  if ((listed.flags & ~knownFlags) !== 0) throw new BadZip('is encrypted, or in a format that is not supported');
  if (listed.method !== methods.stored && listed.method !== methods.deflated)
    throw new BadZip('is compressed with a method that is not supported');
  if (listed.method === methods.stored && listed.packed !== listed.size)
    throw new BadZip('has a file with two different sizes');
  if (isFolder && (listed.size !== 0 || listed.packed > 2)) throw new BadZip('has a folder with content of its own');
  if (!isPlain(listed.attributes, isFolder)) throw new BadZip('has an entry that is neither a file nor a folder');
  return { ...listed, path, isFolder };
}

const kinds = { mask: 0o170000, file: 0o100000, folder: 0o040000 };
const dos = { label: 0x08, folder: 0x10, device: 0x40, link: 0x400 };

/** Links, devices and pipes are told by attributes, in the way of one system or the other. */
function isPlain(attributes: number, isFolder: boolean): boolean {
  const kind = (attributes >>> 16) & kinds.mask;
  if (kind !== 0 && kind !== (isFolder ? kinds.folder : kinds.file)) return false;
  if ((attributes & dos.folder) !== 0 && !isFolder) return false;
  return (attributes & (dos.label | dos.device | dos.link)) === 0;
}

/** What is this small swells to nothing, however well it was packed. */
const excused = { file: 100 * 1024, all: 1024 * 1024 };

function refuseTooMuch(files: readonly Read[], archive: number, { files: most, bytes, ratio }: ZipLimits): void {
  if (files.length > most) throw new BadZip(`holds more than ${most} files`);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  if (all > bytes) throw new BadZip(`holds more than ${bytes} bytes`);
  const swells = files.some(({ size, packed }) => size > excused.file && size > ratio * packed);
  if (swells || (all > excused.all && all > ratio * archive))
    throw new BadZip(`grows to more than ${ratio} times its size when unpacked`);
}

/** No name twice, not even where capitals or the spelling of accents make no difference, and no file inside a file. */
function refuseClashes(listed: readonly Read[]): void {
  const known = new Map<string, { readonly path: string; readonly isFolder: boolean }>();
  const named = new Set<string>();
  const note = (path: string, isFolder: boolean): void => {
    const key = sameName(path);
    const other = known.get(key);
    if (other !== undefined && (other.path !== path || !isFolder || !other.isFolder))
      throw new BadZip('has two file names that are the same name on some systems');
    known.set(key, { path, isFolder });
  };
  for (const { path, isFolder } of listed) {
    if (named.has(path)) throw new BadZip('has the same name twice');
    named.add(path);
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) note(path.slice(0, at), true);
    note(path, isFolder);
  }
}

type Reading = (at: number, length: number) => Promise<Buffer>;

/** Walks through the archive as it lies there: from the first byte to the list, with nothing between files and nothing twice. */
async function startsOf(listed: readonly Read[], list: number, read: Reading): Promise<Map<Read, number>> {
  const starts = new Map<Read, number>();
  let at = 0;
  for (const one of listed.toSorted((a, b) => a.offset - b.offset)) {
    if (one.offset !== at) throw new BadZip('has files that overlap, or bytes that belong to no file');
    const start = await afterHead(one, read);
    starts.set(one, start);
    at = await afterBytes(one, start + one.packed, read);
    if (at > list) throw new BadZip('has files that overlap');
  }
  if (at !== list) throw new BadZip('has bytes that belong to no file');
  return starts;
}

async function afterHead(one: Read, read: Reading): Promise<number> {
  const head = headIn(await read(one.offset, lengths.head));
  const rest = await read(one.offset + lengths.head, head.named + head.extra);
  const later = (one.flags & flag.descriptor) !== 0;
  const isSame = (said: number, listed: number) => said === listed || (later && said === 0);
  const agrees =
    head.flags === one.flags &&
    head.method === one.method &&
    rest.subarray(0, head.named).equals(one.name) &&
    isSame(head.sum, one.sum) &&
    isSame(head.packed, one.packed) &&
    isSame(head.size, one.size);
  if (!agrees) throw new BadZip('has a file whose entry in the list differs from the header before the file');
  refuseExtra(rest.subarray(head.named));
  return one.offset + lengths.head + rest.length;
}

async function afterBytes(one: Read, ends: number, read: Reading): Promise<number> {
  if ((one.flags & flag.descriptor) === 0) return ends;
  // The list and the end of the archive follow, so there are more bytes than these.
  const length = descriptorLength(await read(ends, 16), one);
  if (length === undefined)
    throw new BadZip('has a file whose entry in the list differs from the descriptor after the file');
  return ends + length;
}

// What an archive says of its files, as it is written there: at its end, in its list, and before each file again.

/** It is no archive that can be trusted; the message is the end of a sentence that begins with "The archive". */
export class BadZip extends Error {}

interface End {
  readonly entries: number;
  /** Of the list. */
  readonly start: number;
  readonly size: number;
}

/** What stands of a file both in the list and before its bytes. */
interface Said {
  readonly flags: number;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly name: Buffer;
}

interface Listed extends Said {
  readonly attributes: number;
  readonly offset: number;
}

const lengths = { end: 22, listed: 46, head: 30 };
const signatures = { end: 0x06054b50, listed: 0x02014b50, head: 0x04034b50, descriptor: 0x08074b50 };

function endIn(bytes: Buffer, archive: number): End {
  if (bytes.length < lengths.end || bytes.readUInt32LE(0) !== signatures.end)
    throw new BadZip('is not a ZIP archive, is cut off, or has data after its end');
  const [disk, listDisk, here, entries] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(at));
  const [size, start] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
  if (disk !== 0 || listDisk !== 0 || here !== entries) throw new BadZip('is one part of an archive in several parts');
  if (start + size !== archive - lengths.end) throw new BadZip('has a file list at another position than it says');
  return { entries: entries!, start, size };
}

function listedIn(list: Buffer, entries: number): Listed[] {
  const found: Listed[] = [];
  let at = 0;
  while (found.length < entries) {
    if (at + lengths.listed > list.length || list.readUInt32LE(at) !== signatures.listed)
      throw new BadZip('has fewer files in its list than it says');
    const [named, extra, comment] = [28, 30, 32].map((from) => list.readUInt16LE(at + from)) as [
      number,
      number,
      number,
    ];
    const ends = at + lengths.listed + named + extra + comment;
    if (ends > list.length) throw new BadZip('has a file list that is cut off');
    const name = list.subarray(at + lengths.listed, at + lengths.listed + named);
    refuseExtra(list.subarray(at + lengths.listed + named, at + lengths.listed + named + extra));
    const [attributes, offset] = [list.readUInt32LE(at + 38), list.readUInt32LE(at + 42)];
    found.push({ ...saidAt(list, at + 8), name, attributes, offset });
    at = ends;
  }
  if (at !== list.length) throw new BadZip('has more in its file list than it says');
  return found;
}

/** Of the head of a file, and how long its name and what follows it are. */
function headIn(head: Buffer): Omit<Said, 'name'> & { readonly named: number; readonly extra: number } {
  if (head.readUInt32LE(0) !== signatures.head) throw new BadZip('has a file at another position than the list says');
  return { ...saidAt(head, 6), named: head.readUInt16LE(26), extra: head.readUInt16LE(28) };
}

const saidAt = (bytes: Buffer, at: number): Omit<Said, 'name'> => ({
  flags: bytes.readUInt16LE(at),
  method: bytes.readUInt16LE(at + 2),
  sum: bytes.readUInt32LE(at + 8),
  packed: bytes.readUInt32LE(at + 12),
  size: bytes.readUInt32LE(at + 16),
});

/** Larger numbers, and another name: two readers would find two archives. */
const refused = new Set([0x0001, 0x7075, 0x6375]);

function refuseExtra(extra: Buffer): void {
  let at = 0;
  while (at + 4 <= extra.length) {
    if (refused.has(extra.readUInt16LE(at))) throw new BadZip('is in a format that programs read in different ways');
    at += 4 + extra.readUInt16LE(at + 2);
  }
  if (at !== extra.length) throw new BadZip('has a file entry that is longer than its field');
}

/** What follows the bytes of a file whose head did not know their number yet: how long it is, when it says what the list says. */
function descriptorLength(bytes: Buffer, { sum, packed, size }: Said): number | undefined {
  const isSame = (at: number) =>
    at + 12 <= bytes.length &&
    [sum, packed, size].every((value, which) => bytes.readUInt32LE(at + 4 * which) === value);
  if (bytes.length >= 16 && bytes.readUInt32LE(0) === signatures.descriptor && isSame(4)) return 16;
  return isSame(0) ? 12 : undefined;
}

/** Whether names are in UTF-8. */
const utf8 = 0x0800;

function nameOf({ name, flags }: Said): string {
  if ((flags & utf8) === 0 && name.some((byte) => byte > 0x7e)) throw new BadZip('has a file name that is not UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw new BadZip('has a file name that is not UTF-8');
  }
}

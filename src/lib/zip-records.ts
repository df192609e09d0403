// What an archive says of its files, as it is written there: at its end, in its list, and before each file again.
import { TextDecoder } from 'node:util';

/** It is no archive that can be trusted; the message is the end of a sentence that begins with "The archive". */
export class BadZip extends Error {}

export interface End {
  readonly entries: number;
  /** Of the list. */
  readonly start: number;
  readonly size: number;
}

/** What stands of a file both in the list and before its bytes. */
export interface Said {
  readonly flags: number;
  readonly method: number;
  readonly sum: number;
  readonly packed: number;
  readonly size: number;
  readonly name: Buffer;
}

export interface Listed extends Said {
  readonly attributes: number;
  readonly offset: number;
}

export const lengths = { end: 22, listed: 46, head: 30 };
const signatures = { end: 0x06054b50, listed: 0x02014b50, head: 0x04034b50, descriptor: 0x08074b50 };

export function endIn(bytes: Buffer, archive: number): End {
  if (bytes.length < lengths.end || bytes.readUInt32LE(0) !== signatures.end)
    throw new BadZip('is no ZIP archive, is cut off, or has something behind its end');
  const [disk, listDisk, here, entries] = [4, 6, 8, 10].map((at) => bytes.readUInt16LE(at));
  const [size, start] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
  if (disk !== 0 || listDisk !== 0 || here !== entries) throw new BadZip('is one part of several');
  if (start + size !== archive - lengths.end) throw new BadZip('has a list that is not where it says');
  return { entries: entries!, start, size };
}

export function listedIn(list: Buffer, entries: number): Listed[] {
  const found: Listed[] = [];
  let at = 0;
  while (found.length < entries) {
    if (at + lengths.listed > list.length || list.readUInt32LE(at) !== signatures.listed)
      throw new BadZip('has a list with fewer files than it says');
    const [named, extra, comment] = [28, 30, 32].map((from) => list.readUInt16LE(at + from)) as [
      number,
      number,
      number,
    ];
    const ends = at + lengths.listed + named + extra + comment;
    if (ends > list.length) throw new BadZip('has a list that is cut off');
    const name = list.subarray(at + lengths.listed, at + lengths.listed + named);
    refuseExtra(list.subarray(at + lengths.listed + named, at + lengths.listed + named + extra));
    const [attributes, offset] = [list.readUInt32LE(at + 38), list.readUInt32LE(at + 42)];
    found.push({ ...saidAt(list, at + 8), name, attributes, offset });
    at = ends;
  }
  if (at !== list.length) throw new BadZip('has a list with more in it than it says');
  return found;
}

/** Of the head of a file, and how long its name and what follows it are. */
export function headIn(head: Buffer): Omit<Said, 'name'> & { readonly named: number; readonly extra: number } {
  if (head.readUInt32LE(0) !== signatures.head) throw new BadZip('has a file that is not where the list says');
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

export function refuseExtra(extra: Buffer): void {
  let at = 0;
  while (at + 4 <= extra.length) {
    if (refused.has(extra.readUInt16LE(at))) throw new BadZip('is written in a way that not every program reads alike');
    at += 4 + extra.readUInt16LE(at + 2);
  }
  if (at !== extra.length) throw new BadZip('says more of a file than it has room for');
}

/** What follows the bytes of a file whose head did not know their number yet: how long it is, when it says what the list says. */
export function descriptorLength(bytes: Buffer, { sum, packed, size }: Said): number | undefined {
  const isSame = (at: number) =>
    at + 12 <= bytes.length &&
    [sum, packed, size].every((value, which) => bytes.readUInt32LE(at + 4 * which) === value);
  if (bytes.length >= 16 && bytes.readUInt32LE(0) === signatures.descriptor && isSame(4)) return 16;
  return isSame(0) ? 12 : undefined;
}

/** Whether names are in UTF-8. */
const utf8 = 0x0800;

export function nameOf({ name, flags }: Said): string {
  if ((flags & utf8) === 0 && name.some((byte) => byte > 0x7e)) throw new BadZip('has a name that is not in UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    throw new BadZip('has a name that is not in UTF-8');
  }
}

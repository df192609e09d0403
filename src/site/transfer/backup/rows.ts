// Rows as they stand in an archive: a JSON array to a line, in compressed blocks.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Column, Kind } from '#store/engine.ts';
import { ArchiveProblem, damaged, longest, mostOfMany, type TableEntry } from './format.ts';

export type Row = Readonly<Record<string, unknown>>;

const infinite: Readonly<Record<string, number>> = {
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
};

/** Bytes as Base64, and what JSON has no number for as its name: the column says what is meant. */
function written(value: unknown): unknown {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

export function lineOf({ name, columns }: TableEntry, row: Row): string {
  const line = JSON.stringify(columns.map((column) => written(row[column.name] ?? null)));
  if (Buffer.byteLength(line) < longest.rows) return line;
  const most = longest.rows / 2 ** 20;
  throw new ArchiveProblem(`A row of ${name} is longer than ${most} MiB, the limit of a backup; make it shorter.`);
}

/** The first four bytes say how long it is uncompressed. */
export function packed(lines: readonly string[]): Buffer {
  const text = Buffer.from(lines.join('\n'));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, zstdCompressSync(text)]);
}

export function unpacked(block: Buffer, table: TableEntry): Row[] {
  const text = textOf(block, table);
  if (text.length > mostOfMany && (text.includes('\n') || !isFlat(text, table.columns.length)))
    throw damaged(`a block of ${table.name} is too large`);
  return text.split('\n').map((line) => rowOf(line, table));
}

/** Whether a line is a list of at most so many plain values, found out before anything is made of it. */
function isFlat(line: string, most: number): boolean {
  let values = 1;
  for (let at = 1; at < line.length; at++) {
    const sign = line[at];
    if (sign === '[' || sign === '{') return false;
    if (sign === ',') values += 1;
    if (values > most) return false;
    if (sign === '"') at = endOfText(line, at);
  }
  return true;
}

/** Where the text ends that begins there. */
function endOfText(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === '"') return at;
    if (line[at] === '\\') at += 1;
  }
  return line.length;
}

/** Never more than it says of itself is made of it, and never more than is allowed. */
function textOf(block: Buffer, { name }: TableEntry): string {
  const length = block.length < 4 ? 0 : block.readUInt32BE(0);
  if (length === 0 || length > longest.rows) throw damaged(`a block of ${name} has a wrong length`);
  let text: Buffer;
  try {
    text = zstdDecompressSync(block.subarray(4), { maxOutputLength: length });
  } catch (cause) {
    throw damaged(`a block of ${name} cannot be uncompressed`, cause);
  }
  if (text.length !== length) throw damaged(`a block of ${name} is too short`);
  return text.toString('utf8');
}

function rowOf(line: string, { name, columns }: TableEntry): Row {
  let cells: unknown;
  try {
    cells = JSON.parse(line);
  } catch (cause) {
    throw damaged(`a row of ${name} is not JSON`, cause);
  }
  if (!Array.isArray(cells) || cells.length !== columns.length)
    throw damaged(`a row of ${name} does not have its ${columns.length} columns`);
  return Object.fromEntries(columns.map((column, at) => [column.name, read(cells[at], column, name)]));
}

const readers: Readonly<Record<Kind, (cell: unknown) => unknown>> = {
  integer: (cell) => (Number.isSafeInteger(cell) ? cell : undefined),
  real: (cell) => (typeof cell === 'number' ? cell : infinite[String(cell)]),
  text: (cell) => (typeof cell === 'string' && cell.isWellFormed() ? cell : undefined),
  bytes: (cell) => (typeof cell === 'string' && base64.test(cell) ? Buffer.from(cell, 'base64') : undefined),
};
const base64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/;

function read(cell: unknown, { name, kind }: Column, table: string): unknown {
  if (cell === null) return null;
  const value = readers[kind](cell);
  if (value === undefined) throw damaged(`${table}.${name} holds a value that is not ${kind}`);
  return value;
}

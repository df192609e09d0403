// Media folders as CSV: what is written, what is read back, and the copies that are taken before folders are replaced.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { CsvError, Info } from 'csv-parse';
import type { Problem } from '#kernel/problem.ts';
import { csvLine } from '#lib/csv.ts';
import { folderErrors } from './errors.ts';
import { cleanFolderName, maxNameLength } from './folder-names.ts';
import type { SourceFolder } from './merge-folders.ts';
import { allItems } from './queries.ts';
import type { Db, Tx } from './tables.ts';

export const maxCsvBytes = 5 * 2 ** 20;
const maxCsvRows = 10_000;
const maxCsvFiles = 200_000;
const maxBackups = 5;

const columns = ['id', 'name', 'parent', 'type', 'ord', 'created_by', 'attachment_ids'] as const;
type Column = (typeof columns)[number];
const requiredColumns: readonly Column[] = ['id', 'name', 'parent'];

/** A folder as it is exported. `attachment_ids` are joined by `|`. */
export interface ExportedFolder {
  readonly id: number;
  readonly name: string;
  readonly parent: number;
  readonly type: 0;
  readonly ord: number;
  readonly created_by: number;
  readonly attachment_ids: string;
}

/** The folders of one tree, or of all. */
export async function exportFolders(db: Db, owner?: number): Promise<ExportedFolder[]> {
  const query = db.selectFrom('media_folders').select(['id', 'name', 'parent', 'ord', 'owner']);
  const own = owner === undefined ? query : query.where('owner', '=', owner);
  const rows = await own.orderBy('owner').orderBy('parent').orderBy('ord').orderBy('id').execute();
  const files = await allItems(db, owner);
  return rows.map(({ owner: created_by, ...folder }) => ({
    id: folder.id,
    name: folder.name,
    parent: folder.parent,
    type: 0,
    ord: folder.ord,
    created_by,
    attachment_ids: (files.get(folder.id) ?? []).join('|'),
  }));
}

/** What a spreadsheet would take for a formula, and what reads like one that was made safe already. */
const unsafe = /^'*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20]/;
const safeCell = (text: string): string => (unsafe.test(text) ? `'${text}` : text);
const readCell = (text: string): string => (text.startsWith("'") && unsafe.test(text) ? text.slice(1) : text);

/** With a byte order mark, so that spreadsheets read UTF-8. */
export function foldersToCsv(folders: readonly ExportedFolder[]): string {
  const lines = folders.map((folder) =>
    csvLine(
      columns.map((column) => {
        const cell = folder[column];
        return typeof cell === 'string' ? safeCell(cell) : cell;
      }),
    ),
  );
  return `\ufeff${csvLine(columns)}${lines.join('')}`;
}

/** Keeps all folders as they are now, and the last few such copies. Answers the number of the copy. */
export async function backUpFolders(tx: Tx, reason: string, now: Date): Promise<number> {
  const folders = JSON.stringify(await exportFolders(tx));
  const row = { created_at: now.toISOString(), reason, folders };
  const { id } = await tx.insertInto('media_folder_backups').values(row).returning('id').executeTakeFirstOrThrow();
  const kept = tx.selectFrom('media_folder_backups').select('id').orderBy('id', 'desc').limit(maxBackups);
  await tx.deleteFrom('media_folder_backups').where('id', 'not in', kept).execute();
  return id;
}

/** The folders of a copy; none where there is no such copy. */
export async function backedUpFolders(db: Db, id: number): Promise<ExportedFolder[]> {
  const query = db.selectFrom('media_folder_backups').select('folders').where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row === undefined ? [] : JSON.parse(row.folders);
}

interface CsvFolder extends SourceFolder {
  readonly line: number;
  readonly ord: number;
  readonly created_by: number;
  readonly files: readonly number[];
}

export interface FoldersFromCsv {
  /** In the order in which they are made. */
  readonly folders: readonly CsvFolder[];
  /** How many lie in a folder that is not among them. */
  readonly orphans: number;
}

/** Reads a CSV file of folders, in UTF-8. Throws what is wrong with it, and where. */
export async function foldersFromCsv(bytes: Uint8Array): Promise<CsvFolder[]> {
  const [head, ...rows] = await rowsOf(bytes);
  const columnsAt = columnsIn(head?.cells ?? []);
  if (rows.length > maxCsvRows)
    throw folderErrors.invalidCsv(`The file has ${rows.length} folders. At most ${maxCsvRows} can be imported.`);
  const seen = new Set<number>();
  let files = 0;
  return rows.map(({ line, cells }) => {
    if (cells.length !== columnsAt.length)
      throw folderErrors.invalidCsv(`Line ${line} has ${cells.length} cells instead of ${columnsAt.length}.`);
    const cell = (column: Column): string => readCell(cells[columnsAt.indexOf(column)] ?? '');
    const folder = folderIn(line, cell);
    if (seen.has(folder.id)) throw folderErrors.invalidCsv(`Line ${line}: folder ${folder.id} is in the file twice.`);
    seen.add(folder.id);
    files += folder.files.length;
    if (files > maxCsvFiles) throw folderErrors.invalidCsv(`The file names more than ${maxCsvFiles} attachments.`);
    return folder;
  });
}

interface CsvRow {
  /** Where it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly info: Info;
}

/** Bytes that are read before other work runs. */
const pieceLength = 64 * 1024;

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) {
    yield bytes.subarray(at, at + pieceLength);
    await yieldToOthers();
  }
}

async function rowsOf(bytes: Uint8Array): Promise<CsvRow[]> {
  // Few sites ever read such a file.
  const csv = await import('csv-parse');
  const rows: CsvRow[] = [];
  const parser = csv.parse({
    bom: true,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  try {
    await pipeline(Readable.from(piecesOf(bytes)), parser, async (all: AsyncIterable<ParsedRow>) => {
      for await (const { record, info } of all) rows.push({ line: info.lines, cells: record });
    });
  } catch (error) {
    throw error instanceof csv.CsvError ? folderErrors.invalidCsv(faultOf(error)) : error;
  }
  return rows;
}

const faultOf = ({ code, lines }: CsvError): string =>
  code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'The file ends inside a cell in quotation marks. Close the quotation mark of that cell.'
    : `A quotation mark in line ${lines} is not at the edge of its cell.`;

function columnsIn(head: readonly string[]): Column[] {
  const names = head.map((name) => name.trim());
  const strange = names.find((name) => !(columns as readonly string[]).includes(name));
  if (strange !== undefined)
    throw folderErrors.invalidCsv(`The column "${strange.slice(0, 50)}" is not one of ${columns.join(', ')}.`);
  const missing = requiredColumns.find((name) => !names.includes(name));
  if (missing !== undefined) throw folderErrors.invalidCsv(`The column ${missing} is missing.`);
  if (new Set(names).size < names.length) throw folderErrors.invalidCsv('A column is in the file twice.');
  return names as Column[];
}

function folderIn(line: number, cell: (column: Column) => string): CsvFolder {
  const fault = (message: string): Problem => folderErrors.invalidCsv(`Line ${line}: ${message}`);
  const number = (column: Column, lowest: number): number => {
    const text = cell(column).trim();
    if (text === '') return 0;
    if (!/^\d{1,15}$/.test(text) || Number(text) < lowest)
      throw fault(`${column} must be a whole number of ${lowest} or more.`);
    return Number(text);
  };
  const name = cleanFolderName(cell('name'));
  if (name === '' || Array.from(name).length > maxNameLength)
    throw fault(`the name must have 1 to ${maxNameLength} characters.`);
  const id = number('id', 1);
  if (id === 0) throw fault('id is missing.');
  const listed = cell('attachment_ids');
  if (listed !== '' && !/^\s*\d{1,15}(?:\s*\|\s*\d{1,15})*\s*$/.test(listed))
    throw fault('attachment_ids must be numbers joined by |.');
  return {
    line,
    id,
    name,
    parent: number('parent', 0),
    ord: number('ord', 0),
    created_by: number('created_by', 0),
    files: listed === '' ? [] : [...new Set(listed.split('|').map(Number))],
  };
}

/** Of these folders, those of one owner, or all (-1), in the order in which they are made. Throws where one lies below itself. */
export function selectFolders(all: readonly CsvFolder[], owner: number): FoldersFromCsv {
  const chosen = owner === -1 ? all : all.filter(({ created_by }) => created_by === owner);
  const own = new Set(chosen.map(({ id }) => id));
  const isOrphan = ({ parent }: CsvFolder): boolean => parent !== 0 && !own.has(parent);
  const folders = chosen
    .map((folder) => (isOrphan(folder) ? { ...folder, parent: 0 } : folder))
    .sort((one, other) => one.ord - other.ord || one.line - other.line);
  refuseCycle(folders);
  return { folders, orphans: chosen.filter(isOrphan).length };
}

function refuseCycle(folders: readonly CsvFolder[]): void {
  const below = Map.groupBy(folders, ({ parent }) => parent);
  const reached = new Set<number>();
  const waiting = [...(below.get(0) ?? [])];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    reached.add(folder.id);
    for (const child of below.get(folder.id) ?? []) waiting.push(child);
  }
  const lost = folders.find(({ id }) => !reached.has(id));
  if (lost !== undefined) throw folderErrors.csvCycle(lost.line);
}

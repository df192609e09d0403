// The records of an archive that are JSON, and whether they are what they must be.
import { slugOf } from '#store/packaged.ts';
import { isSlug } from '../../packages/manifest.ts';
import {
  damaged,
  type End,
  type FileEntry,
  highestNumber,
  type Kind,
  type Manifest,
  mostColumns,
  type TableEntry,
} from './format.ts';

/** A record, as far as this matters here. */
interface Rec {
  readonly kind: Kind;
  readonly payload: Buffer;
}

type Known = Readonly<Record<string, unknown>>;

function jsonOf({ payload, kind }: Rec): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch (cause) {
    throw damaged(`a record (${kind}) is not JSON`, cause);
  }
}

const isRecord = (value: unknown): value is Known =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed();
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isList = <T>(value: unknown, is: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(is);
/** Names of tables and columns; nothing that means anything to a database. */
const isName = (value: unknown): value is string => isText(value) && /^[a-z_][a-z0-9_]{0,62}$/.test(value);
const isInstant = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));

function checked<T>(value: unknown, is: (value: unknown) => value is T, what: string): T {
  if (!is(value)) throw damaged(`${what} is not valid`);
  return value;
}

const isPackageOwner = (value: unknown): boolean => isText(value) && isSlug(slugOf(value) ?? '');

const isColumn = (value: unknown): value is TableEntry['columns'][number] =>
  isRecord(value) && isName(value.name) && ['integer', 'real', 'text', 'bytes'].includes(value.kind as string);

const isTable = (value: unknown): value is TableEntry =>
  isRecord(value) &&
  isName(value.name) &&
  isList(value.columns, isColumn) &&
  value.columns.length > 0 &&
  value.columns.length <= mostColumns &&
  areDistinct(value.columns.map(({ name }) => name)) &&
  (value.owner === undefined || isPackageOwner(value.owner)) &&
  (value.numbered === undefined ||
    (isName(value.numbered) && isCount(value.highest) && value.highest <= highestNumber));

const areDistinct = (all: readonly string[]): boolean => new Set(all).size === all.length;

const isManifest = (value: unknown): value is Manifest =>
  isRecord(value) &&
  isText(value.version) &&
  isInstant(value.created_at) &&
  isText(value.engine) &&
  isList(value.migrations, isText) &&
  isList(value.tables, isTable) &&
  areDistinct(value.tables.map(({ name }) => name)) &&
  typeof value.media === 'boolean';

const isFile = (value: unknown): value is FileEntry =>
  isRecord(value) && isText(value.path) && isCount(value.size) && isInstant(value.modified);

const isEnd = (value: unknown): value is End =>
  isRecord(value) &&
  isList(value.rows, isCount) &&
  isCount(value.files) &&
  isCount(value.bytes) &&
  isText(value.digest);

export const manifestOf = (rec: Rec): Manifest => checked(jsonOf(rec), isManifest, 'its manifest');
export const textOf = (rec: Rec): string => checked(jsonOf(rec), isText, 'the name of a table');
export const fileOf = (rec: Rec): FileEntry => checked(jsonOf(rec), isFile, 'its entry of a file');
export const endOf = (rec: Rec): End => checked(jsonOf(rec), isEnd, 'its end');

// What a record of another site shows, read member by member: it says what it likes.
import { malformed } from './source.ts';

export type Shown = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Its number; 0 for what has none. */
export const numberOf = (record: unknown): number =>
  isObject(record) && Number.isSafeInteger(record.id) && (record.id as number) > 0 ? (record.id as number) : 0;

/** Why a record is left out though nothing is wrong with it. */
export class Left extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const odd = (name: string): Error => malformed(`Its ${name} is not valid.`);

/** Plain, or as it was written, or as it is shown. */
export function text(record: Shown, name: string): string {
  const value = record[name];
  const said = isObject(value) ? (value.raw ?? value.rendered) : value;
  if (said === undefined || said === null || said === false) return '';
  if (typeof said !== 'string') throw odd(name);
  return said;
}

/** Longer ones are nobody's name: they are remembered by the thousand. */
const longestName = 1_000;

export function shortText(record: Shown, name: string): string {
  const said = text(record, name);
  if (said.length > longestName) throw odd(name);
  return said;
}

/** 0 where it says nothing. */
export function count(record: Shown, name: string): number {
  const value = record[name];
  if (value === undefined || value === null || value === false) return 0;
  if (!Number.isSafeInteger(value)) throw odd(name);
  return value as number;
}

/** Numbers without end are nobody's. */
const mostNumbers = 10_000;

export function counts(record: Shown, name: string): readonly number[] {
  const value = record[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(Number.isSafeInteger) || value.length > mostNumbers) throw odd(name);
  return value;
}

/** What is registered there, as text; what holds nothing is left out. */
export function metaOf(record: Shown): { readonly key: string; readonly value: string }[] {
  const { meta } = record;
  if (!isObject(meta)) return [];
  return Object.entries(meta).flatMap(([key, value]) => {
    const kept = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
    return kept === '' || kept === '[]' || kept === '{}' || value === false ? [] : [{ key, value: kept }];
  });
}

// How a refusal names what was wanted: "per_page must be a whole number between 1 and 100."

import type { Schema } from '../schema.ts';
import { formatOf } from './formats.ts';

const kinds: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

function range(schema: Schema): string {
  const { minimum: low, maximum: high, exclusiveMinimum, exclusiveMaximum } = schema;
  if (low !== undefined && high !== undefined && !exclusiveMinimum && !exclusiveMaximum)
    return ` between ${low} and ${high}`;
  const bounds = [];
  if (low !== undefined) bounds.push(exclusiveMinimum ? `greater than ${low}` : `not less than ${low}`);
  if (high !== undefined) bounds.push(exclusiveMaximum ? `less than ${high}` : `not greater than ${high}`);
  return bounds.length > 0 ? ` ${bounds.join(' and ')}` : '';
}

const kindOfType = (type: string, schema: Schema): string => {
  if (type === 'integer' || type === 'number') return `${kinds[type]}${range(schema)}`;
  const format = type === 'string' ? formatOf(schema.format, true) : undefined;
  return format?.kind ?? kinds[type] ?? 'something else';
};

const either = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Continues "must be …". */
export function kindOf(schema: Schema): string {
  if (schema.type === undefined) return 'one of its documented forms';
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return either(types.map((type) => kindOfType(type, schema)));
}

/** "1 item", "3 items". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const shown = 30;

/** Continues "must be one of: …". */
export function listed(values: readonly unknown[]): string {
  const names = values
    .slice(0, shown)
    .map((value) => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value)));
  return values.length > shown ? `${names.join(', ')} …` : names.join(', ');
}

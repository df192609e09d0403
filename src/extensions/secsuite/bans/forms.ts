// What is asked of whoever bans: the arguments of routes and the forms that clients draw say the same.
// Many bans are written one a line, with a note behind a hash sign.
import { kernelErrors } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import { type Block, blockOf } from '../addresses/block.ts';

/** How long what is said of a ban may be. */
export const longestNote = 255;

const host = {
  title: 'IP address',
  description: 'One IP address, an IP range such as 192.0.2.0/24, or 192.0.2.*.',
  type: 'string',
};
const createdBy = {
  title: 'Banned by',
  description: 'Actor that bans.',
  required: ['type', 'id'],
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['user', 'lockout_module'],
      description: 'Actor that bans: a user, or a lockout rule.',
    },
    id: { type: 'string', description: 'Id of the user, or name of the rule.' },
  },
};
const comment = {
  title: 'Note',
  description: 'Reason of the ban.',
  type: 'string',
  maxLength: longestNote,
};
const textarea = { 'ui:widget': 'textarea', 'ui:rows': 2 };

export const banForm = {
  type: 'object',
  title: 'Ban an IP address',
  required: ['host'],
  properties: { host, created_by: createdBy, comment },
  uiSchema: {
    created_by: { 'ui:widget': 'hidden' },
    comment: { ...textarea, 'ui:placeholder': 'Tried the same password on every account.' },
  },
} as const;

export const changeForm = {
  type: 'object',
  title: 'Change the note',
  properties: { comment },
  uiSchema: { comment: textarea },
} as const;

const lines = {
  title: 'IP addresses',
  description: 'One on each line: an IP address or IP range and, after #, the reason.',
  type: 'array',
  items: { type: 'string', default: '' },
  minItems: 1,
};

export const addManyForm = {
  title: 'Ban several IP addresses',
  type: 'object',
  required: ['bans'],
  properties: { bans: lines },
  uiSchema: {
    bans: {
      'ui:field': 'TextareaListField',
      'ui:rows': 7,
      'ui:placeholder': '192.0.2.7 # guesses passwords\n198.51.100.0/24\n2001:db8:7::/48',
    },
  },
} as const;

export interface Line {
  readonly block: Block;
  readonly note: string;
}

/** So many lines that are wrong are named; whoever mends them learns of the rest. */
const mostNamed = 1000;

/** Every line that says something. One that is wrong refuses them all. */
export function readLines(lines: readonly string[]): Line[] {
  const read = lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ at, ...readLine(text) }]));
  const wrong = read.filter(({ block }) => block === undefined);
  if (wrong.length > 0) throw refused(wrong.map(({ at }) => at));
  return read as (Line & { at: number })[];
}

function readLine(text: string): { readonly block: Block | undefined; readonly note: string } {
  const hash = text.indexOf('#');
  if (hash < 0) return { block: blockOf(text.trim()), note: '' };
  return { block: blockOf(text.slice(0, hash).trim()), note: noteOf(text.slice(hash).replace(/^[\s#]+/, '')) };
}

/** What there is room for. */
const noteOf = (text: string): string =>
  [...text.slice(0, 2 * longestNote)]
    .slice(0, longestNote)
    .join('')
    .replace(/[\s#]+$/, '');

function refused(places: readonly number[]): Problem {
  const reasons = places.slice(0, mostNamed).map((at) => ({
    code: 'rest_invalid_param',
    message: `bans.${at} must be an IP address or range.`,
    data: { status: 400 },
  }));
  const more = places.length - reasons.length;
  if (more > 0)
    reasons.push({
      code: 'rest_invalid_param',
      message: `${more} more of bans are not valid either.`,
      data: { status: 400 },
    });
  const [first, ...others] = reasons;
  return kernelErrors.invalidParam(first!.message).with({}, { others });
}

// What a list of entries is asked for, as conditions. Module, type and most codes become numbers of kinds (see `kinds.ts`).
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { contains } from '#store/contains.ts';
import { headOf, type LogType } from './entry.ts';
import type { Kind } from './keeping.ts';

export interface Filters {
  readonly modules?: readonly string[];
  /** Whole codes; in one with a `%` that stands for any text. */
  readonly codes?: readonly string[];
  readonly types?: readonly LogType[];
  readonly users?: readonly number[] | undefined;
  readonly ips?: readonly string[] | undefined;
  /** Both without the moment itself. */
  readonly before?: Date;
  readonly after?: Date;
  /** A part of the address of the request, or how the address of whoever made it begins. */
  readonly search?: string;
}

export interface Sought extends Pick<Filters, 'users' | 'ips' | 'search'> {
  /** Nothing, where all of them are. */
  readonly kinds?: readonly number[] | undefined;
  /** Whole codes and patterns, where kinds do not tell. */
  readonly codes?: readonly string[] | undefined;
  readonly patterns?: readonly string[];
  readonly before?: string;
  readonly after?: string;
}

export function soughtBy(filters: Filters, all: readonly Kind[]): Sought {
  const { modules, codes, types, users, ips, before, after, search } = filters;
  const kinds = all.filter(
    ({ module, head, type }) =>
      (modules === undefined || modules.includes(module)) &&
      (types === undefined || types.some((one) => one === type)) &&
      (codes === undefined || codes.some((code) => mayHave(head, code))),
  );
  return {
    ...((modules ?? codes ?? types) !== undefined && { kinds: kinds.map(({ id }) => id) }),
    ...(codes !== undefined && !codes.every(isOfHeads) && apart(codes)),
    ...(users !== undefined && { users: [...new Set(users)] }),
    ...(ips !== undefined && { ips: [...new Set(ips)] }),
    ...(before !== undefined && { before: before.toISOString() }),
    ...(after !== undefined && { after: after.toISOString() }),
    ...(search !== undefined && { search }),
  };
}

/** A longer one counts as a whole code, and matches nothing: no code is as long, and SQLite refuses very long patterns. */
const maxPattern = 1_000;

const isPattern = (code: string): boolean => code.includes('%') && code.length <= maxPattern;
const startOf = (pattern: string): string => pattern.slice(0, pattern.indexOf('%'));

/** `invalid-login%` names all codes with such a head, and no others. */
const isOfHeads = (code: string): boolean => /^[^:%]*%$/.test(code);

const apart = (codes: readonly string[]): Pick<Sought, 'codes' | 'patterns'> => ({
  codes: [...new Set(codes.filter((code) => !isPattern(code)))],
  patterns: [...new Set(codes.filter(isPattern))],
});

/** Whether a code with this head can be meant. */
function mayHave(head: string, code: string): boolean {
  if (!isPattern(code)) return head === headOf(code);
  const start = startOf(code);
  return headOf(start) === start ? head.startsWith(start) : head === headOf(start);
}

/** A part of a text is in no index: whatever else leaves too many is looked through in the order of time. */
export const isPart = ({ search, patterns = [] }: Sought): boolean =>
  search !== undefined || patterns.some((pattern) => startOf(pattern) === '');

export function withoutParts({ search: _, patterns = [], ...rest }: Sought): Sought {
  return patterns.some((pattern) => startOf(pattern) === '') ? without(rest) : { ...rest, patterns };
}

const without = ({ codes: _, ...rest }: Sought): Sought => rest;

/** Nothing can be found: no index is asked. */
export const isHopeless = ({ kinds, users, ips }: Sought): boolean =>
  [kinds, users, ips].some((some) => some?.length === 0);

/** What leads to the entries: an index of whatever is asked for, the one of the time, or none. All else is seen to on the way. */
export type Led = 'anything' | 'time' | 'nothing';

type Column = (name: string) => RawBuilder<unknown>;
const leading: Column = (name) => sql.ref(name);
const numberBeside: Column = (name) => sql`+${sql.ref(name)}`;
const textBeside: Column = (name) => sql`(${sql.ref(name)} || '')`;

type Condition = RawBuilder<SqlBool>;

const among = (column: RawBuilder<unknown>, values: readonly (string | number)[]): Condition =>
  sql<SqlBool>`${column} in (${sql.join(values)})`;

export function conditionsOf(sought: Sought, led: Led = 'anything'): Condition[] {
  const { kinds, users, ips, codes = [], patterns = [], before, after, search } = sought;
  const [number, text] = led === 'anything' ? [leading, leading] : [numberBeside, textBeside];
  const time = led === 'nothing' ? textBeside('created_at') : leading('created_at');
  const conditions = [
    kinds && among(number('kind'), kinds),
    users && among(number('user_id'), users),
    ips && among(text('remote_ip'), ips),
    codes.length + patterns.length > 0 && codeIs(text('code'), codes, patterns),
    after !== undefined && sql<SqlBool>`${time} > ${after}`,
    before !== undefined && sql<SqlBool>`${time} < ${before}`,
    search !== undefined && searched(search),
  ];
  return conditions.filter((one) => one !== undefined && one !== false);
}

export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

const any = (conditions: readonly Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;

const codeIs = (column: RawBuilder<unknown>, codes: readonly string[], patterns: readonly string[]): Condition =>
  any([...(codes.length > 0 ? [among(column, codes)] : []), ...patterns.map((pattern) => likeness(column, pattern))]);

function likeness(column: RawBuilder<unknown>, pattern: string): Condition {
  const like = sql<SqlBool>`${column} like ${pattern.replace(/[_!]/g, '!$&')} escape '!'`;
  const start = startOf(pattern);
  return start === '' ? like : sql<SqlBool>`(${all(beginning(column, start))} and ${like})`;
}

/** Below everything that begins so and above it, byte by byte. No text has a sign after the last one. */
const beginning = (column: RawBuilder<unknown>, start: string): Condition[] => [
  sql<SqlBool>`${column} >= ${start}`,
  sql<SqlBool>`${column} < ${`${start}\u{10ffff}`}`,
];

/** An address is looked at only where the term may be the beginning of one. */
const searched = (term: string): Condition =>
  any([
    contains('url', term),
    ...(/^[\da-f.:]+$/i.test(term) ? [all(beginning(sql.ref('remote_ip'), term.toLowerCase()))] : []),
  ]);

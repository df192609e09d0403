// Which records a list holds, as far as they themselves tell.
import { type Expression, type ExpressionBuilder, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EngineName } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import { allPossible } from '../../platform/listing.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { ContentTables } from '../tables.ts';
import type { HiddenParents, Wanted } from './post.ts';

/** What the parts of a list of records know of each other. */
export type Tables = ContentTables & TotalsTables;
export type Db = Reads<Tables>;

/** A condition on `posts`. */
export type Condition = Expression<SqlBool>;

/** Records are listed kind by kind, each in the order of an index, and the beginnings put together. */
export interface Kind {
  readonly type: string;
  readonly status: string;
}

export interface Listing {
  readonly db: Db;
  readonly engine: EngineName;
  /** These terms, with all that is below them. */
  withBelow(ids: readonly number[]): Promise<readonly number[]>;
}

/** Which filters leave out some of a type and status; their values stand in `Wanted`. */
export function filtersOf(wanted: Wanted): Condition[] {
  const on = expressionBuilder<Tables, 'posts'>();
  return [
    ...byNumber(on, wanted),
    ...byTime(on, wanted),
    ...byLook(on, wanted),
    ...byRight(on, wanted),
    ...(wanted.also ?? []),
  ];
}

/** Said in figures: the index of the sticky ones is taken for nothing else. */
export const isSticky: Condition = sql<SqlBool>`posts.sticky = 1`;

/** No password closes it. */
export const isOpen: Condition = sql<SqlBool>`posts.password = ''`;

/** However many they are, one parameter: so there is one statement to prepare. */
export const isAmong = (engine: EngineName, ids: readonly number[]): Condition =>
  engine === 'sqlite'
    ? sql<SqlBool>`posts.id in (select value from json_each(${`[${ids.join(',')}]`}))`
    : sql<SqlBool>`posts.id = any(${`{${ids.join(',')}}`}::bigint[])`;

type On = ExpressionBuilder<Tables, 'posts'>;

const isGiven = <T>(list: readonly T[] | undefined): list is readonly T[] => list !== undefined && list.length > 0;

function byNumber(on: On, wanted: Wanted): Condition[] {
  const { include, exclude, authors, notAuthors, parents, notParents } = wanted;
  const conditions: Condition[] = [];
  if (isGiven(include)) conditions.push(on('posts.id', 'in', allPossible(include)));
  if (isGiven(exclude) && !isGiven(include)) conditions.push(on('posts.id', 'not in', allPossible(exclude)));
  if (isGiven(notAuthors)) conditions.push(on('posts.author', 'not in', allPossible(notAuthors)));
  if (isGiven(authors) && !isGiven(notAuthors)) conditions.push(on('posts.author', 'in', allPossible(authors)));
  if (isGiven(parents)) conditions.push(on('posts.parent', 'in', allPossible(parents)));
  if (isGiven(notParents)) conditions.push(on('posts.parent', 'not in', allPossible(notParents)));
  if (wanted.menuOrder !== undefined) conditions.push(on('posts.menu_order', '=', wanted.menuOrder));
  return conditions;
}

function byTime(on: On, { after, before, modifiedAfter, modifiedBefore }: Wanted): Condition[] {
  const conditions: Condition[] = [];
  if (after !== undefined) conditions.push(on('posts.date', '>', after));
  if (before !== undefined) conditions.push(on('posts.date', '<', before));
  if (modifiedAfter !== undefined) conditions.push(on('posts.modified', '>', modifiedAfter));
  if (modifiedBefore !== undefined) conditions.push(on('posts.modified', '<', modifiedBefore));
  return conditions;
}

function byLook(on: On, { slugs, sticky, include, formats, mimeTypes, mediaTypes }: Wanted): Condition[] {
  const conditions: Condition[] = [];
  if (isGiven(slugs)) conditions.push(on('posts.slug', 'in', [...new Set(slugs.map(writable))]));
  if (sticky === true) conditions.push(isSticky);
  if (sticky === false && !isGiven(include)) conditions.push(sql<SqlBool>`posts.sticky = 0`);
  if (isGiven(formats)) conditions.push(...byFormat(on, formats.map(formatKept)));
  const files = [
    ...(isGiven(mimeTypes) ? [on('posts.mime_type', 'in', mimeTypes.map(writable))] : []),
    ...(mediaTypes ?? []).map((family) => inFamily(on, writable(family))),
  ];
  if (files.length > 0) conditions.push(on.or(files));
  return conditions;
}

function byRight(on: On, { ownOnly, notAttached }: Wanted): Condition[] {
  const conditions: Condition[] = [];
  if (ownOnly !== undefined) {
    const isOther = on('posts.status', 'not in', ownOnly.statuses);
    conditions.push(on.or([isOther, ...(ownOnly.author === 0 ? [] : [on('posts.author', '=', ownOnly.author)])]));
  }
  if (notAttached !== undefined) conditions.push(on.not(isHiddenFile(notAttached)));
  return conditions;
}

/** Whether it is an attachment of one of these records, and another account uploaded it. */
export const isHiddenFile = ({ author, isParent }: HiddenParents): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isOthersFile(author)} and posts.parent <> 0 and ${isParent})`;

/** The same for a count of all of them, which begins with the parents. */
export const isAttachedTo = ({ author, ids }: HiddenParents): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isOthersFile(author)} and posts.parent in (${ids}))`;

const isOthersFile = (author: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`posts.status = 'inherit' and (posts.author <> ${author} or posts.author = 0)`;

/** Said in so many words: the index of those that have one is taken for nothing else. */
function byFormat(on: On, formats: readonly string[]): Condition[] {
  const isOne = on('posts.format', 'in', formats);
  return formats.includes('') ? [isOne] : [isOne, sql<SqlBool>`posts.format <> ''`];
}

const formatKept = (format: string): string => (format === 'standard' ? '' : writable(format));

/** All that begins with `image/`: what comes after the stroke sorts before the next sign. */
const inFamily = (on: On, family: string) =>
  on.and([on('posts.mime_type', '>=', `${family}/`), on('posts.mime_type', '<', `${family}0`)]);

/** PostgreSQL has no such sign, so it cannot even be asked. */
const writable = (text: string): string => text.replaceAll('\0', '\ufffd');

// Which records are moved out.
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely';
import { kernelErrors } from '#kernel/errors.ts';
import { statuses, statusOf } from '../../../content/statuses.ts';
import type { ContentTables } from '../../../content/tables.ts';
import type { Kinds } from '../../../content/types.ts';

export interface Selection {
  /** The type of all of them; every type, where nothing is said. */
  readonly type?: string;
  /** By number. */
  readonly author?: number;
  readonly category?: number;
  readonly status?: string;
  /** The first and the last month: `2026-11`. */
  readonly start?: string;
  readonly end?: string;
}

/** As somebody asks for it; what is empty is not asked. */
export interface SelectionAsked {
  /** `all`, or a type. */
  readonly content?: string | undefined;
  readonly status?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** Nobody has begun to write it. */
const unwritten = 'auto-draft';

/** Throws what cannot be asked for. */
export function readSelection(kinds: Kinds, { content = '', status = '', start = '', end = '' }: SelectionAsked) {
  const types = kinds.types.map(({ name }) => name);
  if (content !== '' && content !== 'all' && !types.includes(content))
    throw kernelErrors.invalidParam(
      `The content type ${content} does not exist; choose all or one of ${types.join(', ')}.`,
    );
  const names = statuses.map(({ name }) => name).filter((name) => name !== unwritten);
  if (status !== '' && (statusOf(status) === undefined || status === unwritten))
    throw kernelErrors.invalidParam(`The status ${status} does not exist; choose one of ${names.join(', ')}.`);
  const odd = [start, end].find((month) => month !== '' && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month));
  if (odd !== undefined) throw kernelErrors.invalidParam(`${odd} is not a month; write it as 2026-11.`);
  return {
    ...(content !== '' && content !== 'all' && { type: content }),
    ...(status !== '' && { status }),
    ...(start !== '' && { start }),
    ...(end !== '' && { end }),
  } satisfies Selection;
}

type Condition = ExpressionWrapper<ContentTables, 'posts', SqlBool>;

/**
 * Whether a record is among them. Nothing of it leads to an index: they are read in the order of their numbers, and page after
 * page would otherwise be sorted out of all there are.
 */
export function isChosen(selection: Selection): (from: ExpressionBuilder<ContentTables, 'posts'>) => Condition {
  const { type, author, category, status, start, end } = selection;
  return (from) => {
    const text = (name: 'type' | 'status' | 'date') => sql<string>`${from.ref(name)} || ''`;
    const conditions = [
      from(text('status'), '<>', unwritten),
      ...(type === undefined ? [] : [from(text('type'), '=', type)]),
      ...(status === undefined ? [] : [from(text('status'), '=', status)]),
      ...(author === undefined ? [] : [from(sql<number>`${from.ref('posts.author')} + 0`, '=', author)]),
      ...(start === undefined ? [] : [from(text('date'), '>=', start)]),
      // No month has so many days.
      ...(end === undefined ? [] : [from(text('date'), '<', `${end}-32`)]),
    ];
    if (category === undefined) return from.and(conditions);
    const carried = from
      .selectFrom('post_terms')
      .select('post_terms.post_id')
      .where('post_terms.term_id', '=', category)
      .whereRef('post_terms.post_id', '=', 'posts.id');
    return from.and([...conditions, from.exists(carried)]);
  };
}

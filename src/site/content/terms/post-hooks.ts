// The terms of a record, in the write of the record: who carries what, and the counts and totals that follow from it.
import type { Insertable } from 'kysely';
import { count, type More } from '../../platform/totals.ts';
import type { Carrying, TermHooks } from '../posts/hooks.ts';
import { type ContentTables, totalTopics, type Writing } from '../tables.ts';
import { held, heldAs } from './rows.ts';

type Placed = Carrying['post'];

/** So many rows in one statement. */
const atOnce = 1_000;

export const termHooks: Omit<TermHooks, 'defaultCategory'> = {
  given: async (tx, post, terms) => (await given(tx, [{ post, terms }]))[0]!,
  givenMany: given,

  async assign(tx, post, terms) {
    const taxonomies = Object.keys(terms);
    if (taxonomies.length === 0) return false;
    const carried = await carriedBy(tx, post.id, taxonomies);
    const wanted = await known(tx, terms);
    const gone = [...carried].filter((id) => !wanted.has(id));
    const come = [...wanted.keys()].filter((id) => !carried.has(id));
    if (gone.length + come.length === 0) return false;
    const weight = isCounted(post) ? 1 : 0;
    // Those that stay too: whoever deletes one looks at whether a record carries another.
    const there = await held(tx, { ...each([...carried], 0), ...each(gone, -weight), ...each(come, weight) });
    const kept = come.filter((id) => there.has(id));
    const left = gone.filter((id) => there.has(id));
    await drop(tx, post.id, gone);
    await carry(tx, post, kept, wanted);
    await count(tx, totalTopics.terms, { ...totals(post, left, -1), ...totals(post, kept, 1) });
    return gone.length + kept.length > 0;
  },

  async moved(tx, before, after) {
    const { type, status, date } = after;
    const isElsewhere = type !== before.type || status !== before.status;
    if (!isElsewhere && date === before.date) return;
    const more = Number(isCounted(after)) - Number(isCounted(before));
    const there = await heldOf(tx, after.id, more);
    const rows = await tx
      .updateTable('post_terms')
      .set({ type, status, date })
      .where('post_id', '=', after.id)
      .returning('term_id')
      .execute();
    if (!isElsewhere) return;
    const ids = await heldAll(tx, rows, there, more);
    await count(tx, totalTopics.terms, { ...totals(before, ids, -1), ...totals(after, ids, 1) });
  },

  async released(tx, post) {
    const more = isCounted(post) ? -1 : 0;
    const there = await heldOf(tx, post.id, more);
    const rows = await tx.deleteFrom('post_terms').where('post_id', '=', post.id).returning('term_id').execute();
    await count(tx, totalTopics.terms, totals(post, await heldAll(tx, rows, there, more), -1));
  },
};

/** The terms before who carries them: whoever deletes one has its row, and then reads who carries it, and how. */
async function heldOf(tx: Writing, post: number, more: number): Promise<ReadonlySet<number>> {
  const rows = await tx.selectFrom('post_terms').select('term_id').where('post_id', '=', post).execute();
  return held(
    tx,
    each(
      rows.map(({ term_id }) => term_id),
      more,
    ),
  );
}

/** Also what the record was given by whoever deleted the last it had. */
async function heldAll(
  tx: Writing,
  rows: readonly { readonly term_id: number }[],
  there: ReadonlySet<number>,
  more: number,
): Promise<number[]> {
  const ids = rows.map(({ term_id }) => term_id);
  await held(
    tx,
    each(
      ids.filter((id) => !there.has(id)),
      more,
    ),
  );
  return ids;
}

async function given(tx: Writing, all: readonly Carrying[]): Promise<More[]> {
  const wanted = all.map(({ post, terms }) => ({ post, terms: named(terms) }));
  const some = new Map<string, { readonly id: number; readonly taxonomy: string; by: number }>();
  for (const { post, terms } of wanted)
    for (const [id, taxonomy] of terms) {
      const one = some.get(`${id} ${taxonomy}`) ?? { id, taxonomy, by: 0 };
      one.by += isCounted(post) ? 1 : 0;
      some.set(`${id} ${taxonomy}`, one);
    }
  // Said together, done one after the other, and in one order, so that writers never wait in a ring.
  const inOrder = [...some].sort(([, one], [, other]) => one.id - other.id);
  const there = await Promise.all(inOrder.map(([, { id, taxonomy, by }]) => heldAs(tx, id, taxonomy, by)));
  const known = new Set(inOrder.filter((_, at) => there[at]).map(([key]) => key));
  const kept = wanted.map(({ post, terms }) => ({
    post,
    terms: new Map(terms.filter(([id, taxonomy]) => known.has(`${id} ${taxonomy}`))),
  }));
  const rows = kept.flatMap(({ post, terms }) => rowsOf(post, [...terms.keys()], terms));
  for (let at = 0; at < rows.length; at += atOnce)
    await tx
      .insertInto('post_terms')
      .values(rows.slice(at, at + atOnce))
      .execute();
  return kept.map(({ post, terms }) => totals(post, [...terms.keys()], 1));
}

const isCounted = ({ status }: Placed): boolean => status === 'publish';

const each = (ids: readonly number[], by: number): Record<number, number> =>
  Object.fromEntries(ids.map((id) => [id, by]));

const totals = ({ type, status }: Placed, ids: readonly number[], by: number): Record<string, number> =>
  Object.fromEntries(ids.map((id) => [`${id}/${type}/${status}`, by]));

const named = (terms: Readonly<Record<string, readonly number[]>>): [id: number, taxonomy: string][] =>
  Object.entries(terms)
    .flatMap(([taxonomy, ids]) => [...new Set(ids)].map((id): [number, string] => [id, taxonomy]))
    .filter(([id]) => Number.isSafeInteger(id))
    .sort(([one], [other]) => one - other);

async function carriedBy(tx: Writing, post: number, taxonomies: readonly string[]): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('post_terms')
    .select('term_id')
    .where('post_id', '=', post)
    .where('taxonomy', 'in', taxonomies)
    .execute();
  return new Set(rows.map(({ term_id }) => term_id));
}

/** Those that are there and of the kind they are named for, with their kinds. */
async function known(tx: Writing, terms: Readonly<Record<string, readonly number[]>>): Promise<Map<number, string>> {
  const ids = [...new Set(Object.values(terms).flat())].filter(Number.isSafeInteger);
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom('terms').select(['id', 'taxonomy']).where('id', 'in', ids).execute();
  return new Map(rows.flatMap(({ id, taxonomy }) => (terms[taxonomy]?.includes(id) ? [[id, taxonomy]] : [])));
}

async function drop(tx: Writing, post: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.deleteFrom('post_terms').where('post_id', '=', post).where('term_id', 'in', ids).execute();
}

async function carry(
  tx: Writing,
  post: Placed,
  ids: readonly number[],
  taxonomies: ReadonlyMap<number, string>,
): Promise<void> {
  if (ids.length > 0)
    await tx
      .insertInto('post_terms')
      .values(rowsOf(post, ids, taxonomies))
      .execute();
}

const rowsOf = (
  { id, type, status, date }: Placed,
  ids: readonly number[],
  taxonomies: ReadonlyMap<number, string>,
): Insertable<ContentTables['post_terms']>[] =>
  ids.map((term_id) => ({ term_id, post_id: id, taxonomy: taxonomies.get(term_id)!, type, status, date }));

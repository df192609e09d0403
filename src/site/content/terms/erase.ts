// Deleting a term for good. What carried it lies in as many rows as there are records, so each step is one statement.
import { type ExpressionBuilder, sql } from 'kysely';
import { count } from '../../platform/totals.ts';
import { type ContentTables, totalTopics, type Writing } from '../tables.ts';
import { held } from './counts.ts';
import type { Term } from './term.ts';

/** `instead` is what records get that carry nothing else of its kind. */
export async function eraseTerm(tx: Writing, term: Term, instead: number | undefined): Promise<void> {
  const { id, taxonomy, parent } = term;
  const there = await held(tx, instead === undefined ? { [id]: 0 } : { [id]: 0, [instead]: 0 });
  if (instead !== undefined && there.has(instead)) await handOver(tx, term, instead);
  await tx.deleteFrom('post_terms').where('term_id', '=', id).execute();
  await tx.deleteFrom('term_meta').where('term_id', '=', id).execute();
  // All keys that begin with its number and a slash.
  await tx
    .deleteFrom('totals')
    .where('topic', '=', totalTopics.terms)
    .where('key', '>', `${id}/`)
    .where('key', '<', `${id}0`)
    .execute();
  await tx.updateTable('terms').set({ parent }).where('taxonomy', '=', taxonomy).where('parent', '=', id).execute();
  await tx.deleteFrom('terms').where('id', '=', id).execute();
  await count(tx, totalTopics.taxonomies, { [taxonomy]: -1 });
}

async function handOver(tx: Writing, { id, taxonomy }: Term, instead: number): Promise<void> {
  const lonely = tx
    .selectFrom('post_terms as mine')
    .where('mine.term_id', '=', id)
    .where((mine) => mine.not(mine.exists(others(mine, taxonomy, id))));
  const groups = await lonely
    .select(['mine.type', 'mine.status', (mine) => mine.fn.countAll<number>().as('records')])
    .groupBy(['mine.type', 'mine.status'])
    .execute();
  if (groups.length === 0) return;
  const kept = ['post_id', 'taxonomy', 'type', 'status', 'date'] as const;
  await tx
    .insertInto('post_terms')
    .columns(['term_id', ...kept])
    .expression(
      lonely.select([sql<number>`${instead}`.as('term_id'), ...kept.map((column) => `mine.${column}` as const)]),
    )
    .execute();
  const published = groups.filter(({ status }) => status === 'publish');
  await held(tx, { [instead]: published.reduce((sum, { records }) => sum + Number(records), 0) });
  const more = groups.map(({ type, status, records }) => [`${instead}/${type}/${status}`, Number(records)]);
  await count(tx, totalTopics.terms, Object.fromEntries(more));
}

const others = (
  mine: ExpressionBuilder<ContentTables & { mine: ContentTables['post_terms'] }, 'mine'>,
  taxonomy: string,
  id: number,
) =>
  mine
    .selectFrom('post_terms as other')
    .select('other.term_id')
    .whereRef('other.post_id', '=', 'mine.post_id')
    .where('other.taxonomy', '=', taxonomy)
    .where('other.term_id', '<>', id);

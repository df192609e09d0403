// The terms of records that are shown together.
import { built } from '#store/built.ts';
import type { Reads } from '#store/handles.ts';
import type { ContentTables } from '../tables.ts';
import { columns } from './rows.ts';
import type { Term } from './term.ts';

const readCarried = built((db: Reads<ContentTables>, posts) =>
  db
    .selectFrom('post_terms')
    .innerJoin('terms', 'terms.id', 'post_terms.term_id')
    .select(['post_terms.post_id', ...columns.map((column) => `terms.${column}` as const)])
    .where('post_terms.post_id', 'in', posts)
    .orderBy('terms.name_key')
    .orderBy('terms.id'),
);

export async function termsOf(
  db: Reads<ContentTables>,
  posts: readonly number[],
): Promise<Map<number, Readonly<Record<string, readonly Term[]>>>> {
  const possible = posts.filter(Number.isSafeInteger);
  if (possible.length === 0) return new Map();
  const rows = await readCarried(db, possible);
  const byPost = Map.groupBy(rows, ({ post_id }) => post_id);
  return new Map([...byPost].map(([post, carried]) => [post, byTaxonomy(carried)]));
}

const byTaxonomy = (rows: readonly (Term & { readonly post_id: number })[]): Record<string, Term[]> => {
  const terms = rows.map(({ post_id: _, ...term }) => term);
  return Object.groupBy(terms, ({ taxonomy }) => taxonomy) as Record<string, Term[]>;
};

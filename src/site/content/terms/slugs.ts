// The names of terms in addresses. Asked inside the write that takes one, which holds the lock on terms.
import { postSlug, shortSlug } from '#lib/slug.ts';
import type { Writing } from '../tables.ts';
import { findNamed } from './rows.ts';
import type { Term } from './term.ts';

/** The name under which writes that decide by looking at other terms wait for each other. */
export const termsLock = 'terms';

const most = 200;
const together = 1_000;

interface Place {
  readonly taxonomy: string;
  readonly parent: Pick<Term, 'slug'> | undefined;
}

/** The slug; with that of its parent where somebody has it; with the first number that makes it nobody else's. */
export async function freeSlug(tx: Writing, text: string, { taxonomy, parent }: Place): Promise<string> {
  const slug = postSlug(text);
  // It gets its number for a name, once it has one.
  if (slug === '') return '';
  if ((await findNamed(tx, taxonomy, slug)) === undefined) return slug;
  if (parent === undefined) return numbered(tx, taxonomy, slug);
  const longer = shortSlug(`${slug}-${parent.slug}`, most);
  return (await findNamed(tx, taxonomy, longer)) === undefined ? longer : numbered(tx, taxonomy, longer);
}

export async function numbered(tx: Writing, taxonomy: string, slug: string): Promise<string> {
  for (let from = 2, many = 50; ; from += many, many = Math.min(2 * many, together)) {
    const candidates = Array.from({ length: many }, (_, at) => withNumber(slug, from + at));
    const rows = await tx
      .selectFrom('terms')
      .select('slug')
      .where('taxonomy', '=', taxonomy)
      .where('slug', 'in', candidates)
      .execute();
    const taken = new Set(rows.map((row) => row.slug));
    const free = candidates.find((one) => !taken.has(one));
    if (free !== undefined) return free;
  }
}

const withNumber = (slug: string, number: number): string => {
  const ending = `-${number}`;
  return shortSlug(slug, most - ending.length) + ending;
};

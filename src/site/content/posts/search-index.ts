// Which index a search asks: that of whole words where those alone tell, else that of parts.
import type { Part, Sought } from '#store/sought.ts';
import { isInWords, wordsHolding } from '#store/words.ts';
import { postsSearch, postsWords } from './found-by.ts';
import type { Listing } from './list-shape.ts';

type Index = typeof postsSearch.table | typeof postsWords;

export interface Question {
  readonly table: Index;
  readonly sought: Sought;
}

/** What each is to hold, and what none of them, as the index is asked. */
export interface Terms<S extends Sought = Sought> {
  readonly table: Index;
  readonly wanted: readonly S[];
  readonly unwanted: readonly S[];
}

export const soughtOf = ({ wanted, unwanted }: Terms, ...more: readonly Sought[]): Sought =>
  without({ all: [...wanted, ...more] }, unwanted);

export const without = (some: Sought, unwanted: readonly Sought[]): Sought =>
  unwanted.length === 0 ? some : { some, without: { any: unwanted } };

/** Nothing where a term is in no word at all. */
export async function termsAsked({ db, engine }: Listing, parts: Terms<Part>): Promise<Terms | undefined> {
  const { wanted, unwanted } = parts;
  if (wanted.length === 0 || ![...wanted, ...unwanted].every(isTold)) return parts;
  const holding = async ({ term }: Part) => ({ words: await wordsHolding(db, engine, words, term) });
  const each = await Promise.all(wanted.map(holding));
  if (each.some(isNone)) return undefined;
  const none = (await Promise.all(unwanted.map(holding))).filter((one) => !isNone(one));
  return areAll(each) && areAll(none) ? { table: postsWords, wanted: each, unwanted: none } : parts;
}

const columns = Object.keys(postsSearch.columns);
const words = { table: postsWords, search: postsSearch.table, columns };

/** Words do not tell where in a record they are. */
const isTold = (part: Part): boolean => part.columns.length === columns.length && isInWords(part.term);

interface Held {
  readonly words: readonly number[] | undefined;
}

const isNone = ({ words }: Held): boolean => words?.length === 0;

const areAll = (some: readonly Held[]): some is readonly { readonly words: readonly number[] }[] =>
  some.every(({ words }) => words !== undefined);

// Which records a search finds, and how many.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fold } from '#lib/fold.ts';
import { keysOf } from '#lib/objects.ts';
import { contains } from '#store/contains.ts';
import { isIndexed, isSearchable } from '#store/search.ts';
import { holding, numbersHolding, type Part, type Sought } from '#store/sought.ts';
import { isInWords, wordsHolding } from '#store/words.ts';
import { closedMark, kindMark, postsSearch, postsWords, titleKey } from './found-by.ts';
import type { Condition, Kind, Listing } from './list-filters.ts';
import type { Wanted } from './post.ts';

type Column = keyof typeof postsSearch.columns;
const everywhere = keysOf(postsSearch.columns);

export interface Search {
  readonly question: Question;
  /** The same, asked of the index of parts. */
  readonly inParts: Sought;
  /** What is too short for it, asked of the records themselves. */
  readonly besides: readonly Condition[];
  readonly total: number;
  /** Whatever is found, of all kinds, where that is little. */
  readonly numbers?: readonly number[];
  /** In the order of relevance; everything the index finds is in one of them. */
  readonly ranks: readonly Sought[];
}

/** Nothing, where nothing is looked for. */
export async function searchOf(listing: Listing, wanted: Wanted, kinds: readonly Kind[]): Promise<Search | undefined> {
  const asked = wanted.searchExact === true ? exactly(wanted) : searched(wanted);
  if (asked === undefined) return undefined;
  const ofKinds = marksOf(wanted, kinds);
  const { besides, ranks, unwanted } = asked;
  const parts: Terms<Part> = { table: postsSearch.table, wanted: asked.wanted, unwanted };
  const inParts = soughtOf(parts, ofKinds);
  const nothing = { question: { table: parts.table, sought: inParts }, inParts, besides, ranks, total: 0 };
  const terms = asked.isNothing ? undefined : await termsAsked(listing, parts);
  if (terms === undefined) return nothing;
  const { table } = terms;
  const numbers = wanted.orderBy === 'relevance' ? undefined : await numbersOf(listing, terms);
  if (numbers !== undefined) return { ...nothing, total: numbers.length, numbers };
  const question = { table, sought: soughtOf(terms, ofKinds) };
  return { ...nothing, question, total: await counted(listing, question) };
}

function marksOf({ searchOpen }: Wanted, kinds: readonly Kind[]): Sought {
  const marks = searchOpen === true ? [kindMark] : [kindMark, closedMark];
  return { mark: 'kind', among: kinds.flatMap(({ type, status }) => marks.map((mark) => mark(type, status))) };
}

interface Asked {
  readonly wanted: readonly Part[];
  readonly unwanted: readonly Part[];
  readonly besides: readonly Condition[];
  readonly ranks: readonly Sought[];
  readonly isNothing: boolean;
}

const columnsOf = ({ searchColumns = [] }: Wanted): readonly Column[] =>
  searchColumns.length > 0 ? [...new Set(searchColumns)] : everywhere;

function searched(wanted: Wanted): Asked | undefined {
  const terms = termsOf(wanted.search ?? '');
  if (terms.wanted.length + terms.unwanted.length === 0) return undefined;
  const columns = columnsOf(wanted);
  const part = (term: string): Part => ({ term, columns });
  const unwanted = terms.unwanted.filter(isSearchable);
  return {
    wanted: terms.wanted.filter(isAsked).map(part),
    unwanted: unwanted.filter(isIndexed).map(part),
    besides: [
      ...terms.wanted.filter(isShort).map((term) => shortIn(columns, term)),
      ...unwanted.filter(isShort).map((term) => sql<SqlBool>`not ${shortIn(columns, term)}`),
    ],
    ranks: ranksOf(terms.wanted.filter(isAsked), terms.phrase),
    isNothing: !terms.wanted.every(isSearchable),
  };
}

const isShort = (term: string): boolean => !isIndexed(term);
const isAsked = (term: string): boolean => isIndexed(term) && isSearchable(term);

const stored: Readonly<Record<Column, RawBuilder<string>>> = {
  title: sql.ref('posts.title_key'),
  excerpt: sql`lower(posts.excerpt)`,
  content: sql`lower(posts.content)`,
};

const shortIn = (columns: readonly Column[], term: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    columns.map((column) => contains(stored[column], term)),
    sql` or `,
  )})`;

/** Whole columns are compared with all that was typed, but for quotes around it. */
function exactly(wanted: Wanted): Asked | undefined {
  const text = (wanted.search ?? '').trim().replace(/^"(.*)"$/s, '$1');
  if (text === '') return undefined;
  const columns = columnsOf(wanted);
  const term = fold(text);
  const isNothing = !isSearchable(term);
  const forms = [...new Set([text, text.toLowerCase(), term])];
  const whole = columns.map((column) =>
    column === 'title'
      ? sql<SqlBool>`${stored.title} = ${titleKey(text)}`
      : sql<SqlBool>`(${stored[column]} in (${sql.join(forms)}) or ${sql.ref(`posts.${column}`)} = ${text})`,
  );
  return {
    wanted: isAsked(term) ? [{ term, columns }] : [],
    unwanted: [],
    besides: isNothing ? [] : [sql<SqlBool>`(${sql.join(whole, sql` or `)})`],
    ranks: ranksOf(isAsked(term) ? [term] : [], term),
    isNothing,
  };
}

/** The whole phrase in the title, every term, some term; the phrase in the excerpt, in the content. Then what is left. */
function ranksOf(terms: readonly string[], phrase: string): Sought[] {
  if (terms.length === 0) return [];
  const titled = terms.map((term): Sought => ({ term, columns: ['title'] }));
  const whole = (column: Column): Sought[] => (isAsked(phrase) ? [{ term: phrase, columns: [column] }] : []);
  if (terms.length === 1 && terms[0] === phrase) return [...titled, ...whole('excerpt')]; // what is left has it in the content
  const several: Sought[] = terms.length > 1 ? [{ all: titled }] : [];
  return [...whole('title'), ...several, { any: titled }, ...whole('excerpt'), ...whole('content')];
}

/** Each record of these ranks in the first of them that it is in. */
export function byRank({ inParts, ranks }: Search): Question[] {
  const within = ranks.map((rank, at) => without({ all: [inParts, rank] }, ranks.slice(0, at)));
  return [...within, without(inParts, ranks)].map((sought) => ({ table: postsSearch.table, sought }));
}

export const found = ({ engine }: Listing, { table, sought }: Question): RawBuilder<SqlBool> =>
  holding(engine, table, sought);

/** So few are read by their numbers: the index is asked once, and not for how many there are, nor of what kind, as well. */
export const mostRead = 1000;

async function numbersOf({ db, engine }: Listing, terms: Terms): Promise<number[] | undefined> {
  if (terms.wanted.length === 0) return undefined;
  const { table } = terms;
  const numbers = await numbersHolding(db, engine, { table, sought: soughtOf(terms), most: mostRead + 1 });
  return numbers.length <= mostRead ? numbers : undefined;
}

export async function counted(listing: Listing, question: Question): Promise<number> {
  const { total } = await listing.db
    .selectFrom(question.table)
    .select((row) => row.fn.countAll<number>().as('total'))
    .where(found(listing, question))
    .executeTakeFirstOrThrow();
  return total;
}

// Which index a search asks: that of whole words where those alone tell, else that of parts.

type Index = typeof postsSearch.table | typeof postsWords;

interface Question {
  readonly table: Index;
  readonly sought: Sought;
}

/** What each is to hold, and what none of them, as the index is asked. */
interface Terms<S extends Sought = Sought> {
  readonly table: Index;
  readonly wanted: readonly S[];
  readonly unwanted: readonly S[];
}

const soughtOf = ({ wanted, unwanted }: Terms, ...more: readonly Sought[]): Sought =>
  without({ all: [...wanted, ...more] }, unwanted);

const without = (some: Sought, unwanted: readonly Sought[]): Sought =>
  unwanted.length === 0 ? some : { some, without: { any: unwanted } };

/** Nothing where a term is in no word at all. */
async function termsAsked({ db, engine }: Listing, parts: Terms<Part>): Promise<Terms | undefined> {
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

// What somebody who searches has typed, taken apart.

interface SearchTerms {
  /** Each of them is found, as it is written here: without capitals and accents. */
  readonly wanted: readonly string[];
  /** None of them is found. */
  readonly unwanted: readonly string[];
  /** All that is wanted, as it was typed: records that have it so come first. */
  readonly phrase: string;
}

/** Too common to tell anything. */
const stopWords = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/** Nobody means more; each one is asked of the database. */
const most = 12;

/** A phrase in quotes, which may lack the last one, or what stands between blanks, commas and pluses. */
const pieces = /(-?)(?:"([^"]*)"?|([^\s",+]+))/g;

export function termsOf(search: string): SearchTerms {
  const unwanted: string[] = [];
  const typed: string[] = [];
  const wanted: string[] = [];
  for (const [, sign, quoted, plain] of search.matchAll(pieces)) {
    const text = (quoted ?? plain ?? '').trim();
    if (text === '') continue;
    if (sign === '-') {
      if (text !== '-') unwanted.push(fold(text));
      continue;
    }
    typed.push(text);
    if (quoted !== undefined || isTelling(text)) wanted.push(fold(text));
  }
  const phrase = fold(typed.join(' '));
  return {
    wanted: bounded(wanted.length > 0 ? wanted : wholeOf(phrase), phrase),
    unwanted: [...new Set(unwanted)].slice(0, most),
    phrase,
  };
}

const isTelling = (text: string): boolean => !/^[a-z-]$/i.test(text) && !stopWords.has(text.toLowerCase());

const wholeOf = (phrase: string): string[] => (phrase === '' ? [] : [phrase]);

/** So many terms are a sentence, and looked for as one. */
const bounded = (terms: readonly string[], phrase: string): string[] =>
  terms.length > most ? wholeOf(phrase) : [...new Set(terms)];

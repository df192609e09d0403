import { decodeHTML } from 'entities';
import type { Selectable } from 'kysely';
import { formatOf } from '#kernel/args/formats.ts';
import { invalidParam } from '#kernel/errors.ts';
import type { Problem } from '#kernel/problem.ts';
import { fold } from '#lib/fold.ts';
import { withoutSteering } from '#lib/printable.ts';
import type { Doing } from '../../identity/doing.ts';
import { filterTitle } from '../filter/filter.ts';
import type { MetaValues } from '../meta.ts';
import type { TermsTable } from '../tables.ts';

export interface Term extends Omit<Selectable<TermsTable>, 'name_key'> {}

export interface TermSaid {
  readonly name?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly parent?: number;
}

/** One of many that the program makes together. */
export interface OneOfMany {
  /** With a number, where there is one of this name. */
  readonly name: string;
  readonly description: string;
  /** What it is to lie below, 0 for nothing; `made` are those made before it. */
  readonly parentAmong: (made: readonly number[]) => number;
  /** Of what it became. */
  readonly metaOf: (made: Term) => MetaValues;
}

export interface WantedTerms {
  readonly taxonomy: string;
  readonly limit: number;
  readonly offset: number;
  readonly order: 'asc' | 'desc';
  readonly orderBy: 'name' | 'id' | 'include' | 'slug' | 'include_slugs' | 'term_group' | 'description' | 'count';
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slugs?: readonly string[];
  readonly parent?: number;
  /** Those of this record. */
  readonly post?: number;
  readonly hideEmpty?: boolean;
}

export interface Terms {
  find(id: number): Promise<Term | undefined>;
  /** Throws `rest_term_invalid`, also for one of another taxonomy. */
  get(id: number, taxonomy: string): Promise<Term>;
  named(taxonomy: string, slug: string): Promise<Term | undefined>;
  list(wanted: WantedTerms): Promise<{ items: Term[]; total: number }>;
  add(taxonomy: string, said: TermSaid & { readonly name: string }, doing: Doing<Term>): Promise<Term>;
  /** All of them or none, in one write. */
  addMany(taxonomy: string, all: readonly OneOfMany[], doing: Doing<Term>): Promise<Term[]>;
  change(term: Term, said: TermSaid, doing: Doing<Term>): Promise<Term>;
  /** For good: what is below it moves up, and a post that has no category left gets the default one. */
  erase(term: Term, doing: Doing<Term>): Promise<Term>;
  /** With all that is below it. */
  withBelow(ids: readonly number[]): Promise<number[]>;
  /** These and all that is above them, in no order: what their addresses are made of. */
  withAbove(ids: readonly number[]): Promise<Term[]>;
  /** Of these records, by record, then by taxonomy, in the order of their names; one that has none is not there. */
  of(posts: readonly number[]): Promise<Map<number, Readonly<Record<string, readonly Term[]>>>>;
  /** The category of a post without one; made when it is not there. */
  defaultCategory(): Promise<number>;
  /** The same, and nothing made. */
  findDefaultCategory(): Promise<number | undefined>;
}

// The words of a term: the name is kept as HTML that any page can show, and sorted by without capitals and accents.

export const longest = { name: 200, description: 100_000 } as const;

const line = formatOf('text-field', false)!.clean!;

const bareAmpersand = /&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** Tags are taken out, and what is left is escaped; a name that was read can be sent back. */
export const nameOf = (text: string): string =>
  withoutSteering(line(text)).replace(bareAmpersand, '&amp;').replaceAll('>', '&gt;').trim();

export const tooLong = (field: string, most: number): Problem =>
  invalidParam(field, { code: 'rest_too_long', message: `${field} must have at most ${most} characters.` });

export const nameKeyOf = (name: string): string => fold(decodeHTML(name));

/** As a comment is filtered, whoever writes it: contributors make tags. Throws where that makes it too long; before a write, so that no other waits for it. */
export function withSafeDescription<S extends TermSaid>(said: S): S {
  if (said.description === undefined) return said;
  const description = filterTitle(said.description);
  if ([...description].length > longest.description) throw tooLong('description', longest.description);
  return { ...said, description };
}

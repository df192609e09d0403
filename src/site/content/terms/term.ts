import type { Selectable } from 'kysely';
import type { Doing } from '../../identity/doing.ts';
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

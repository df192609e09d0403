// What makes test data of one kind, and in whose name. It is asked first whether it would (`demand`), and answers how it goes
// about it; then it is given one batch after the other.
import type { Asker } from '#kernel/schema.ts';
import type { Draws } from '#lib/draws.ts';
import type { Writing } from '#site/content/tables.ts';
import type { ContentType } from '#site/content/types.ts';
import type { Doing, Judge } from '#site/identity/doing.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Reads } from '#store/handles.ts';
import { testDataErrors } from './errors.ts';

/** Who has it made. */
export interface Maker extends Asker {
  /** What a write of theirs goes by: it asks once more who they are by then, and what they may. */
  doing<T>(judge: Judge<T, Writing>): Doing<T, Writing>;
}

/** What all batches of one order have in common. */
export interface Run {
  readonly maker: Maker;
  /** The moment to which dates are drawn: the day, without its hours. */
  readonly today: Date;
  readonly now: Date;
  /** Takes down why an item was left out. */
  skipped(reason: unknown): void;
}

export interface Item {
  /** Its place in the whole order. */
  readonly index: number;
  /** Its own: what it draws does not depend on the others, nor on where one batch ends. */
  readonly draws: Draws;
  /** What is kept beside it, the marks of test data among it. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** One and many, for people. */
export interface Called {
  readonly one: string;
  readonly many: string;
}

export interface Plan {
  /** What is made, where that is something else than the generator says. */
  readonly called?: Called;
  /** The path of its records in the interface: `posts`. */
  readonly base: string;
  /** Their type, where they have one. */
  readonly type?: string;
  /**
   * The numbers of what was made, in the order of the items; nothing for what was skipped, which `run` is told. Where it takes long, it may end
   * before the last item: the next part goes on there. Throws where none could be made and it is known why. One write for all of them, where there is nothing to wait for between them.
   */
  make(items: readonly Item[], run: Run): Promise<readonly (number | undefined)[]>;
}

/** Called by what is made. */
export interface Generator<Args> extends Called {
  /** So many in one order. */
  readonly most: number;
  /** Throws what refuses, before anything is made. */
  demand(args: Args, maker: Maker): Promise<Plan>;
}

/** What an order makes: records of this type, by this seed. */
export interface Own {
  readonly type: string | undefined;
  readonly seed: string;
}

/** What is to be kept beside each record, as it was asked for and found to be sound. */
export interface MetaPlan {
  /**
   * Once for a batch: looks up what of the site is needed, without what `own` has made. Each key has draws of its own, so what
   * one has does not depend on another.
   */
  ready(maker: Maker, own?: Own): Promise<(drawsOf: (key: string) => Draws) => Readonly<Record<string, unknown>>>;
}

/** Throws `rest_invalid_param` for what cannot be read. */
export type ReadMeta = (meta: unknown) => MetaPlan;

/** Those who are there, as far as the maker may write in their name; the maker, where that is nobody. */
export async function authorsFor(
  db: Reads<IdentityTables>,
  maker: Asker,
  { capabilities }: Pick<ContentType, 'capabilities'>,
  wanted: readonly number[] = [],
): Promise<readonly number[]> {
  const possible = wanted.filter((id) => Number.isSafeInteger(id) && id > 0);
  if (possible.length === 0) return [maker.id];
  const rows = await db.selectFrom('users').select('id').where('id', 'in', possible).orderBy('id').execute();
  const mayAny = maker.can(capabilities.edit_others);
  const authors = rows.map(({ id }) => id).filter((id) => mayAny || id === maker.id);
  return authors.length === 0 ? [maker.id] : authors;
}

/** The same once more, where it is written. */
export function refuseOthers(
  asker: Asker,
  { capabilities }: Pick<ContentType, 'capabilities'>,
  authors: readonly number[],
): void {
  if (authors.every((id) => id === asker.id) || asker.can(capabilities.edit_others)) return;
  throw testDataErrors.insufficientPermissions();
}

// What the site can do for whoever asks by name: a program that was given an address and a list, and reads no handbook.
import type { Verdict } from '#kernel/access.ts';
import type { Settler } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Request } from '#kernel/request.ts';
import type { Static, TSchema, t } from '#kernel/schema.ts';

/** What a program may count on; `null` where nobody says. It gives the method, too. */
export interface Annotations {
  /** Nothing is other than before. */
  readonly readonly: boolean | null;
  /** Something may be gone. */
  readonly destructive: boolean | null;
  /** Done again, it changes nothing more. */
  readonly idempotent: boolean | null;
}

export interface Category {
  readonly slug: string;
  readonly label: string;
  readonly description: string;
}

export interface Asking<I, Use> {
  readonly input: I;
  readonly caller: Caller;
  readonly use: Use;
}

export interface Running<I, Use> extends Asking<I, Use> {
  readonly request: Request;
}

/** Rules are written as methods, so that a declaration fits where its nouns are not known. */
export interface Ability<I extends TSchema, O extends TSchema, Use> {
  /** `{namespace}/{ability}`, in small letters. */
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** The slug of a category. */
  readonly category: string;
  /** Without one, nothing may be sent. What stands in `default` is taken where nothing is. */
  readonly input?: I;
  readonly output?: O;
  readonly annotations: Annotations;
  /** What else is told about it. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** `false` is refused with the general code. What writes asks again in its write. */
  may(asking: Asking<Static<I>, Use>): Verdict | Promise<Verdict>;
  run(running: Running<Static<I>, Use>): Static<O> | Promise<Static<O>>;
}

export type OwnAbility<Use> = Ability<TSchema, TSchema, Use>;
type Untyped = ReturnType<typeof t.untyped>;

/** The maker of abilities that are done with these nouns. */
export type AbilityMaker<Use> = <I extends TSchema = Untyped, O extends TSchema = Untyped>(
  ability: Ability<I, O, Use>,
) => OwnAbility<Use>;

/** What an extension brings. */
export interface Offer<Use> {
  readonly offered: readonly OwnAbility<Use>[];
  /** Those that nobody has declared yet. */
  readonly categories?: readonly Category[];
}

// What is wrong with an ability, found when it is made known: later, somebody would ask for it in vain.

/** An ability that cannot be offered as it is declared; the message is a sentence. */
export class UnfitAbility extends Error {}

/** Its last part is not `run`: at that address, abilities are run. */
const fittingName = /^[a-z0-9-]+\/(?!run$)[a-z0-9-]+$/;
const fittingSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

type Taken = Pick<ReadonlyMap<string, unknown>, 'has'>;

export function demandFittingName(name: string, taken: Taken): void {
  if (!fittingName.test(name)) throw new UnfitAbility(`${JSON.stringify(name)} is not a valid name of an ability.`);
  if (taken.has(name)) throw new UnfitAbility(`Another extension has the ability ${name} already.`);
}

export function demandFittingCategory({ slug }: Category, taken: Taken): void {
  if (!fittingSlug.test(slug)) throw new UnfitAbility(`${JSON.stringify(slug)} is not a valid slug of a category.`);
  if (taken.has(slug)) throw new UnfitAbility(`Another extension has the category ${slug} already.`);
}

export function settlerOf(ability: OwnAbility<never>, part: 'input' | 'output'): Settler | undefined {
  const schema = ability[part];
  if (schema === undefined) return undefined;
  try {
    return compile(schema, { strictDates: true });
  } catch (error) {
    throw new UnfitAbility(`The ${part} of the ability ${ability.name} cannot be read. ${(error as Error).message}`);
  }
}

// What is wrong with an ability, found when it is made known: later, somebody would ask for it in vain.
import type { Settler } from '#kernel/args/checks.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Category, OwnAbility } from './ability.ts';

/** An ability that cannot be offered as it is declared; the message is a sentence. */
export class UnfitAbility extends Error {}

/** Its last part is not `run`: at that address, abilities are run. */
const fittingName = /^[a-z0-9-]+\/(?!run$)[a-z0-9-]+$/;
const fittingSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

type Taken = Pick<ReadonlyMap<string, unknown>, 'has'>;

export function demandFittingName(name: string, taken: Taken): void {
  if (!fittingName.test(name)) throw new UnfitAbility(`No ability can be called ${JSON.stringify(name)}.`);
  if (taken.has(name)) throw new UnfitAbility(`Somebody else offers the ability ${name}.`);
}

export function demandFittingCategory({ slug }: Category, taken: Taken): void {
  if (!fittingSlug.test(slug)) throw new UnfitAbility(`No category can be called ${JSON.stringify(slug)}.`);
  if (taken.has(slug)) throw new UnfitAbility(`Somebody else has the category ${slug}.`);
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

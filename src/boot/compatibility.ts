// Which extensions can be part of a site together, and why another cannot.
import type { Extension, SharedServices } from '#site/extension.ts';
import { AssemblyProblem } from './assembly.ts';
import type { Member } from './member.ts';

export interface Compatibility<M extends Member> {
  readonly fit: readonly M[];
  readonly unfit: ReadonlyMap<M, unknown>;
}

/**
 * Those that can be together, whichever of them is first: where two stand in each other's way, the later one is unfit.
 * `refuse` throws when these cannot be served together.
 */
export function compatibleAmong<M extends Member>(
  all: readonly M[],
  refuse: (members: readonly M[]) => void,
): Compatibility<M> {
  const unfit = new Map<M, unknown>();
  const fit: M[] = [];
  const isFit = (some: readonly M[]): boolean => faultIn(some, refuse) === undefined;
  if (isFit(all)) return { fit: all, unfit };
  // What one lacks may come with one after it.
  const take = (one: M): boolean => isFit([...fit, one]) && fit.push(one) > 0;
  let left = [...all];
  let before: number;
  do {
    before = left.length;
    left = left.filter((one) => !take(one));
  } while (left.length < before);
  for (const one of left) unfit.set(one, faultIn([...fit, one], refuse));
  return { fit: all.filter((one) => fit.includes(one)), unfit };
}

function faultIn<M extends Member>(all: readonly M[], refuse: (members: readonly M[]) => void): unknown {
  try {
    for (const { extension } of all) refuseAlone(extension, all);
    refuse(all);
    return undefined;
  } catch (error) {
    return error;
  }
}

export function refuseAlone({ name, needs = [] }: Extension, all: readonly Member[]): void {
  const lacking = needs.find((service) => providerOf(service, all) === undefined);
  if (lacking !== undefined)
    throw new AssemblyProblem(`The extension ${name} needs ${lacking}, which no active extension provides.`);
}

export const providerOf = <M extends Member>(service: keyof SharedServices, among: readonly M[]): M | undefined =>
  among.find(({ extension }) => extension.provides?.includes(service));

/** Of those that are part of the site, which cannot stay: they are wanted no more, or have the nouns of one that is not. */
export function leaversAmong(members: readonly Member[], wanted: readonly Extension[]): Set<Extension> {
  const leavers = new Set<Extension>();
  const leaves = ({ needs = [] }: Extension): boolean =>
    needs.some((service) => leavers.has(providerOf(service, members)?.extension as Extension));
  // Whoever is needed joined first.
  for (const { extension } of members) if (!wanted.includes(extension) || leaves(extension)) leavers.add(extension);
  return leavers;
}

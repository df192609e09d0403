// Which extensions a deployment switches on, and what they bring: tables, capabilities, jobs, routes in the order
// of the index.

import { UnfitRendered } from '#site/content/rendering/kit.ts';
import { type AnyEntry, type Extension, toolkit } from '#site/extension.ts';
import { UnfitChecks } from '#site/health/health.ts';
import { UnfitAbility } from '#site/hooks/abilities/ability.ts';
import { UnfitJobs } from '#site/jobs/job.ts';
import type { BundledCard } from '#site/packages/packages.ts';
import { faultIn, type Group } from '#site/platform/settings/group.ts';
import { UnfitSettings } from '#site/platform/settings/settings.ts';
import type { TableOwner } from '#store/migrate.ts';
import type { Deployment } from '../config.ts';

/** A site that cannot be put together; its message is the sentence the boot stops with. */
export class AssemblyProblem extends Error {}

export const declarations = (entries: readonly AnyEntry[]): Extension[] =>
  entries.map((entry) => entry(toolkit<never>()));

export const isActive = ({ name, always }: Extension, { extensions }: Deployment): boolean =>
  always === true || extensions[name] === true;

/** Tables stay up to date whether their extension is on or not, so that switching it on is a matter of a moment. */
export const ownersOf = (extensions: readonly Extension[]): TableOwner[] =>
  extensions.flatMap(({ name, tables }) => (tables === undefined ? [] : [{ owner: name, ...tables }]));

/** What a deployment lets its roles do; extensions add to it while they are on. */
export const capabilitiesIn = ({ roles }: Deployment): Set<string> =>
  new Set(Object.values(roles).flatMap(({ capabilities }) => capabilities));

/** Every group of settings, the site's own first. */
export function groupsOf(extensions: readonly Extension[], own: Group): Group[] {
  const groups = [own, ...extensions.flatMap(({ settings }) => settings ?? [])];
  const fault = faultIn(groups);
  if (fault !== undefined) throw new AssemblyProblem(fault);
  return groups;
}

/** Those it needs come before an extension, and otherwise all stay in their order. */
export function inOrderOfNeed(extensions: readonly Extension[]): Extension[] {
  const provider = new Map(extensions.flatMap((one) => (one.provides ?? []).map((name) => [name, one] as const)));
  const ordered = new Set<Extension>();
  const place = (extension: Extension, askedBy: readonly Extension[]): void => {
    if (ordered.has(extension)) return;
    if (askedBy.includes(extension))
      throw new AssemblyProblem(`The extension ${extension.name} needs itself through other extensions.`);
    for (const name of extension.needs ?? []) {
      const from = provider.get(name);
      if (from !== undefined) place(from, [...askedBy, extension]);
    }
    ordered.add(extension);
  };
  for (const extension of extensions) place(extension, []);
  return [...ordered];
}

const unfit = [UnfitJobs, UnfitRendered, UnfitChecks, UnfitAbility, UnfitSettings];

/** What it says can stand in the way of what the site has of its own, or another extension. */
export function saidBy<R>({ name }: Extension, say: () => R): R {
  try {
    return say();
  } catch (error) {
    if (!unfit.some((kind) => error instanceof kind)) throw error;
    throw new AssemblyProblem(`The extension ${name} cannot be used. ${(error as Error).message}`);
  }
}

/**
 * What a deployment switches on it lists as well, or it was meant otherwise. One that was written before the site had a namespace of
 * its own goes on without it.
 */
export function refuseUnlisted(bundled: readonly BundledCard[], { namespaces: listed }: Deployment): void {
  for (const { slug, namespaces } of bundled.filter(({ here, on, always }) => here && on && !always)) {
    const unlisted = namespaces.find((namespace) => !listed.includes(namespace));
    if (unlisted !== undefined)
      throw new AssemblyProblem(`The extension ${slug} serves ${unlisted}, which the deployment does not list.`);
  }
}

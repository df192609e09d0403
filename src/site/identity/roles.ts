// Roles and what they may. A deployment declares them; what an extension adds is the administrators'.
import type { Asker } from '#kernel/schema.ts';
import { identityErrors } from './errors.ts';

interface Role {
  readonly label: string;
  readonly capabilities: readonly string[];
}

/** The roles of a deployment, by their names. */
export type DeclaredRoles = Readonly<Record<string, Role>>;

export const administrator = 'administrator';

export interface Roles {
  /** In the deployment's order. */
  readonly names: readonly string[];
  has(name: string): boolean;
  labelOf(name: string): string;
  /** What a holder of these roles may. */
  capabilitiesOf(roles: readonly string[]): ReadonlySet<string>;
  /** As a record shows it: what the roles give, then the roles themselves. */
  shownFor(roles: readonly string[]): Record<string, true>;
  /** The roles that give any of these capabilities. */
  giving(capabilities: readonly string[]): string[];
  /** Whether this caller may do all that holders of these roles may: only then may he give, change or take them. */
  within(roles: readonly string[], caller: Asker): boolean;
  /** Whether the one may anything that the other may not. */
  isMore(roles: readonly string[], than: readonly string[]): boolean;
}

/**
 * `declared`: every capability of the site and of the extensions that are on just now; administrators have them all. It may grow and
 * shrink meanwhile.
 */
export function createRoles(given: DeclaredRoles, declared: ReadonlySet<string>): Roles {
  const names = Object.keys(given);
  const held = new Map<string, ReadonlySet<string>>(
    names.map((name) => [name, new Set(given[name]!.capabilities)] as const),
  );
  held.set(administrator, declared);
  const own = (name: string): readonly string[] => given[name]?.capabilities ?? [];
  const capabilitiesOf = (roles: readonly string[]): ReadonlySet<string> => {
    const [only, ...others] = roles;
    if (only !== undefined && others.length === 0) return held.get(only) ?? new Set();
    return new Set(roles.flatMap((role) => [...(held.get(role) ?? [])]));
  };
  return {
    names,
    has: (name) => Object.hasOwn(given, name),
    labelOf: (name) => given[name]?.label ?? name,
    capabilitiesOf,
    shownFor: (roles) => Object.fromEntries([...roles.flatMap(own), ...roles].map((capability) => [capability, true])),
    giving: (capabilities) => names.filter((name) => capabilities.some((one) => held.get(name)!.has(one))),
    // A role that the deployment has no more may come back with whatever it gave: it counts as the largest.
    within: (roles, caller) => roles.every((role) => [...(held.get(role) ?? declared)].every((one) => caller.can(one))),
    isMore: (roles, than) => !capabilitiesOf(roles).isSubsetOf(capabilitiesOf(than)),
  };
}

export function refuseUnknownRoles(roles: Roles, wanted: readonly string[] = []): void {
  const unknown = wanted.find((role) => !roles.has(role));
  if (unknown !== undefined) throw identityErrors.unknownRole(JSON.stringify(unknown.slice(0, 100)));
}

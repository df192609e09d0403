// What whoever sends an export file says of how it is to be moved in, and whether they may.

import { kernelErrors } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import { identityErrors } from '../../../identity/errors.ts';
import type { Roles } from '../../../identity/roles.ts';

export interface How {
  /** The role of people who are made; nothing where nobody is, and what they wrote becomes that of who sends the file. */
  readonly role?: string | undefined;
  /** Logins there to logins here. */
  readonly map: Readonly<Record<string, string>>;
  /** Whether files are got from where they were. */
  readonly fetches: boolean;
}

/** Asked for to move anything in. */
export const moverCapability = 'import';
/** Asked for to make people, beside the right to give them their role. */
const makerCapability = 'create_users';

/** The roles that people who are made may get by this person. */
export const rolesFor = (roles: Roles, asker: Asker): string[] =>
  asker.can(makerCapability) ? roles.names.filter((role) => roles.within([role], asker)) : [];

/** Throws where they may not. */
export function demandMover(roles: Roles, asker: Asker, { role }: Pick<How, 'role'> = {}): void {
  if (!asker.can(moverCapability)) throw kernelErrors.forbidden('import content from another site');
  if (role !== undefined && !rolesFor(roles, asker).includes(role))
    throw identityErrors.cannotCreateUser('create users with this role');
}

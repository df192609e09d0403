// Who may ask for groups and what belongs to them, and what each refusal is called.
import type { Caller } from '#kernel/caller.ts';
import type { Face } from '#kernel/faces.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { ListedModule } from './listed.ts';
import type { Manage } from './manage.ts';

/** What the routes are made with, before anybody asks. */
export interface Wiring {
  /** Whether they manage the security of the site, at this moment. */
  manages(caller: Caller): boolean;
  readonly roles: Roles;
  /** The settings that list groups, of the modules that run now. */
  readonly listed: readonly ListedModule[];
  /** The address of a path of the interface, as this face spells it. */
  hrefOf(face: Face, path: string): string;
}

export interface Managed {
  readonly manage: Pick<Manage, 'behalfOf'>;
}

/** Managers may; whoever else is told so by this code. */
export const managerOr =
  ({ manages }: Pick<Wiring, 'manages'>, { denied }: Pick<Toolkit<unknown>, 'denied'>) =>
  (caller: Caller, code = 'rest_forbidden') =>
    manages(caller) || denied(code, 'Only those who manage the security of this site may do that.');

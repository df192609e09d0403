// What the routes about groups and what belongs to them are made with, before anybody asks.
import type { Face } from '#kernel/faces.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { Gate } from './access.ts';
import type { ListedModule } from './listed.ts';
import type { Manage } from './manage.ts';

export interface Wiring extends Pick<Gate, 'judge' | 'manager' | 'managerOr'> {
  readonly roles: Roles;
  /** The settings that list groups, of the modules that run now. */
  readonly listed: readonly ListedModule[];
  /** The address of a path of the interface, as this face spells it. */
  hrefOf(face: Face, path: string): string;
}

export interface Managed {
  readonly manage: Pick<Manage, 'behalfOf'>;
}

// Who may see and change dashboards, and what their routes are made with.
import type { Caller } from '#kernel/caller.ts';
import { isNobody } from '#kernel/caller.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Rights } from '#site/identity/rights.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Gate, Manage } from '../../groups/manage.ts';
import type { Lockouts } from '../../lockouts/lockouts.ts';
import type { Showing } from '../../lockouts/record.ts';
import type { Logs } from '../../logs/logs.ts';
import type { CardSources, CardType } from './card-data.ts';
import type { Dashboard, Dashboards, Sharing } from './dashboards.ts';

export interface Use {
  readonly dashboards: Dashboards;
  readonly cards: () => readonly CardType[];
  readonly manage: Pick<Manage, 'mayMakeDashboards' | 'behalfOf'>;
  readonly logs: Pick<Logs, 'events'>;
  readonly lockouts: Lockouts;
  readonly showLockouts: Showing;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly userRights: Pick<Rights, 'mayEdit'>;
  readonly cardSources: Pick<CardSources, 'action'>;
  readonly base: { clock(): Date };
}

export type Tools = Toolkit<Use>;

export interface DashboardWiring {
  readonly gate: Gate;
  /** Whether the caller may make dashboards. */
  mayCreate(caller: Caller): boolean;
  /** How a lockout reads. */
  presentLockout(shown: Awaited<ReturnType<Showing>>[number], context: 'view' | 'edit'): Record<string, unknown>;
}

export const whoCreates = 'Security managers, and accounts that may create dashboards.';
export const whoSees = `${whoCreates} Also accounts that a dashboard is shared with.`;

export const isSharedWith = (user: Pick<User, 'id' | 'roles'>, { users, roles }: Sharing): boolean =>
  users.includes(user.id) || user.roles.some((role) => roles.includes(role));

export const isShared = (caller: Caller, sharing: Sharing): boolean =>
  !isNobody(caller) && isSharedWith({ id: caller.id, roles: credentialOf(caller)?.user?.roles ?? [] }, sharing);

export type Making = ReturnType<typeof createMaking>;

export function createMaking(tools: Tools, wiring: DashboardWiring) {
  const mayEdit = (caller: Caller, dashboard: Dashboard): boolean =>
    !isNobody(caller) && dashboard.created_by === caller.id && wiring.mayCreate(caller);
  return {
    tools,
    wiring,
    mayEdit,
    mayView: (caller: Caller, dashboard: Dashboard): boolean =>
      mayEdit(caller, dashboard) || isShared(caller, dashboard),
  };
}

// Groups of users, what is on for each, and who manages the suite.
import { randomUUID } from 'node:crypto';
import type { Caller } from '#kernel/caller.ts';
import type { Services } from '#site/extension.ts';
import type { Roles } from '#site/identity/roles.ts';
import type { Base } from '../base.ts';
import type { ConditionContext } from '../settings/conditions.ts';
import { guardGlobal } from '../settings/global.ts';
import type { SettingsAndSwitches } from '../switches/open.ts';
import { rolesShown } from './canonical.ts';
import { makeFirstGroups } from './first-groups.ts';
import { createGroups, createMatchables } from './groups.ts';
import { listedOf } from './listed.ts';
import { createManage, type Manage } from './manage.ts';
import { createMatchableSettings } from './matchable-settings.ts';

export type OpenGroups = ReturnType<typeof openGroups>;

export function openGroups(
  { identity: { roles, doing, checks }, log, program }: Services,
  { base, settings, switches, running }: SettingsAndSwitches & { readonly base: Base },
) {
  const groups = createGroups({ ...base, roles, unique: randomUUID, failed: base.failed('The user groups') });
  const matchables = createMatchables(groups);
  const listed = () => listedOf(running());
  const manage = createManage({ settings, matchables, roles, doing, checks });
  guardGlobal(settings, (list, caller) => manage.wouldAllow(list, caller));
  return {
    groups,
    matchables,
    listed,
    manage,
    roles,
    matchableSettings: createMatchableSettings({ listed, settings, matchables }),
    /** Makes the groups that the deployment may ask for, once a site. */
    async firstGroups() {
      if (!program.firstGroups) return;
      await makeFirstGroups({ groups, settings, listed: listedOf(switches.modules.all), unique: randomUUID }).catch(
        (error) => log.error({ err: error }, 'The default user groups could not be created.'),
      );
    },
  };
}

interface HeadUse {
  readonly manage: Pick<Manage, 'allows'>;
  readonly roles: Roles;
  readonly context: Pick<ConditionContext, 'front'>;
}

/** Users who may create, edit or promote users see the roles. */
const seesRoles = ['create_users', 'edit_users', 'promote_users'];

/** The index of the namespace: managers see more of it. */
export function namespaceHead(caller: Caller, { manage, roles, context }: HeadUse): Record<string, unknown> {
  const isManager = manage.allows(caller);
  return {
    supports: [],
    ...((isManager || seesRoles.some((one) => caller.can(one))) && { roles: rolesShown(roles) }),
    ...(isManager && {
      requirements_info: {
        load: 'normal',
        server: { runtime: process.versions.node, extensions: { OpenSSL: true } },
      },
      server_type: context.front,
      install_type: 'pro',
      has_virtual_patching: false,
    }),
  };
}

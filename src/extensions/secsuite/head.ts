// What the index of the suite's namespace says besides its routes, to whoever may know it.
import type { Caller } from '#kernel/caller.ts';
import { rolesShown } from './groups/canonical.ts';
import type { Shared } from './shared.ts';

/** Whoever has to do with people sees which roles there are. */
const sees = ['create_users', 'edit_users', 'promote_users'];

export function head(
  caller: Caller,
  { manage, roles, context }: Pick<Shared, 'manage' | 'roles' | 'context'>,
): Record<string, unknown> {
  const isManager = manage.allows(caller);
  return {
    supports: [],
    ...((isManager || sees.some((one) => caller.can(one))) && { roles: rolesShown(roles) }),
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

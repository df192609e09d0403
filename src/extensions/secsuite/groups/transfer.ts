// Groups of users, taken to another site. They keep their ids, so that settings that name them stay valid.
import type { ImportRun, RoleReference, TransferSource, UserReference } from '../transfer.ts';
import { roleSchema, userSchema } from '../transfer.ts';
import { type Canonical, canonicalNames, isCanonical } from './canonical.ts';
import { isConfigured } from './group.ts';
import type { Groups } from './groups.ts';

interface Exported {
  readonly id: string;
  readonly label: string;
  readonly users: readonly UserReference[];
  readonly roles: readonly RoleReference[];
  readonly canonical: readonly Canonical[];
  readonly min_role: string;
}

const version4 = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';

export const groupsSource = (groups: Pick<Groups, 'list' | 'replaceAll'>): TransferSource => ({
  slug: 'user-groups',
  title: 'User groups',
  description: 'User groups. An import deletes the existing groups.',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'string', pattern: version4, required: true },
        label: { type: 'string', minLength: 1, required: true },
        users: { type: 'array', items: userSchema, required: true },
        roles: { type: 'array', items: roleSchema, required: true },
        canonical: { type: 'array', items: { type: 'string', enum: canonicalNames }, required: true },
        min_role: { type: 'string', required: true },
      },
    },
  },
  transform: { users: ['*.users'], roles: ['*.roles'] },
  async collect(references) {
    const all = await groups.list();
    const users = await references.users(all.flatMap((group) => group.users));
    return all.map(
      (group): Exported => ({
        id: group.id,
        label: group.label,
        users: group.users.flatMap((id) => users.get(id) ?? []),
        roles: group.roles.map(references.role),
        canonical: group.canonical,
        min_role: group.min_role,
      }),
    );
  },
  async apply(payload, run: ImportRun) {
    const exported = new Map((payload as readonly Exported[]).map((group) => [group.id, group]));
    const all = [...exported.values()].map(({ users, roles, min_role, ...group }) => ({
      ...group,
      min_role: isCanonical(min_role) ? min_role : '',
      users: users.map(({ id }) => id),
      roles: roles.map(({ slug }) => slug),
    }));
    for (const group of all)
      if (!isConfigured(group)) run.warn(`The user group "${group.label}" has no members on this site.`);
    const follow = await groups.replaceAll(run, all);
    run.afterwards(async () => {
      await follow();
      return undefined;
    });
  },
});

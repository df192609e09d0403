// What is said of a group on the wire.
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Roles } from '#site/identity/roles.ts';
import { relations } from '../base.ts';
import { canonicalNames } from './canonical.ts';
import { describe, type Group } from './group.ts';
import type { ListedModule } from './listed.ts';

type Tools = Pick<Toolkit<unknown>, 't' | 'resource'>;

export const groupPath = (id: string): string => `/secsuite/v1/user-groups/${id}`;
export const settingsPath = (id: string): string => `/secsuite/v1/user-matchable-settings/${encodeURIComponent(id)}`;

export function groupResource({ t, resource }: Tools, roles: Roles) {
  const said = ['view', 'edit'] as const;
  const lowest = t.choice([...roles.names, ''], { context: said, description: 'Lowest role of members.' });
  return resource({
    name: 'secsuite-user-group',
    fields: {
      id: t.fixed(t.string({ context: ['view', 'edit', 'embed'] })),
      label: t.string({ minLength: 1, context: ['view', 'edit', 'embed'], description: 'Name of the group.' }),
      description: t.fixed(
        t.string({ context: ['view', 'edit', 'embed'], description: 'Description of the members.' }),
      ),
      users: t.optional(
        t.list(t.integer({ minimum: 0 }), { uniqueItems: true, context: said, description: 'Ids of users.' }),
      ),
      roles: t.optional(
        t.list(t.choice(roles.names), { context: said, description: 'Roles; all users with one of them are members.' }),
      ),
      canonical: t.optional(
        t.list(t.choice(canonicalNames), {
          description: 'Default roles; all users with the rights of one of them are members.',
        }),
      ),
      min_role: t.optional(lowest),
    },
    compute: {
      description: (group: Group) => describe(present(group, roles), roles),
      roles: (group) => present(group, roles).roles,
      min_role: (group) => present(group, roles).min_role,
    },
    relations,
    links: ({ id, users }) => ({
      self: [{ href: groupPath(id) }],
      'secsuite:user-matchable-settings': [{ embeddable: true, href: settingsPath(id) }],
      'secsuite:user-group-member': users.map((user) => ({ embeddable: true, href: `/core/v2/users/${user}` })),
    }),
  });
}

/** Without roles that the site has no more. */
const present = (group: Group, roles: Roles): Group => ({
  ...group,
  roles: group.roles.filter((role) => roles.has(role)),
  min_role: roles.has(group.min_role) ? group.min_role : '',
});

export function matchableResource({ t, resource }: Tools) {
  return resource({
    name: 'secsuite-user-matchable',
    fields: {
      id: t.fixed(t.string()),
      label: t.fixed(t.string()),
      type: t.fixed(t.choice(['user-group', 'meta'])),
    },
    relations,
    links: ({ id, type }) => ({
      self: type === 'user-group' ? [{ embeddable: true, href: `${groupPath(id)}?context=view` }] : [],
      'secsuite:user-matchable-settings': [{ embeddable: true, href: settingsPath(id) }],
    }),
  });
}

const everywhere = ['view', 'edit', 'embed'] as const;

/** What is on for a group: each setting that may list it, by its module. */
export function switchResource({ t, resource }: Tools, listed: readonly ListedModule[]) {
  const moduleOf = ({ title, settings }: ListedModule) => {
    const members = settings.map(({ name, title: called, description }) => [
      name,
      t.optional(t.boolean({ title: called, description, context: everywhere })),
    ]);
    return t.object(Object.fromEntries(members), { title, context: everywhere, additionalProperties: false });
  };
  const fields: TProperties = Object.fromEntries(listed.map((module) => [module.id, moduleOf(module)]));
  return resource({ name: 'secsuite-user-group-settings', fields });
}

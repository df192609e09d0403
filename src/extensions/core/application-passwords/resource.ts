// An application password as the interface shows it.
import type { Toolkit } from '#site/extension.ts';
import type {
  ApplicationPassword,
  NewApplicationPassword,
} from '#site/identity/application-passwords/application-passwords.ts';
import type { Rights } from '#site/identity/rights.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Core } from '../core.ts';

/** Whom a path names, and who may do what with users; nobody yet, where it says `me`. */
export interface Named {
  readonly owner: User | undefined;
  readonly rights: Rights;
}

/** With whose it is. Its secret is there only when it was just made. */
export interface Held extends Named {
  readonly owner: User;
  readonly password: ApplicationPassword | NewApplicationPassword;
}

export function applicationPassword({ resource, t }: Toolkit<Core>) {
  const all = ['view', 'edit', 'embed'] as const;
  const shown = ['view', 'edit'] as const;
  const name = t.string({ minLength: 1, pattern: '.*\\S.*', context: [...all] });
  return resource({
    name: 'application-password',
    fields: {
      uuid: t.fixed(t.string({ format: 'uuid', context: [...all] })),
      app_id: t.optional(
        t.oneOf([t.string({ format: 'uuid' }), t.choice([''])], { type: 'string', context: [...all] }),
      ),
      name: Object.assign(name, { required: true as const }),
      password: t.fixed(t.string({ context: ['edit'] })),
      created: t.fixed(t.string({ format: 'date-time', context: [...shown] })),
      last_used: t.fixed(t.nullable(t.string({ format: 'date-time' }), { context: [...shown] })),
      last_ip: t.fixed(t.nullable(t.string({ format: 'ip' }), { context: [...shown] })),
      rest_api_permissions: t.fixed(t.choice(['read', 'write'], { context: [...shown] })),
      enabled_for: t.fixed(t.list(t.string(), { context: [...shown] })),
    },
    compute: {
      uuid: ({ password }: Held) => password.uuid,
      app_id: ({ password }) => password.app_id,
      name: ({ password }) => password.name,
      password: ({ password }) => ('password' in password ? password.password : undefined),
      created: ({ password }) => withoutZone(password.created_at),
      last_used: ({ password }) => password.last_used && withoutZone(password.last_used),
      last_ip: ({ password }) => password.last_ip,
      rest_api_permissions: ({ password }) => password.rest_api_permissions,
      enabled_for: ({ password }) => password.enabled_for,
    },
    links: ({ owner, password }) => ({
      self: [{ href: `/core/v2/users/${owner.id}/application-passwords/${password.uuid}` }],
    }),
  });
}

const withoutZone = (instant: string): string => instant.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);

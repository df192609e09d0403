// Bans as clients see them, with the names of the users and lockout reasons that banned.
import type { Toolkit } from '#site/extension.ts';
import type { Users } from '#site/identity/users/users.ts';
import { rdate } from '../base.ts';
import type { Actor } from './bans.ts';
import { addManyForm, banForm, changeForm } from './forms.ts';
import type { Ban } from './tables.ts';

/** Whoever banned, by the name they have now; nothing of those who are no more. */
export type LabelOf = (actor: Actor) => string | undefined;

export interface ShownBan {
  readonly ban: Ban;
  readonly createdBy: (Actor & { readonly label: string }) | null;
  /** Whether who sees it may look up what the address did. */
  readonly hasActivity: boolean;
}

export const actorTypes = ['user', 'lockout_module'] as const;
export const listPath = '/secsuite/v1/bans/database';
const addManyPath = '/secsuite/rpc/ban-users/add-many';

const everywhere = { context: ['view', 'edit', 'embed'] } as const;

export const actorOf = ({ actor_type: type, actor_id: id }: Ban): Actor | null =>
  type === null || id === null ? null : { type: type as Actor['type'], id };

export function shownBan(ban: Ban, labelOf: LabelOf, seesActivity: boolean): ShownBan {
  const actor = actorOf(ban);
  const label = actor === null ? undefined : labelOf(actor);
  return {
    ban,
    createdBy: actor === null || label === undefined ? null : { ...actor, label },
    hasActivity: seesActivity && ban.type === 'ip',
  };
}

export function banResource<Use>({ resource, t }: Pick<Toolkit<Use>, 'resource' | 't'>) {
  return resource({
    name: 'secsuite-ban',
    fields: {
      id: t.fixed(t.integer(everywhere)),
      source: t.fixed(t.choice(['database'], everywhere)),
      label: t.fixed(t.string(everywhere)),
      created_by: t.fixed(
        t.nullable(t.object({ id: t.string(), type: t.choice(actorTypes), label: t.string() }), everywhere),
      ),
      created_at: t.fixed(t.string({ format: 'date-time', ...everywhere })),
      comment: t.fixed(t.string(everywhere)),
    },
    compute: {
      id: ({ ban }: ShownBan) => ban.id,
      source: () => 'database',
      label: ({ ban }) => ban.host,
      created_by: ({ createdBy }) => createdBy,
      created_at: ({ ban }) => rdate(ban.created_at),
      comment: ({ ban }) => ban.comment,
    },
    links: linksOf,
    deeds: [
      {
        rel: 'create-form',
        title: banForm.title,
        href: listPath,
        submissionSchema: banForm,
        targetHints: { allow: ['GET', 'POST'] },
      },
      { rel: 'edit-form', title: changeForm.title, href: `${listPath}/{id}`, targetSchema: changeForm },
      {
        rel: 'create-form',
        title: addManyForm.title,
        href: addManyPath,
        submissionSchema: addManyForm,
        targetHints: { allow: ['POST'] },
      },
    ],
  });
}

const linksOf = ({ ban, hasActivity }: ShownBan) => ({
  self: [{ href: `${listPath}/${ban.id}` }],
  related: hasActivity
    ? [
        {
          media: 'application/json',
          title: 'Log entries of this IP address',
          href: `/secsuite/v1/logs?ip[]=${encodeURIComponent(ban.host)}`,
        },
      ]
    : [],
});

export type BanResource = ReturnType<typeof banResource>;

interface Needs {
  readonly users: Pick<Users, 'list'>;
  /** Also of a reason that nobody knows any more. */
  lockoutLabel(id: string): string;
}

export function createLabels({ users, lockoutLabel }: Needs): (actors: readonly Actor[]) => Promise<LabelOf> {
  const namesOf = createNames(users);
  return async (actors) => {
    const names = await namesOf(actors.filter(isUser).map(({ id }) => Number(id)));
    return ({ type, id }) => (type === 'user' ? names.get(Number(id)) : lockoutLabel(id));
  };
}

/** By number. */
export function createNames(users: Needs['users']): (ids: readonly number[]) => Promise<Map<number, string>> {
  return async (ids) => {
    const include = [...new Set(ids)];
    const order = { order: 'asc', orderBy: 'id', searchPrivate: false } as const;
    const wanted = { include, limit: include.length, offset: 0, ...order };
    const { items } = include.length === 0 ? { items: [] } : await users.list(wanted);
    return new Map(items.map(({ id, name, login }) => [id, name || login]));
  };
}

const isUser = ({ type, id }: Actor): boolean => type === 'user' && /^[1-9]\d{0,14}$/.test(id);

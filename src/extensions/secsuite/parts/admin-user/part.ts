// Accounts that every attacker tries first (the one called "admin", and the first one), and the tools that do away with them.

import { asSaid, defineError, Problem } from '#kernel/problem.ts';
import { type Columns, renumber } from '#site/content/renumbering.ts';
import type { User } from '#site/identity/users/user.ts';
import { renameUser, type Users } from '#site/identity/users/users.ts';
import type { Events } from '#site/platform/events.ts';
import type { AnyStore } from '#store/store.ts';
import type { Behalf } from '../../base.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import type { Settings } from '../../settings/types.ts';
import type { Doing, Run } from '../../tools/tools.ts';

const quicker = 'The account was changed already.';

const adminUserErrors = {
  changeAdminUserLock: defineError(409, 'secsuite.tool.change-admin-user.lock', quicker),
  changeId1UserLock: defineError(409, 'secsuite.tool.change-id-1-user.lock', quicker),
  duplicate: defineError(409, 'secsuite.tool.change-admin-user.duplicate', asSaid),
  validate: defineError(400, 'secsuite.tool.change-admin-user.validate', asSaid),
};

interface AccountNeeds {
  readonly store: AnyStore;
  readonly users: Pick<Users, 'find' | 'named' | 'idColumns'>;
  readonly events: Pick<Events, 'emit'>;
  /** Columns of the suite that hold ids of users. */
  readonly others: Columns;
  behalf(run: Run): Behalf | undefined;
  /** The number is another one in what is set as well. */
  renumbered(from: number, to: number): Promise<void>;
}

const usual = 'admin';
const isTheAdmin = ({ login }: Pick<User, 'login'>): boolean => login.toLowerCase() === usual;

function accountTools(needs: AccountNeeds): Readonly<Record<string, Doing>> {
  const { store, users, events, others, behalf } = needs;
  const theAdmin = async () => {
    const user = await users.named(usual);
    return user && isTheAdmin(user) ? user : undefined;
  };
  return {
    'change-admin-user': {
      isAvailable: async () => (await theAdmin()) !== undefined,
      async run(run) {
        const admin = await theAdmin();
        if (admin === undefined) throw adminUserErrors.changeAdminUserLock();
        const again = behalf(run)?.again;
        const renaming = renameUser(store, admin.id, String(run.form.new_username), {
          again: async (tx, target) => {
            await again?.(tx as never);
            if (target === undefined || !isTheAdmin(target)) throw adminUserErrors.changeAdminUserLock();
          },
        });
        const { before, after } = await renaming.catch(asTools);
        events.emit('user.changed', { user: after, before });
        return { success: [`The login of the account is now ${after.login}.`] };
      },
    },
    'change-id-1-user': {
      isAvailable: async () => (await users.find(1)) !== undefined,
      async run(run) {
        const again = behalf(run)?.again;
        const columns = { ...others, ...users.idColumns };
        const moved = renumber(store, { id: 1, others: columns, ...(again && { again: (tx) => again(tx as never) }) });
        const id = await moved.catch((error) => {
          throw error instanceof Problem && error.status === 404 ? adminUserErrors.changeId1UserLock() : error;
        });
        await needs.renumbered(1, id);
        return { data: id, success: [`The id of the account is now ${id}.`] };
      },
    },
  };
}

function asTools(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'existing_user_login') throw adminUserErrors.duplicate(error.message);
  if (error.code === 'rest_user_invalid_username') throw adminUserErrors.validate(error.message);
  throw error.status === 404 ? adminUserErrors.changeAdminUserLock() : error;
}

const adminUser: Module = {
  id: 'admin-user',
  type: 'tool',
  standing: 'always-active',
  title: 'Well-known accounts',
  description: 'Changes the well-known login "admin" and the id 1, which attackers try first.',
  tools: {
    'change-admin-user': {
      title: 'Rename the account "admin"',
      description: 'Changes the login of the account "admin".',
      help: 'The user of the account then signs in with the new login.',
      form: {
        type: 'object',
        required: ['new_username'],
        properties: {
          new_username: {
            type: 'string',
            minLength: 1,
            pattern: '[\\w\\s\\-\\.\\@]+',
            default: '',
            title: 'New name',
            description: 'Letters, digits, spaces and the characters _ - . @',
          },
        },
      },
    },
    'change-id-1-user': {
      title: 'Change the id of the first account',
      description: 'Changes the id 1 of the first account to another id.',
      help: 'The content and the rights of the account do not change.',
    },
  },
};

export const adminUserPart = part({
  name: 'admin-user',
  errors: adminUserErrors,
  modules: [adminUser],
  make: (services, shared, { users: others }) => ({
    accountTools: accountTools({
      store: services.store,
      users: services.identity.users,
      events: services.events,
      others,
      behalf: ({ caller }) => caller && shared.manage.behalfOf(caller),
      renumbered: (from, to) => renumberedIn(shared.settings, from, to),
    }),
  }),
  tools: ({ accountTools }) => accountTools,
});

const center = 'notification-center';

export async function renumberedIn(settings: Pick<Settings, 'keep'>, from: number, to: number): Promise<void> {
  await settings.keep(center, ({ default_recipients, notifications }) => ({
    default_recipients: moved(default_recipients, from, to),
    notifications: Object.fromEntries(Object.entries(notifications).map(([slug, one]) => [slug, moved(one, from, to)])),
  }));
}

const moved = <V extends { readonly user_list?: readonly (number | string)[] }>(
  values: V,
  from: number,
  to: number,
): V =>
  values.user_list ? { ...values, user_list: values.user_list.map((one) => (one === from ? to : one)) } : values;

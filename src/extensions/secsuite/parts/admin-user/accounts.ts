// The accounts that everybody tries: the one called "admin", and the first one.
import { Problem } from '#kernel/problem.ts';
import { type Columns, renumber } from '#site/content/renumbering.ts';
import { renameUser } from '#site/identity/users/rename.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Events } from '#site/platform/events.ts';
import type { AnyStore } from '#store/store.ts';
import type { Behalf } from '../../behalf.ts';
import type { Doing, Run } from '../../tools/tool.ts';

export interface AccountNeeds {
  readonly store: AnyStore;
  readonly users: Pick<Users, 'find' | 'named'>;
  readonly events: Pick<Events, 'emit'>;
  /** Columns of the suite that hold ids of users. */
  readonly others: Columns;
  behalf(run: Run): Behalf | undefined;
  /** The number is another one in what is set as well. */
  renumbered(from: number, to: number): Promise<void>;
}

const usual = 'admin';
const isTheAdmin = ({ login }: Pick<User, 'login'>): boolean => login.toLowerCase() === usual;

export function accountTools(needs: AccountNeeds): Readonly<Record<string, Doing>> {
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
        if (admin === undefined) throw locked('change-admin-user');
        const again = behalf(run)?.again;
        const renaming = renameUser(store, admin.id, String(run.form.new_username), {
          again: async (tx, target) => {
            await again?.(tx as never);
            if (target === undefined || !isTheAdmin(target)) throw locked('change-admin-user');
          },
        });
        const { before, after } = await renaming.catch(asTools);
        events.emit('user.changed', { user: after, before });
        return { success: [`The account is called ${after.login} now.`] };
      },
    },
    'change-id-1-user': {
      isAvailable: async () => (await users.find(1)) !== undefined,
      async run(run) {
        const again = behalf(run)?.again;
        const moved = renumber(store, { id: 1, others, ...(again && { again: (tx) => again(tx as never) }) });
        const id = await moved.catch((error) => {
          throw error instanceof Problem && error.status === 404 ? locked('change-id-1-user') : error;
        });
        await needs.renumbered(1, id);
        return { data: id, success: [`The account has the number ${id} now.`] };
      },
    },
  };
}

/** Somebody was quicker. */
const locked = (slug: string): Problem =>
  new Problem(409, `secsuite.tool.${slug}.lock`, 'Somebody else has just done that.');

function asTools(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const tool = 'secsuite.tool.change-admin-user';
  if (error.code === 'existing_user_login') throw new Problem(409, `${tool}.duplicate`, error.message);
  if (error.code === 'rest_user_invalid_username') throw new Problem(400, `${tool}.validate`, error.message);
  throw error.status === 404 ? locked('change-admin-user') : error;
}

// Writes to folder trees for a caller: whose tree it is, and what the caller may by the time of the write.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import { minute } from '#lib/spans.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { Parting } from '#site/identity/users/users.ts';
import type { Settings } from '#site/platform/settings/settings.ts';
import type { Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import type { FolderTrees } from './folder-tree.ts';
import { ownerFor, ownerIn, type SettingsGroup } from './settings.ts';
import type { Tables, Tx } from './tables.ts';
import { removeOwner, repairTree } from './trees.ts';

/** The tree that all accounts share. */
export const sharedOwner = 0;

export interface TreeWrite {
  readonly tx: Tx;
  readonly during: During;
  /** The caller with what they may now. */
  readonly asker: Asker;
  /** Whose tree it is. */
  readonly owner: number;
}

type Work<R> = (write: TreeWrite) => Promise<R>;

/** Imports write much. */
const longestWrite = 2 * minute;

/** Writes to one tree follow one another. */
export const lockTree = (during: During, owner: number): Promise<void> => during.lock(`media folders ${owner}`);

export async function lockTrees(during: During, owners: readonly number[]): Promise<void> {
  for (const owner of [...new Set(owners)].sort((one, other) => one - other)) await lockTree(during, owner);
}

/** In the write that deletes an account: its tree goes to the heir, or is deleted. */
export const removeUserTree: Parting = async (tx, during, { id, heir = id }) => {
  await lockTrees(during, [id, heir]);
  await removeOwner(tx, id, heir === id ? undefined : heir);
  return undefined;
};

interface TreeWriteDeps {
  readonly store: Store<Tables>;
  readonly settings: Settings;
  readonly group: SettingsGroup;
  readonly identity: Pick<Identity, 'doing'>;
  readonly trees: Pick<FolderTrees, 'isDamaged'>;
}

export type TreeWrites = ReturnType<typeof createTreeWrites>;

export function createTreeWrites({ store, settings, group, identity, trees }: TreeWriteDeps) {
  /** Asks in the write once more what the caller may. */
  const demanding = (caller: Caller, capabilities: readonly string[], heard?: (asker: Asker) => void) =>
    identity.doing(credentialOf(caller), (now) => {
      if (!capabilities.every((capability) => now.can(capability))) throw kernelErrors.forbidden();
      heard?.(now);
    });

  const write = async <R>(caller: Caller, capabilities: readonly string[], work: Work<R>): Promise<R> => {
    let asker: Asker = caller;
    const { again } = demanding(caller, capabilities, (now) => {
      asker = now;
    });
    const isDamaged = trees.isDamaged(ownerFor(await settings.read(group), caller.id));
    return store.write(
      async (tx, during) => {
        await again(tx, undefined);
        const owner = await ownerIn(tx, settings, group, caller.id);
        await lockTree(during, owner);
        if (isDamaged) await repairTree(tx, owner);
        return work({ tx, during, asker, owner });
      },
      { limit: longestWrite },
    );
  };

  return {
    demanding,
    ownerOf: async (user: number): Promise<number> => ownerFor(await settings.read(group), user),
    edit: <R>(caller: Caller, work: Work<R>): Promise<R> => write(caller, ['upload_files'], work),
    administer: <R>(caller: Caller, work: Work<R>): Promise<R> =>
      write(caller, ['upload_files', 'manage_options'], work),
  };
}

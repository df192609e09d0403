// The shared folders for programs that hold the key of the public API, and that key.
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Caller } from '#kernel/caller.ts';
import { minute } from '#lib/spans.ts';
import type { RateLimits } from '#site/platform/rate-limits.ts';
import { type CallerDeps, countAllFiles, refuseMany } from './caller-folders.ts';
import { folderErrors } from './errors.ts';
import { demandFolderName } from './folder-names.ts';
import type { FolderNode } from './folder-tree.ts';
import { createFolder, freeFolderName } from './folders.ts';
import { editableFiles } from './merge-folders.ts';
import { filesInFolder, findFolder } from './queries.ts';
import { lockTree, sharedOwner } from './tree-writes.ts';
import { assignFiles } from './trees.ts';

const characters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const keyLength = 40;
export const callsPerMinute = 60;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

interface KeyDeps extends Pick<CallerDeps, 'settings' | 'group' | 'writes'> {
  readonly rateLimits: RateLimits;
}

export const createPublicKey = ({ settings, group, writes, rateLimits }: KeyDeps) => ({
  /** Replaces the former key. Only its hash is stored, so it is shown once. */
  async renew(caller: Caller): Promise<string> {
    const key = Array.from({ length: keyLength }, () => characters[randomInt(characters.length)]).join('');
    const { again } = writes.demanding(caller, ['upload_files', 'manage_options']);
    await settings.change(group, { api_key_hash: hashOf(key) }, caller.id, (tx) => again(tx, undefined));
    return key;
  },
  /** Takes the same time whether there is a key or not. */
  async isValid(key: string): Promise<boolean> {
    const { api_key_hash } = await settings.read(group);
    const isSame = timingSafeEqual(Buffer.from(hashOf(key)), Buffer.from(api_key_hash.padEnd(64, '-')));
    return isSame && api_key_hash !== '';
  },
  /** Counts a request from this IP address; false if there were too many within the minute. */
  countCall: (address: string): Promise<boolean> => rateLimits.take(`media-folders ${address}`, callsPerMinute, minute),
});

/** The key lets its holder sort every file. */
const anyFile = { rights: { mayEdit: () => true }, asker: { id: 0, can: () => false } };

export function createPublicFolders({ store, trees }: Pick<CallerDeps, 'store' | 'trees'>) {
  const { db, engine } = store;
  const get = async (id: number) => {
    const folder = await findFolder(db, sharedOwner, id);
    if (folder === undefined) throw folderErrors.folderNotFound(id);
    return { id: folder.id, name: folder.name, parent: folder.parent };
  };
  return {
    get,
    async list(): Promise<FolderNode[]> {
      const tree = await trees.of(sharedOwner);
      const { display } = await trees.counts(sharedOwner, false, false);
      const counted = (nodes: readonly FolderNode[]): FolderNode[] =>
        nodes.map((node) => ({ ...node, children: counted(node.children), 'data-count': display[node.id] ?? 0 }));
      return counted(tree.roots);
    },
    create: (name: string, parent: number): Promise<number> =>
      store.write(async (tx, during) => {
        await lockTree(during, sharedOwner);
        const title = await freeFolderName(tx, sharedOwner, parent, demandFolderName(name));
        return (await createFolder(tx, engine, sharedOwner, { parent, title })).id;
      }),
    assign(folder: number, ids: readonly number[]): Promise<{ assigned: number; skipped: number }> {
      refuseMany(ids);
      return store.write(async (tx, during) => {
        await lockTree(during, sharedOwner);
        const files = [...(await editableFiles(tx, engine, ids, anyFile))];
        await assignFiles(tx, engine, sharedOwner, { folder, files });
        return { assigned: files.length, skipped: ids.length - files.length };
      });
    },
    async files(id: number): Promise<number[]> {
      await get(id);
      return filesInFolder(db, id);
    },
    /** Of all files for -1, of those in no folder for 0. */
    async count(id: number): Promise<number> {
      const { actual } = await trees.counts(sharedOwner, false, false);
      if (id > 0) {
        if (actual[id] === undefined) throw folderErrors.folderNotFound(id);
        return actual[id];
      }
      const all = await countAllFiles(db);
      return id < 0 ? all : all - Object.values(actual).reduce((sum, files) => sum + files, 0);
    },
  };
}

// Folder trees in memory. A tree is read once; after a change only the folders that changed are read, and put where they belong.
import { Lru } from '#lib/lru.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import { type FolderRow, filesPerFolder, foldersSince, treeState } from './queries.ts';
import type { Tables } from './tables.ts';

/** A folder as clients get it. */
export interface FolderNode {
  readonly key: number;
  readonly id: number;
  children: FolderNode[];
  text: string;
  title: string;
  color: string;
  readonly 'data-id': number;
  parent: number;
  'data-count': number;
  ord: number;
}

export interface FolderCounts {
  /** By the number of the folder, as text. */
  readonly display: Readonly<Record<string, number>>;
  readonly actual: Readonly<Record<string, number>>;
}

export type NameOrder = 'asc' | 'desc';

interface Entry {
  readonly node: FolderNode;
  key: string;
  /** The list of siblings that holds it. */
  siblings: FolderNode[] | undefined;
}

const byOrder = (one: FolderNode, other: FolderNode): number => one.ord - other.ord || one.id - other.id;

/** `img2` comes before `img10`, whatever the capitals. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'accent' });
const byName = (one: FolderNode, other: FolderNode): number =>
  collator.compare(one.text, other.text) || one.id - other.id;

export class FolderTree {
  readonly roots: FolderNode[] = [];
  readonly #entries = new Map<number, Entry>();
  readonly #sorted = new Map<NameOrder, FolderNode[]>();
  readonly #orphans = new Set<number>();
  #version = 0;

  get size(): number {
    return this.#entries.size;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether a folder lies in one that does not exist. */
  get isDamaged(): boolean {
    return this.#orphans.size > 0;
  }

  has(id: number): boolean {
    return this.#entries.has(id);
  }

  get(id: number): FolderNode | undefined {
    return this.#entries.get(id)?.node;
  }

  /** Takes rows that are new or changed since the version that it has. */
  apply(rows: readonly FolderRow[], version: number): void {
    this.#version = version;
    if (rows.length === 0) return;
    this.#sorted.clear();
    for (const row of rows) this.#put(row);
    const touched = new Set<FolderNode[]>();
    for (const { id, parent } of rows) touched.add(this.#place(id, parent));
    for (const siblings of touched) siblings.sort(byOrder);
  }

  #put({ id, name, name_key, color, ord }: FolderRow): void {
    const known = this.#entries.get(id);
    if (known === undefined) {
      const node = {
        key: id,
        id,
        children: [],
        text: name,
        title: name,
        color,
        'data-id': id,
        parent: 0,
        'data-count': 0,
        ord,
      };
      this.#entries.set(id, { node, key: name_key, siblings: undefined });
      return;
    }
    known.key = name_key;
    Object.assign(known.node, { text: name, title: name, color, ord });
  }

  #place(id: number, parent: number): FolderNode[] {
    const entry = this.#entries.get(id)!;
    const above = this.#entries.get(parent)?.node;
    if (above === undefined && parent !== 0) this.#orphans.add(id);
    else this.#orphans.delete(id);
    const siblings = above?.children ?? this.roots;
    entry.node.parent = above?.id ?? 0;
    if (entry.siblings === siblings) return siblings;
    entry.siblings?.splice(entry.siblings.indexOf(entry.node), 1);
    siblings.push(entry.node);
    entry.siblings = siblings;
    return siblings;
  }

  /** The whole tree with siblings sorted by name. */
  sorted(order: NameOrder): FolderNode[] {
    return this.#sorted.getOrInsertComputed(order, () =>
      sortedCopy(this.roots, order === 'asc' ? byName : (a, b) => byName(b, a)),
    );
  }

  /** Folders whose name contains these words, each without what lies in it. `key` is the text as names are compared. */
  search(key: string): FolderNode[] {
    return [...this.#entries.values()]
      .filter((entry) => entry.key.includes(key))
      .map(({ node }) => ({ ...node, children: [] }))
      .sort(byOrder);
  }

  /** All folders, each before what lies in it. */
  *walk(nodes: readonly FolderNode[] = this.roots, level = 0): Generator<{ node: FolderNode; level: number }> {
    for (const node of nodes) {
      yield { node, level };
      yield* this.walk(node.children, level + 1);
    }
  }

  /** `files`: how many each folder holds. With `isDeep`, `display` counts what lies below as well. */
  counts(files: ReadonlyMap<number, number>, isDeep: boolean): FolderCounts {
    const actual: Record<string, number> = {};
    for (const id of this.#entries.keys()) actual[id] = files.get(id) ?? 0;
    if (!isDeep) return { display: actual, actual };
    const display = { ...actual };
    const sum = (node: FolderNode): number => {
      let all = actual[node.id]!;
      for (const child of node.children) all += sum(child);
      display[node.id] = all;
      return all;
    };
    for (const root of this.roots) sum(root);
    return { display, actual };
  }
}

const sortedCopy = (nodes: readonly FolderNode[], compare: typeof byName): FolderNode[] =>
  nodes.toSorted(compare).map((node) => ({ ...node, children: sortedCopy(node.children, compare) }));

/** Trees that are in memory at once: the shared one, or those of the accounts that were here last. */
const maxTrees = 20;
const countsAge = 60_000;

interface Cached {
  tree: FolderTree;
  /** How often its table was written when it was read. */
  at: number;
}

interface CachedCounts {
  readonly at: string;
  readonly since: number;
  readonly files: ReadonlyMap<number, number>;
}

export type FolderTrees = ReturnType<typeof createFolderTrees>;

export function createFolderTrees({ store, clock }: { readonly store: Store<Tables>; readonly clock: Clock }) {
  const { changes, db } = store;
  const trees = new Lru<number, Cached>(maxTrees);
  const counts = new Lru<number, CachedCounts>(maxTrees);
  const reading = new Map<number, Promise<FolderTree>>();

  /** Reads what changed, and all of it where that does not tell: after a deletion, or when an older database was put back. */
  const caughtUp = async (owner: number): Promise<FolderTree> => {
    const known = trees.get(owner);
    const at = changes.at('media_folders');
    if (known !== undefined && known.at === at && changes.isCurrent) return known.tree;
    const { version, deleted } = await treeState(db, owner);
    const isPartial = known !== undefined && known.tree.version >= deleted && known.tree.version <= version;
    const tree = isPartial ? known.tree : new FolderTree();
    tree.apply(await foldersSince(db, owner, tree.version), version);
    trees.set(owner, { tree, at });
    return tree;
  };

  const filesOf = async (owner: number, mayBeOlder: boolean): Promise<ReadonlyMap<number, number>> => {
    const at = `${changes.at('media_folder_items')} ${changes.at('posts')}`;
    const known = counts.get(owner);
    const now = clock().getTime();
    // A clock that was set back must not keep old counts for longer.
    const isRecent = known !== undefined && Math.abs(now - known.since) < countsAge;
    if (known !== undefined && changes.isCurrent && (known.at === at || (mayBeOlder && isRecent))) return known.files;
    const files = await filesPerFolder(db, owner);
    counts.set(owner, { at, since: now, files });
    return files;
  };

  /** One reading at a time for each tree: two that apply the same rows side by side would do it twice. */
  const of = (owner: number): Promise<FolderTree> => {
    const before = reading.get(owner) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => caughtUp(owner));
    reading.set(owner, mine);
    const done = () => void (reading.get(owner) === mine && reading.delete(owner));
    mine.then(done, done);
    return mine;
  };

  return {
    of,
    /** Whether it was damaged when it was read last. */
    isDamaged: (owner: number): boolean => trees.get(owner)?.tree.isDamaged === true,
    /** `mayBeOlder`: what was counted within the last minute is good enough. */
    async counts(owner: number, isDeep: boolean, mayBeOlder: boolean): Promise<FolderCounts> {
      const [tree, files] = await Promise.all([of(owner), filesOf(owner, mayBeOlder)]);
      return tree.counts(files, isDeep);
    },
  };
}

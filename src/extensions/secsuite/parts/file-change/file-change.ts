// Looks whether files changed without anybody having changed them: once a day, and against what they were the day before.
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import { isWithin } from '../../disk/texts.ts';
import { filesIn, hashOf, type Place } from '../../disk/walking.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Send } from '../../notifications/sending.ts';
import type { ModuleSettings, Settings } from '../../settings/types.ts';
import type { FileTables } from './tables.ts';

interface FileChangeDeps {
  readonly store: Store<FileTables>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly logs: Pick<Logs, 'operation' | 'write'>;
  readonly places: readonly Place[];
  /** Of the program: another one has other files, and nobody wonders. */
  readonly version: string;
  isRunning(): boolean;
  send: Send;
}

const id = 'file-change';
type FileSettings = ModuleSettings[typeof id];
const module = 'file_change';
/** So many are named in the log and in a letter; the others are counted. */
const named = 500;
/** Not a file: the version of the program that was looked at. */
const versionOf = 'version';

export function createFileChange(needs: FileChangeDeps) {
  const { store, clock, settings } = needs;
  const known = createKnownFiles(store);
  const now = () => settings.of(id);

  async function look(signal: AbortSignal): Promise<Look> {
    const before = await known.all();
    const { hashes, meant } = await foundFiles(needs, now(), signal);
    const changes = changesOf(before, hashes);
    await known.keep(changes, hashes);
    await settings.keep(id, { last_scan: Math.floor(clock().getTime() / 1000) });
    const isNew = before.get(versionOf) !== needs.version && now().compare_file_hashes;
    const wants = wanted(now());
    const isTold = (path: string): boolean =>
      path !== versionOf && wants(path) && !meant.has(path) && !(isNew && path.startsWith('program/'));
    return { changes: only(changes, isTold), isFirst: before.size === 0, files: hashes.size - 1 };
  }

  return {
    /** The suite is about to write the file itself: nobody is told of that. */
    async means(at: string, text: string): Promise<void> {
      const place = needs.places.findLast(({ folder }) => isWithin(folder, at));
      if (place === undefined) return;
      const path = `${place.name}/${relative(place.folder, at)}`;
      const hash = createHash('md5').update(text).digest('hex');
      await settings.keep(id, (before) => ({
        expected_hashes: { ...before.expected_hashes, [path]: hash },
      }));
    },
    scan: (signal: AbortSignal) => scan(needs, look, signal),
  };
}

interface Found {
  readonly hashes: Map<string, string>;
  /** Files whose content is what the suite wrote. */
  readonly meant: ReadonlySet<string>;
}

async function foundFiles(
  { version, places, isRunning }: FileChangeDeps,
  set: FileSettings,
  signal: AbortSignal,
): Promise<Found> {
  const hashes = new Map([[versionOf, version]]);
  const meant = new Set<string>();
  const wants = wanted(set);
  const { expected_hashes: expected } = set;
  for (const place of places)
    for await (const { path, at } of filesIn(place, wants)) {
      signal.throwIfAborted();
      if (!isRunning()) throw new Off();
      const hash = await hashOf(at, signal);
      if (hash !== undefined) hashes.set(path, hash);
      if (Object.hasOwn(expected, path) && (await hashOf(at, signal, 'md5')) === expected[path]) meant.add(path);
    }
  return { hashes, meant };
}

interface Look {
  readonly changes: Changes;
  readonly isFirst: boolean;
  readonly files: number;
}

async function scan(
  needs: FileChangeDeps,
  look: (signal: AbortSignal) => Promise<Look>,
  signal: AbortSignal,
): Promise<void> {
  const { logs, isRunning } = needs;
  if (!isRunning()) return;
  const operation = await logs.operation(module, 'scan');
  try {
    const { changes, isFirst, files } = await look(signal);
    operation.stop({ files, isFirst });
    if (!isFirst) await tell(needs, changes);
  } catch (error) {
    operation.stop({ aborted: true });
    const isMeant = error instanceof Off || signal.aborted;
    const why = error instanceof Error ? error.message : String(error);
    logs.write({ module, code: 'file-scan-aborted', type: isMeant ? 'warning' : 'fatal', data: { why } });
    if (!(error instanceof Off)) throw error;
  }
}

/** The module was switched off meanwhile. */
class Off extends Error {
  constructor() {
    super('The module was turned off.');
  }
}

/** What is left out is left out with all below it. */
function wanted({ file_list, types }: FileSettings): (path: string) => boolean {
  const out = new Set(file_list.map((path) => path.replace(/^\.?\/+|\/+$/g, '')).filter(Boolean));
  const ends = types.map((type) => type.toLowerCase());
  return (path) => {
    const lower = path.toLowerCase();
    if (ends.some((end) => lower.endsWith(end))) return false;
    const parts = path.split('/');
    return !parts.some(
      (_, at) => out.has(parts.slice(0, at + 1).join('/')) || out.has(parts.slice(1, at + 1).join('/')),
    );
  };
}

const only = ({ added, removed, changed }: Changes, isTold: (path: string) => boolean): Changes => ({
  added: added.filter(isTold),
  removed: removed.filter(isTold),
  changed: changed.filter(isTold),
});

async function tell({ logs, send }: FileChangeDeps, { added, removed, changed }: Changes): Promise<void> {
  if (added.length + removed.length + changed.length === 0) {
    logs.write({ module, code: 'no-changes-found', type: 'notice' });
    return;
  }
  const code = `changes-found::${added.length},${removed.length},${changed.length}`;
  const lists = { added: added.slice(0, named), removed: removed.slice(0, named), changed: changed.slice(0, named) };
  logs.write({ module, code, type: 'warning', data: lists });
  const part = (title: string, paths: readonly string[], all: number): string[] =>
    all === 0 ? [] : [`${title} (${all}):`, ...paths, ...(all > paths.length ? ['…'] : []), ''];
  const text = [
    'Some files have changed since the last check. If you did not expect this, find out the cause.',
    '',
    ...part('Added', lists.added, added.length),
    ...part('Removed', lists.removed, removed.length),
    ...part('Changed', lists.changed, changed.length),
  ].join('\n');
  // Whoever sends it writes down why it could not be sent; the files were looked at all the same.
  await send(id, { text }).catch(() => {});
}

/** Hashes of files are kept in slices, so that no other write waits long. */
const atOnce = 200;

interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

const createKnownFiles = (store: Store<FileTables>) => ({
  async all(): Promise<Map<string, string>> {
    const rows = await store.db.selectFrom('secsuite_files').select(['path', 'hash']).execute();
    return new Map(rows.map(({ path, hash }) => [path, hash]));
  },

  async keep({ added, removed, changed }: Changes, found: ReadonlyMap<string, string>): Promise<void> {
    for (const paths of pieces(removed))
      await store.write(async (tx) => {
        await tx.deleteFrom('secsuite_files').where('path', 'in', paths).execute();
      });
    for (const paths of pieces([...added, ...changed]))
      await store.write(async (tx) => {
        const rows = paths.map((path) => ({ path, hash: found.get(path)! }));
        await tx
          .insertInto('secsuite_files')
          .values(rows)
          .onConflict((on) => on.column('path').doUpdateSet(({ ref }) => ({ hash: ref('excluded.hash') })))
          .execute();
      });
  },
});

const pieces = (paths: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(paths.length / atOnce) }, (_, at) => paths.slice(at * atOnce, (at + 1) * atOnce));

function changesOf(before: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>): Changes {
  const paths = [...found.keys()].sort();
  return {
    added: paths.filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !found.has(path)).sort(),
    changed: paths.filter((path) => before.has(path) && before.get(path) !== found.get(path)),
  };
}

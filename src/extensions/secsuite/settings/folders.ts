// Files that visitors must not read lie outside the folder of uploaded files, which every visitor can download from: the log names
// people, rules for nginx name banned IP addresses, and a backup holds everything.
import { type Problem, problemFrom } from '#kernel/problem.ts';
import type { Media } from '#lib/operator.ts';
import type { Log } from '#store/engine.ts';
import { liesIn } from '../disk/folders.ts';
import type { Module } from '../module.ts';
import type { ModuleId, Settings, Values } from './types.ts';

export interface PathGuard {
  /** Whether visitors can download what lies there. */
  isServed(path: string): Promise<boolean>;
  /** Settings with such a path, for example `global.nginx_file`: they were saved before uploads were moved there. */
  served(): Promise<string[]>;
  /** The paths that settings name now. */
  named(format: 'directory' | 'file-path'): string[];
  /** Logs a warning about them. */
  warn(): Promise<void>;
}

interface PathDeps {
  readonly settings: Pick<Settings, 'check' | 'shown'>;
  /** Where uploaded files lie. */
  readonly media: Media;
  readonly modules: readonly Module[];
  readonly log: Pick<Log, 'warn'>;
}

export function guardPaths({ settings, media, modules, log }: PathDeps): PathGuard {
  const paths = modules.flatMap(pathsOf);
  const isServed = async (path: string): Promise<boolean> => media.kind === 'folder' && liesIn(media.path, path);
  for (const { id, name, format } of paths)
    settings.check(id as ModuleId, async ({ after }: { readonly after: Values }) =>
      (await isServed(String(after[name]))) ? [open(id, name, format)] : [],
    );
  const pathOf = ({ id, name }: (typeof paths)[number]) => String(settings.shown(id)[name]);
  const served = async () => {
    const all = await Promise.all(paths.map((one) => isServed(pathOf(one))));
    return paths.filter((_, at) => all[at]).map(({ id, name }) => `${id}.${name}`);
  };
  return {
    isServed,
    served,
    named: (format) => paths.filter((one) => one.format === format).map(pathOf),
    async warn() {
      const names = await served();
      if (names.length > 0) log.warn({ settings: names }, servedPaths);
    },
  };
}

/** Settings that name a file or folder, as their schemas say. */
const pathsOf = ({ id, settings }: Module) =>
  Object.entries(settings?.schema.properties ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, { format }]) => (format === 'directory' || format === 'file-path' ? [{ id, name, format }] : []));

const servedPaths =
  'Settings name paths in the folder of uploaded files, which visitors can read. Choose paths outside that folder.';

const open = (id: string, name: string, format: string): Problem =>
  problemFrom(400, {
    code: `secsuite-validator-${id}-invalid-type-${name}-${format}`,
    message: `${name} is in the folder of uploaded files, which visitors can read. Choose a path outside that folder.`,
  });

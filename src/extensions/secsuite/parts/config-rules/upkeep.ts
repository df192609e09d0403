// The files of rules follow what they rest on: they are written anew as soon as that changes, and not only when the hour is over.
import type { Settings, Values } from '../../settings/types.ts';
import type { Switches } from '../../switches/types.ts';

interface Needs {
  readonly settings: Pick<Settings, 'effect'>;
  readonly switches: Pick<Switches, 'onSwitched'>;
  /** Has them written, where they may be. */
  write(): Promise<unknown>;
  /** It could not be done now. The next hour does it. */
  failed(error: unknown): void;
}

/** Modules that rules follow from while they are on. */
const switched = ['ban-users', 'ssl'];
/** Settings that rules follow from, by module; of some modules it is all of them. */
const rested: Readonly<Record<string, 'all' | readonly string[]>> = {
  'ban-users': 'all',
  'system-tweaks': 'all',
  'core-tweaks': ['file_editor', 'disable_xmlrpc'],
};

export function keepUp({ settings, switches, failed, ...needs }: Needs): void {
  /** Nothing is kept from being switched by it. */
  const write = async () => void (await needs.write().catch(failed));
  for (const id of switched) switches.onSwitched(id, { activated: write, deactivated: write });
  for (const [id, names] of Object.entries(rested))
    settings.effect(id, async (before, after) => {
      if (names === 'all' || names.some((name) => before[name] !== after[name])) await write();
    });
  settings.effect('global', async (before: Values, after: Values) => {
    const isMoved = before.nginx_file !== after.nginx_file;
    if (after.write_files === true && (before.write_files !== true || isMoved)) await write();
  });
}

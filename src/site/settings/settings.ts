// What people may set while the site runs: groups of fields, each said once with its schema and default by whoever reads it.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { TProperties } from '#kernel/schema.ts';
import { frozen } from '#lib/frozen.ts';
import type { AnyTables } from '#store/any.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { Events } from '../events.ts';
import { remembered } from '../remembered.ts';
import type { Seal } from '../seal.ts';
import { type Changes, type Checked, fieldsOf, type Group, type Values } from './group.ts';
import { type Kept, keptOf, rowsOf } from './kept.ts';
import type { SettingsTables } from './tables.ts';

export type { Changes, Group, Values } from './group.ts';

export interface Settings {
  /** Every group there is. */
  readonly groups: readonly Group[];
  /** As they are now, whichever process changed them last. Cheap: ask each time. */
  read<P extends TProperties>(group: Group<P>): Values<P> | Promise<Values<P>>;
  /**
   * Checked as the schema says, refused as arguments of a route are; what the group does not know, or what is fixed, is left
   * alone. Answers all of the group. `by`: who does it, 0 at the command line; `again` asks inside the write whether they still may.
   */
  change<P extends TProperties>(
    group: Group<P>,
    changes: Changes<P>,
    by: number,
    again?: (tx: Transaction<AnyTables>) => Promise<void>,
  ): Promise<Values<P>>;
}

interface Needs {
  readonly store: AnyStore;
  readonly seal: Seal;
  readonly events: Events;
  readonly log: Pick<Log, 'warn'>;
  readonly groups: readonly Group[];
}

export function createSettings({ store, seal, events, log, groups }: Needs): Settings {
  const { db, write }: Store<SettingsTables> = store;
  const known = new Map(groups.map((group) => [group.name, keptOf(group, seal, log)]));
  const current = remembered<Checked>(store, {
    tables: ['settings'],
    most: groups.length,
    load: async (name) => known.get(name)?.values(await rowsOf(db, name)),
  });
  const keptAs = (group: Group): Kept => {
    const kept = known.get(group.name);
    if (kept?.group !== group) throw new Error(`Nobody declared the settings ${group.name}.`);
    return kept;
  };

  return {
    groups,
    read<P extends TProperties>(group: Group<P>) {
      return current(keptAs(group).group.name) as Values<P> | Promise<Values<P>>;
    },

    async change<P extends TProperties>(
      group: Group<P>,
      changes: Changes<P>,
      by: number,
      again?: (tx: Transaction<AnyTables>) => Promise<void>,
    ) {
      const kept = keptAs(group);
      const wanted = kept.settle(changes);
      const { before, after } = await write(async (tx, { lock }) => {
        await lock(`settings ${group.name}`);
        await again?.(tx);
        const rows = await rowsOf(tx, group.name);
        await kept.keep(tx, rows, wanted);
        const before = kept.values(rows);
        return { before, after: frozen({ ...before, ...wanted }) };
      });
      tell(events, group, { before, after, by });
      return after as Values<P>;
    },
  };
}

/** What is confidential is named, and not told. */
function tell(
  events: Events,
  group: Group,
  { before, after, by }: { before: Checked; after: Checked; by: number },
): void {
  const changed = fieldsOf(group).filter(([name]) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return;
  const told = changed.filter(([, field]) => !field.confidential);
  const only = (values: Checked): Checked => Object.fromEntries(told.map(([name]) => [name, values[name]]));
  const names = changed.map(([name]) => name);
  events.emit('settings.changed', { group: group.name, names, before: only(before), after: only(after), by });
}

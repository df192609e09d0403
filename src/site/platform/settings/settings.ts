// What people may set while the site runs: groups of fields, each said once with its schema and default by whoever reads it.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { TProperties } from '#kernel/schema.ts';
import { deepFreeze } from '#lib/objects.ts';
import type { Log } from '#store/engine.ts';
import type { AnyTables, Reads } from '#store/handles.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { During } from '#store/writing.ts';
import { cachedByTable, membersTopic } from '../cache/records.ts';
import type { Events } from '../events.ts';
import type { Seal } from '../seal.ts';
import { type Changes, type Checked, faultIn, fieldsOf, type Group, type Values } from './group.ts';
import { type Kept, keptOf, type Rows, rowsOf } from './kept.ts';
import type { SettingsTables } from './tables.ts';

export type { Changes, Group, Values } from './group.ts';

export interface Settings {
  /** Every group there is just now. */
  readonly groups: readonly Group[];
  /** More of them. Returns how to take them away again; what people set in them stays. */
  also(groups: readonly Group[]): () => void;
  /** As they are now, whichever process changed them last. Cheap: ask each time. */
  read<P extends TProperties>(group: Group<P>): Values<P> | Promise<Values<P>>;
  /** As this write finds them, for what must not rest on what they were a moment ago. */
  readIn<P extends TProperties>(tx: Reads<SettingsTables>, group: Group<P>): Promise<Values<P>>;
  /**
   * Checked as the schema says, refused as arguments of a route are; what the group does not know, or what is fixed, is left
   * alone. Answers all of the group. `by`: who does it, 0 at the command line; `again` asks inside the write whether they still may,
   * and does what has to be done with it or not at all.
   */
  change<P extends TProperties>(group: Group<P>, changes: Changes<P>, by: number, again?: Again): Promise<Values<P>>;
}

type Again = (tx: Transaction<AnyTables>, during: During) => Promise<void>;

interface Needs {
  readonly store: AnyStore;
  readonly seal: Seal;
  readonly events: Events;
  readonly log: Pick<Log, 'warn'>;
  readonly groups: readonly Group[];
}

/** More than any site has. */
const mostGroups = 1_000;

/** Groups that cannot be kept as they are declared; the message is a sentence. */
export class UnfitSettings extends Error {}

export function createSettings({ store, seal, events, log, groups }: Needs): Settings {
  const { db, write }: Store<SettingsTables> = store;
  const known = new Map(groups.map((group) => [group.name, keptOf(group, seal, log)]));
  // What is stored, not what is made of it: each version of a group makes its own.
  const current = cachedByTable<Rows>(store, {
    tables: ['settings', membersTopic],
    most: mostGroups,
    load: (name) => rowsOf(db, name),
  });
  /** Whoever was asked by an extension that left since, or was updated, is served to the end. */
  const left = new WeakMap<Group, Kept>();
  const isKnown = (group: Group): boolean => known.get(group.name)?.group === group;
  const keptAs = (group: Group): Kept => {
    const kept = isKnown(group) ? known.get(group.name) : left.get(group);
    if (kept === undefined) throw new Error(`The group of settings ${group.name} is not declared.`);
    return kept;
  };

  const groupsNow = (): Group[] => [...known.values()].map(({ group }) => group);

  return {
    get groups() {
      return groupsNow();
    },
    also(more) {
      const fault = faultIn([...groupsNow(), ...more]);
      if (fault !== undefined) throw new UnfitSettings(fault);
      for (const group of more) known.set(group.name, keptOf(group, seal, log));
      return () => {
        for (const group of more.filter(isKnown)) {
          left.set(group, keptAs(group));
          known.delete(group.name);
        }
      };
    },
    read<P extends TProperties>(group: Group<P>) {
      const { values } = keptAs(group);
      const rows = current(group.name);
      return (rows instanceof Promise ? rows.then((found) => values(found!)) : values(rows!)) as
        | Values<P>
        | Promise<Values<P>>;
    },
    async readIn<P extends TProperties>(tx: Reads<SettingsTables>, group: Group<P>) {
      const { values } = keptAs(group);
      return values(await rowsOf(tx, group.name)) as Values<P>;
    },

    async change<P extends TProperties>(group: Group<P>, changes: Changes<P>, by: number, again?: Again) {
      const kept = keptAs(group);
      const wanted = kept.settle(changes);
      const { before, after } = await write(async (tx, during) => {
        await during.lock(`settings ${group.name}`);
        await again?.(tx, during);
        const rows = await rowsOf(tx, group.name);
        const before = kept.values(rows);
        await group.demand?.(tx, before, wanted);
        const all = { ...kept.along(before, wanted), ...wanted };
        await kept.keep(tx, rows, all);
        return { before, after: deepFreeze({ ...before, ...all }) };
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

declare module '../events.ts' {
  interface SiteEvents {
    /** What is confidential is among the names and not among the values. `by`: who did it, 0 at the command line. */
    'settings.changed': {
      readonly group: string;
      readonly names: readonly string[];
      readonly before: Readonly<Record<string, unknown>>;
      readonly after: Readonly<Record<string, unknown>>;
      readonly by: number;
    };
  }
}

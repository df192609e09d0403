// Settings between the database and what is made of them: documents, sealed inside when they are confidential.
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { deepFreeze } from '#lib/objects.ts';
import type { Log } from '#store/engine.ts';
import type { Reads } from '#store/handles.ts';
import type { Seal } from '../seal.ts';
import { type Checked, defaultsOf, type Field, fieldsOf, type Group, settling } from './group.ts';
import type { SettingsTables } from './tables.ts';

/** The documents of a group, by name. */
export type Rows = ReadonlyMap<string, string>;

export async function rowsOf(db: Reads<SettingsTables>, group: string): Promise<Rows> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).where('group_name', '=', group).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export interface Kept {
  readonly group: Group;
  /** As `settling` has it. */
  settle(changes: Checked): Checked;
  /** What else changes with this, settled. */
  along(before: Checked, wanted: Checked): Checked;
  /**
   * Every field: as it is stored, or else its default. What is stored and no longer fits counts as not stored. The same rows are
   * read once.
   */
  values(rows: Rows): Checked;
  /** What is stored and no longer fits, as GROUP.NAME. */
  unfit(rows: Rows): string[];
  /** Stores what changes to these values; a default is not stored. */
  keep(tx: Transaction<SettingsTables>, rows: Rows, wanted: Checked): Promise<void>;
}

export function keptOf(group: Group, seal: Seal, log: Pick<Log, 'warn'>): Kept {
  const fields = new Map(fieldsOf(group));
  const defaults = deepFreeze(defaultsOf(group));
  const settle = settling(group);
  const told = new Set<string>();
  const made = new WeakMap<Rows, Checked>();

  const fitting = (name: string, field: Field, text: string): Checked | undefined => {
    try {
      const settled = settle({ [name]: read(text, field, placeOf(group, name), seal) });
      return Object.hasOwn(settled, name) ? settled : undefined;
    } catch {
      return undefined; // whoever asked says so, without the value: it may be confidential
    }
  };
  const found = (name: string, field: Field, text: string): Checked => {
    const fits = fitting(name, field, text);
    if (fits !== undefined) return fits;
    if (!told.has(name) && field.readonly !== true) {
      told.add(name);
      log.warn({ setting: `${group.name}.${name}` }, 'The stored value of a setting is not valid. Using the default.');
    }
    return {};
  };
  const stored = (rows: Rows): Checked => {
    const parts = [...fields].map(([name, field]) => (rows.has(name) ? found(name, field, rows.get(name)!) : {}));
    return Object.assign({}, ...parts);
  };
  const values = (rows: Rows): Checked => {
    const before = made.get(rows);
    if (before !== undefined) return before;
    const now = deepFreeze({ ...defaults, ...stored(rows) });
    made.set(rows, now);
    return now;
  };

  return {
    group,
    settle,
    along: (before, wanted) => settle(group.along?.(before as never, { ...before, ...wanted } as never) ?? {}),
    values,
    unfit: (rows) =>
      [...fields]
        .filter(([, { readonly }]) => readonly !== true)
        .filter(([name, field]) => rows.has(name) && fitting(name, field, rows.get(name)!) === undefined)
        .map(([name]) => `${group.name}.${name}`),
    async keep(tx, rows, wanted) {
      const before = stored(rows);
      for (const [name, value] of Object.entries(wanted)) {
        const isDefault = isDeepStrictEqual(value, defaults[name]);
        if (isDefault && rows.has(name)) await drop(tx, group, name);
        if (isDefault || (Object.hasOwn(before, name) && isDeepStrictEqual(value, before[name]))) continue;
        await put(tx, {
          group_name: group.name,
          name,
          value: written(value, fields.get(name)!, placeOf(group, name), seal),
        });
      }
    },
  };
}

/** What is stored and no longer fits, of all these groups. */
export async function unfitSettings(
  db: Reads<SettingsTables>,
  groups: readonly Group[],
  seal: Seal,
): Promise<string[]> {
  const unfit: string[] = [];
  for (const group of groups)
    unfit.push(...keptOf(group, seal, { warn: () => {} }).unfit(await rowsOf(db, group.name)));
  return unfit;
}

/** Sealed for one setting, it opens at no other. */
const placeOf = (group: Group, name: string): string => `setting:${group.name}.${name}`;

function written(value: unknown, field: Field, place: string, seal: Seal): string {
  const text = JSON.stringify(value);
  return field.confidential ? JSON.stringify({ sealed: seal.close(text, place) }) : text;
}

/** Throws when it is no document, or when what should be sealed is not, or does not open. */
function read(text: string, field: Field, place: string, seal: Seal): unknown {
  const value: unknown = JSON.parse(text);
  return field.confidential ? JSON.parse(seal.open((value as { sealed: string }).sealed, place)) : value;
}

const put = (tx: Transaction<SettingsTables>, row: SettingsTables['settings']) =>
  tx
    .insertInto('settings')
    .values(row)
    .onConflict((on) => on.columns(['group_name', 'name']).doUpdateSet({ value: row.value }))
    .execute();

const drop = (tx: Transaction<SettingsTables>, group: Group, name: string) =>
  tx.deleteFrom('settings').where('group_name', '=', group.name).where('name', '=', name).execute();

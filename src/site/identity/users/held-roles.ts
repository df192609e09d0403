// Who holds which role, and how many do.
import { fold } from '#lib/fold.ts';
import type { Reads } from '#store/handles.ts';
import { count, type TotalsTables, totalsOf } from '../../totals.ts';
import type { UserRow, Writing } from './rows.ts';

export const topic = 'users';
export const all = 'all';
/** For each set of roles that somebody holds, how many hold it: so that any choice of roles is added up, and nobody counted. */
export const held = (roles: readonly string[]): string => JSON.stringify([...roles].sort());

export interface Crowd {
  readonly all: number;
  /** Those who hold one role at least of each of the lists that were asked for; all, where none was. */
  readonly holding: number;
}

export async function crowd(db: Reads<TotalsTables>, wanted: readonly (readonly string[])[]): Promise<Crowd> {
  const { [all]: everybody = 0, ...sets } = await totalsOf(db, topic);
  if (wanted.length === 0) return { all: everybody, holding: everybody };
  const holds = (roles: readonly string[]): boolean => wanted.every((one) => roles.some((role) => one.includes(role)));
  const fitting = Object.entries(sets).filter(([key]) => holds(JSON.parse(key) as string[]));
  return { all: everybody, holding: fitting.reduce((sum, [, total]) => sum + total, 0) };
}

type Named = Pick<UserRow, 'id' | 'name'>;

/** Their roles from now on, in this order; to be kept anew when the name changes. */
export async function keepRoles(tx: Writing, { id: user_id, name }: Named, roles: readonly string[]): Promise<void> {
  await tx.deleteFrom('user_roles').where('user_id', '=', user_id).execute();
  const rows = roles.map((role, position) => ({ user_id, role, name_key: fold(name), position }));
  if (rows.length > 0) await tx.insertInto('user_roles').values(rows).execute();
}

export interface Moved {
  /** How many users more, or fewer. */
  readonly all: number;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

export function countRoles(tx: Writing, { all: more, gone, come }: Moved): Promise<void> {
  const moved: Record<string, number> = { [all]: more };
  if (gone.length > 0) moved[held(gone)] = -1;
  if (come.length > 0) moved[held(come)] = (moved[held(come)] ?? 0) + 1;
  return count(tx, topic, moved);
}

// Who holds which role, and how many do.
import { fold } from '#lib/fold.ts';
import type { Reads } from '#store/handles.ts';
import { count, type TotalsTables, totalsOf } from '../../platform/totals.ts';
import type { UserRow, Writing } from './rows.ts';

/** Under which the totals of users are kept: of all, and of those who hold the same roles. */
export const usersTopic = 'users';
export const everybody = 'all';
/** For each set of roles that somebody holds, how many hold it: so that any choice of roles is added up, and nobody counted. */
export const sameRoles = (roles: readonly string[]): string => JSON.stringify([...roles].sort());

export interface Crowd {
  readonly all: number;
  /** Those who hold one role at least of each of the lists that were asked for; all, where none was. */
  readonly holding: number;
}

export async function crowd(db: Reads<TotalsTables>, wanted: readonly (readonly string[])[]): Promise<Crowd> {
  const { [everybody]: all = 0, ...sets } = await totalsOf(db, usersTopic);
  if (wanted.length === 0) return { all, holding: all };
  const holds = (roles: readonly string[]): boolean => wanted.every((one) => roles.some((role) => one.includes(role)));
  const fitting = Object.entries(sets).filter(([key]) => holds(JSON.parse(key) as string[]));
  return { all, holding: fitting.reduce((sum, [, total]) => sum + total, 0) };
}

/** Their roles from now on, in this order; to be kept anew when the name changes. */
export async function keepRoles(
  tx: Writing,
  { id: user_id, name }: Pick<UserRow, 'id' | 'name'>,
  roles: readonly string[],
): Promise<void> {
  await tx.deleteFrom('user_roles').where('user_id', '=', user_id).execute();
  const rows = roles.map((role, position) => ({ user_id, role, name_key: fold(name), position }));
  if (rows.length > 0) await tx.insertInto('user_roles').values(rows).execute();
}

interface Moved {
  /** How many users more, or fewer. */
  readonly all: number;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

export function countRoles(tx: Writing, { all, gone, come }: Moved): Promise<void> {
  const moved: Record<string, number> = { [everybody]: all };
  if (gone.length > 0) moved[sameRoles(gone)] = -1;
  if (come.length > 0) moved[sameRoles(come)] = (moved[sameRoles(come)] ?? 0) + 1;
  return count(tx, usersTopic, moved);
}

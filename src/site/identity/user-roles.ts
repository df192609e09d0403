// Who holds which role, and how many do.
import { count } from '../totals.ts';
import type { Writing } from './user-rows.ts';

export const topic = 'users';
export const all = 'all';
export const holders = (role: string): string => `role:${role}`;

/** Their roles from now on, in this order. */
export async function keepRoles(tx: Writing, user_id: number, roles: readonly string[]): Promise<void> {
  await tx.deleteFrom('user_roles').where('user_id', '=', user_id).execute();
  const rows = roles.map((role, position) => ({ user_id, role, position }));
  if (rows.length > 0) await tx.insertInto('user_roles').values(rows).execute();
}

export interface Moved {
  /** How many users more, or fewer. */
  readonly all: number;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

export function countRoles(tx: Writing, moved: Moved): Promise<void> {
  const more: Record<string, number> = { [all]: moved.all };
  for (const role of moved.gone) more[holders(role)] = (more[holders(role)] ?? 0) - 1;
  for (const role of moved.come) more[holders(role)] = (more[holders(role)] ?? 0) + 1;
  return count(tx, topic, more);
}

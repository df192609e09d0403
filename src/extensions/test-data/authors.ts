// In whose name test data stands.
import { denied } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { ContentType } from '#site/content/types.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Reads } from '#store/handles.ts';

/** Those who are there, as far as the maker may write in their name; the maker, where that is nobody. */
export async function authorsFor(
  db: Reads<IdentityTables>,
  maker: Asker,
  { capabilities }: Pick<ContentType, 'capabilities'>,
  wanted: readonly number[] = [],
): Promise<readonly number[]> {
  const possible = wanted.filter((id) => Number.isSafeInteger(id) && id > 0);
  if (possible.length === 0) return [maker.id];
  const rows = await db.selectFrom('users').select('id').where('id', 'in', possible).orderBy('id').execute();
  const mayAny = maker.can(capabilities.edit_others);
  const authors = rows.map(({ id }) => id).filter((id) => mayAny || id === maker.id);
  return authors.length === 0 ? [maker.id] : authors;
}

/** The same once more, where it is written. */
export function refuseOthers(
  asker: Asker,
  { capabilities }: Pick<ContentType, 'capabilities'>,
  authors: readonly number[],
): void {
  if (authors.every((id) => id === asker.id) || asker.can(capabilities.edit_others)) return;
  throw denied('insufficient_permissions', 'You are not allowed to write in the name of others.');
}

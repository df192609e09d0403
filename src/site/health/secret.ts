// The secret that wraps the keys of the site, and whether it opens them. Neither is told.
import { existsSync, statSync } from 'node:fs';
import { StoreProblem } from '#store/problem.ts';
import { type AnyStore, fileOf } from '#store/store.ts';
import { missingKeys, storedKeys } from '../platform/keys.ts';
import { secretFault, secretFile, secretOf } from '../platform/secret-file.ts';
import { note, ok, type Seen, wrong } from './check.ts';
import type { Installation } from './installation.ts';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function secret({ secret: given, data }: Installation): Seen {
  const file = secretFile(data);
  // A site that is open has read it, wherever it was.
  if (given !== undefined && given !== secretOf({ data })) return ok('given as GATEHOUSE_SECRET');
  try {
    if (isFile(data)) return wrong(`cannot be kept: ${data} is a file`, 'Give --data the path of a folder.');
    if (!statSync(file, { throwIfNoEntry: false })) return notYet(data);
    const fault = secretFault(data);
    return fault ? wrong(fault, 'Do as it says, then look again.') : ok(`kept in ${file}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'this user may not read it' : message;
    return wrong(`${file} cannot be read: ${why}`, 'Give the data folder and what is in it to this user.');
  }
}

function notYet(data: string): Seen {
  if (!existsSync(fileOf({ data }))) return ok('will be generated at the first start');
  const remedy = 'Put it back, or give it as GATEHOUSE_SECRET.';
  return wrong(`${secretFile(data)} is missing beside a database that needs it`, remedy);
}

/** Whether the secret is the one that this database was started with. */
export async function keys(store: AnyStore, installation: Installation): Promise<Seen> {
  const any = await store.db.selectFrom('keys').select('name').limit(1).execute();
  if (any.length === 0) return ok('will be made at the first start');
  const secret = secretOf(installation);
  if (secret === undefined) return note('not tried, because there is no secret to open them with');
  try {
    const missing = missingKeys(await storedKeys(store, secret));
    if (missing.length === 0) return ok('the secret opens them');
    return note(`the secret opens them; missing, and made at the next start: ${missing.join(', ')}`);
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    const { fault, remedy } = error;
    return wrong(fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`);
  }
}

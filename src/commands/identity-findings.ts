// What doctor looks at about who may come in. Nothing is made or changed.
import { readFileSync } from 'node:fs';
import { printable } from '#lib/printable.ts';
import { takesApplicationPasswords } from '#site/identity/identity.ts';
import { administrator } from '#site/identity/roles.ts';
import { missingKeys, storedKeys } from '#site/keys.ts';
import { StoreProblem } from '#store/problem.ts';
import type { AnyStore } from '#store/store.ts';
import { type Config, envOf } from '../config.ts';
import { type Finding, note, ok, warning, wrong } from './findings.ts';
import { firstPasswordFile, hasFirstPassword } from './first-password.ts';
import { secretFile } from './secret-file.ts';

export async function administrators({ db }: AnyStore): Promise<Finding> {
  const what = 'Administrator';
  const all = db.selectFrom('user_roles').innerJoin('users', 'users.id', 'user_id').where('role', '=', administrator);
  const unreachable = await all.select('login').where('email_key', 'is', null).limit(1).executeTakeFirst();
  if (unreachable !== undefined) return withoutEmail(what, printable(unreachable.login));
  if ((await all.select('login').limit(1).executeTakeFirst()) !== undefined) return ok(what, 'there is one');
  const anybody = await db.selectFrom('users').select('id').limit(1).execute();
  if (anybody.length === 0) return ok(what, 'will be made at the first start');
  return wrong(what, 'nobody is one', `Run "gatehouse user set-role LOGIN ${administrator}".`);
}

const withoutEmail = (what: string, login: string): Finding =>
  note(
    what,
    `${login} has no email address, so no link for a lost password can reach them`,
    `Run "gatehouse user set-email ${login} ADDRESS".`,
  );

/** Whether the secret is the one that this database was started with. */
export async function keys(store: AnyStore, config: Config): Promise<Finding> {
  const what = 'Keys';
  const any = await store.db.selectFrom('keys').select('name').limit(1).execute();
  if (any.length === 0) return ok(what, 'will be made at the first start');
  const secret = secretOf(config);
  if (secret === undefined) return note(what, 'not tried, because there is no secret to open them with');
  try {
    const missing = missingKeys(await storedKeys(store, secret));
    if (missing.length === 0) return ok(what, 'the secret opens them');
    return note(what, `the secret opens them; missing, and made at the next start: ${missing.join(', ')}`);
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    const { fault, remedy } = error;
    return wrong(what, fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`);
  }
}

export function secretOf({ secret, data }: Config): string | undefined {
  try {
    return secret ?? readFileSync(secretFile(data), 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function firstPassword({ data }: Config): Finding {
  const what = 'First password';
  if (!hasFirstPassword(data)) return ok(what, 'stands in no file');
  const file = firstPasswordFile(data);
  return warning(
    what,
    `one stands in ${file}; it may be out of date`,
    'If it is still the password of the first user, sign in with it and change it on the account page. Delete the file.',
  );
}

export function applicationPasswords(config: Config): Finding {
  const what = 'App passwords';
  const safe = takesApplicationPasswords({ ...config, allowInsecureCredentials: false });
  if (safe) return ok(what, 'taken');
  const [name, unsafe] = [envOf('allowInsecureCredentials'), `${config.url} is not https`];
  if (config.allowInsecureCredentials)
    return warning(what, `taken, though ${unsafe}: who listens can use them`, `Use https and unset ${name}.`);
  return warning(what, `none is taken, because ${unsafe}`, `Use https, or set ${name}=on where nobody listens.`);
}

export function avatars({ avatars: shown, avatarBase }: Config): Finding {
  const what = 'Pictures';
  if (!shown) return ok(what, 'records of users name none');
  const { host } = new URL(avatarBase);
  return note(what, `of users come from ${host}, which sees who looks; ${envOf('avatars')}=off leaves them out`);
}

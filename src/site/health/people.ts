// Who may come in, and what is told of people. Nothing is made or changed.
import { printable } from '#lib/printable.ts';
import type { AnyStore } from '#store/store.ts';
import { takesApplicationPasswords } from '../identity/identity.ts';
import { administrator } from '../identity/roles.ts';
import { note, ok, type Seen, warning, wrong } from './check.ts';
import type { Installation } from './installation.ts';

export async function administrators({ db }: AnyStore): Promise<Seen> {
  const all = db.selectFrom('user_roles').innerJoin('users', 'users.id', 'user_id').where('role', '=', administrator);
  const unreachable = await all.select('login').where('email_key', 'is', null).limit(1).executeTakeFirst();
  if (unreachable !== undefined) return withoutEmail(printable(unreachable.login));
  if ((await all.select('login').limit(1).executeTakeFirst()) !== undefined) return ok('there is one');
  const anybody = await db.selectFrom('users').select('id').limit(1).execute();
  if (anybody.length === 0) return ok('will be made at the first start');
  return wrong('nobody is one', `Run "gatehouse user set-role LOGIN ${administrator}".`);
}

const withoutEmail = (login: string): Seen =>
  note(
    `${login} has no email address, so no link for a lost password can reach them`,
    `Run "gatehouse user set-email ${login} ADDRESS".`,
  );

export function applicationPasswords(installation: Installation): Seen {
  const safe = takesApplicationPasswords({ ...installation, allowInsecureCredentials: false });
  if (safe) return ok('taken');
  const [name, unsafe] = ['GATEHOUSE_ALLOW_INSECURE_CREDENTIALS', `${installation.url} is not https`];
  if (installation.allowInsecureCredentials)
    return warning(`taken, though ${unsafe}: who listens can use them`, `Use https and unset ${name}.`);
  return warning(`none is taken, because ${unsafe}`, `Use https, or set ${name}=on where nobody listens.`);
}

export function avatars({ avatars: shown, avatarBase }: Installation): Seen {
  if (!shown) return ok('records of users name none');
  const { host } = new URL(avatarBase);
  return note(`of users come from ${host}, which sees who looks; GATEHOUSE_AVATARS=off leaves them out`);
}

// What is checked of accounts: that there is an administrator, and how apps and avatars reach the site.
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
  if ((await all.select('login').limit(1).executeTakeFirst()) !== undefined) return ok('found');
  const anybody = await db.selectFrom('users').select('id').limit(1).execute();
  if (anybody.length === 0) return ok('will be created at the first start');
  return wrong('no account has this role', `Run "gatehouse user set-role LOGIN ${administrator}".`);
}

const withoutEmail = (login: string): Seen =>
  note(
    `${login} has no email address, so they cannot receive a link for a lost password`,
    `Run "gatehouse user set-email ${login} ADDRESS".`,
  );

export function applicationPasswords(installation: Installation): Seen {
  const safe = takesApplicationPasswords({ ...installation, allowInsecureCredentials: false });
  if (safe) return ok('taken');
  const [name, unsafe] = ['GATEHOUSE_ALLOW_INSECURE_CREDENTIALS', `${installation.url} is not https`];
  if (installation.allowInsecureCredentials)
    return warning(`accepted, although ${unsafe}: others can read them`, `Use https and unset ${name}.`);
  return warning(`not accepted, because ${unsafe}`, `Use https, or set ${name}=on in a trusted network.`);
}

export function avatars({ avatars: shown, avatarBase }: Installation): Seen {
  if (!shown) return ok('user records have none');
  const { host } = new URL(avatarBase);
  return note(`come from ${host}, which sees the IP addresses of visitors; GATEHOUSE_AVATARS=off turns them off`);
}

import { administrator } from '#site/identity/roles.ts';
import { lengthFault, loginFault } from '#site/identity/users/faults.ts';
import type { Users } from '#site/identity/users/users.ts';
import { emailFault } from '#site/platform/field-faults.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, Failed, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { passwordOptions, passwordSource } from '../password.ts';
import { countAdministrators, demandSound, rolesIn } from '../people.ts';

interface Wanted {
  readonly login: string;
  readonly email: string;
  readonly name?: string;
  readonly roles?: readonly string[];
}

function wantedOf(ask: Ask): Wanted {
  const [login, email] = [given(ask.words, 'LOGIN'), given(ask.options, 'email')];
  const { name } = ask.options;
  demandSound('LOGIN', loginFault(login));
  demandSound('--email', emailFault(email));
  demandSound('--name', lengthFault('name', name ?? ''));
  const roles = rolesIn(ask, ask.lists.role ?? []);
  return { login, email, ...(name !== undefined && { name }), ...(roles.length > 0 && { roles }) };
}

/** Asked again when the user is added; here, so that nobody thinks of a password for nothing. */
async function refuseTaken(users: Users, { login, email }: Wanted): Promise<void> {
  for (const [place, text] of [
    ['LOGIN', login],
    ['--email', email],
  ] as const) {
    if (await users.named(text)) throw new Failed(`Somebody signs in with ${text} already; choose another ${place}.`);
  }
}

export const command: Command = {
  name: 'user create',
  about: `Adds somebody who can sign in. The password is asked for; a script gives it with --password-stdin, or has one made
with --generate, which is then all that stands on standard output.`,
  settings: flagNames,
  words: [{ name: 'LOGIN', meaning: 'The name to sign in with' }],
  options: {
    email: { value: 'address', meaning: 'Their email address', required: true },
    role: { value: 'role', meaning: 'A role of theirs, subscriber without it; may be given several times', many: true },
    name: { value: 'text', meaning: 'The name people see; the login without it' },
    ...passwordOptions,
  },
  run: async (ask) => {
    const wanted = wantedOf(ask);
    const choose = await passwordSource(ask);
    return inSite(ask, async ({ identity: { users, passwordRule } }) => {
      await refuseTaken(users, wanted);
      const { password, generated } = await choose((one) => passwordRule.fault(one, wanted.roles ?? []));
      const user = await users.add({ ...wanted, password });
      if (generated) ask.out(password);
      ask.note(`${user.login} can sign in now, as ${user.roles.join(', ')}.`);
      if ((await countAdministrators(users)) > 0) return;
      ask.note(`Nobody here is ${administrator} yet: gatehouse user set-role ${user.login} ${administrator}`);
    });
  },
};

import { administrator } from '#site/identity/roles.ts';
import { type Command, given } from '../command.ts';
import { dataSettings, inSiteOrNew } from '../opened.ts';
import { passwordOptions, passwordSource } from '../password.ts';
import { countAdministrators, rolesIn } from '../people.ts';

export const command: Command = {
  name: 'user create',
  about: `Adds somebody who can sign in. The password is asked for; a script gives it with --password-stdin, or has one made
with --generate, which is then all that stands on standard output.`,
  settings: dataSettings,
  words: [{ name: 'LOGIN', meaning: 'The name to sign in with' }],
  options: {
    email: { value: 'address', meaning: 'Their mail address', required: true },
    role: { value: 'role', meaning: 'A role of theirs, subscriber without it; may be given several times', many: true },
    name: { value: 'text', meaning: 'The name people see; the login without it' },
    ...passwordOptions,
  },
  run: async (ask) => {
    const roles = rolesIn(ask, ask.lists.role ?? []);
    const choose = passwordSource(ask);
    return inSiteOrNew(ask, async ({ identity: { users, passwords } }) => {
      const { password, generated } = await choose(passwords);
      const { email, name } = ask.options;
      const user = await users.add({
        login: given(ask.words, 'LOGIN'),
        email: email ?? '',
        password,
        ...(name !== undefined && { name }),
        ...(roles.length > 0 && { roles }),
      });
      if (generated) ask.out(password);
      ask.note(`${user.login} can sign in now, as ${user.roles.join(', ')}.`);
      if ((await countAdministrators(users)) > 0) return;
      ask.note(`Nobody here is ${administrator} yet: gatehouse user set-role ${user.login} ${administrator}`);
    });
  },
};

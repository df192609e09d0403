import { flagNames } from '../../config.ts';
import type { Command } from '../command.ts';
import { inSite } from '../opened.ts';
import { passwordOptions, passwordSource } from '../password.ts';
import { asked, login } from '../people.ts';

export const command: Command = {
  name: 'user set-password',
  about: `Sets a new password without the old one, and signs the user out everywhere. Application passwords stay. The password
is asked for; a script gives it with --password-stdin, or has one made with --generate.`,
  settings: flagNames,
  words: [login],
  options: passwordOptions,
  run: async (ask) => {
    const choose = await passwordSource(ask);
    return inSite(ask, async ({ identity: { users, passwordRule } }) => {
      const user = await asked(ask, users);
      const { password, generated } = await choose((one) => passwordRule.fault(one, user.roles));
      await users.change(user, { password });
      if (generated) ask.out(password);
      ask.note(`${user.login} has a new password and is signed out everywhere.`);
    });
  },
};

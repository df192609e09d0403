import { flagNames } from '../../config.ts';
import type { Command } from '../command.ts';
import { inSite } from '../opened.ts';
import { asked, login, rolesIn } from '../people.ts';

export const command: Command = {
  name: 'user set-role',
  about: 'Gives somebody these roles in place of those they had. The site always keeps an administrator.',
  settings: flagNames,
  words: [login, { name: 'ROLE', meaning: 'One or several roles of the deployment', many: true }],
  run: async (ask) => {
    const roles = rolesIn(ask, ask.lists.ROLE ?? []);
    return inSite(ask, async ({ identity: { users } }) => {
      const { login, roles: now } = await users.change(await asked(ask, users), { roles });
      ask.out(`${login} is ${now.join(', ')} now.`);
    });
  },
};

import { envOf, flagNames } from '../../config.ts';
import { type Command, Failed, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { asked, login } from '../people.ts';
import { typed } from '../typed.ts';

export const command: Command = {
  name: 'app-password create',
  about: `Makes an application password and prints it, alone on standard output. Nobody can read it again. Programs send it
with the login as Basic credentials; blanks in it do not matter.`,
  settings: flagNames,
  words: [login],
  options: { name: { value: 'text', meaning: 'What it is for, such as the name of the program', required: true } },
  run: (ask) =>
    inSite(ask, async ({ identity: { users, applicationPasswords } }, config) => {
      const user = await asked(ask, users);
      if (!applicationPasswords.available) {
        const allow = `${envOf('allowInsecureCredentials')}=on`;
        throw new Failed(`No application password would be taken at ${config.url}, which is not https; see ${allow}.`);
      }
      const { password, uuid } = await applicationPasswords.add(user, { name: given(ask.options, 'name') });
      ask.out(password);
      const revoke = typed(`app-password revoke ${user.login} ${uuid}`, config);
      ask.note(`It is for ${user.login} and shown this once. To revoke it: ${revoke}`);
    }),
};

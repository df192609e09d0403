import { keyOf } from '#site/identity/users/words.ts';
import { emailFault } from '#site/platform/field-faults.ts';
import { flagNames } from '../../config.ts';
import { type Command, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { asked, demandSound, login } from '../people.ts';

export const command: Command = {
  name: 'user set-email',
  about: `Gives somebody another email address and signs them out everywhere. Links for a lost password go to the new one from
then on. Application passwords stay.`,
  settings: flagNames,
  words: [login, { name: 'ADDRESS', meaning: 'Their new email address' }],
  run: async (ask) => {
    const email = given(ask.words, 'ADDRESS');
    demandSound('ADDRESS', emailFault(email));
    return inSite(ask, async ({ identity: { users } }) => {
      const before = await asked(ask, users);
      const after = await users.change(before, { email });
      const isOther = keyOf(after.email) !== keyOf(before.email);
      ask.out(`The email address of ${after.login} is ${after.email} now.`);
      if (isOther) ask.note(`${after.login} is signed out everywhere.`);
    });
  },
};

import { flagNames } from '../../config.ts';
import { type Ask, type Command, WrongUse } from '../command.ts';
import { consentOf, yes } from '../consent.ts';
import { inSite } from '../opened.ts';
import { asked, login, somebody } from '../people.ts';

/** What becomes of their content is said each time: nobody should find out afterwards. */
function refuseUnclear({ options }: Ask): void {
  const ways = [options.reassign, options['delete-content']].filter((way) => way !== undefined);
  if (ways.length === 1) return;
  throw new WrongUse('Say what becomes of their content: --reassign LOGIN or --delete-content, one of them.');
}

export const command: Command = {
  name: 'user delete',
  about: 'Removes somebody for good, with their sessions and application passwords. The last administrator stays.',
  settings: flagNames,
  words: [login],
  options: {
    reassign: { value: 'login', meaning: 'Who gets what is theirs' },
    'delete-content': { meaning: 'Remove what is theirs as well' },
    yes,
  },
  run: async (ask) => {
    refuseUnclear(ask);
    const consent = consentOf(ask);
    return inSite(ask, async ({ identity: { users } }) => {
      const user = await asked(ask, users);
      const { reassign } = ask.options;
      const heir = reassign === undefined ? undefined : await somebody(users, reassign);
      if (heir?.id === user.id) throw new WrongUse('Nobody can leave what is theirs to themselves.');
      const content = heir === undefined ? 'with all content of theirs' : `and give the content to ${heir.login}`;
      await consent(`Delete ${user.login} for good, ${content}?`);
      await users.erase(user, heir?.id);
      ask.out(`${user.login} is deleted.`);
    });
  },
};

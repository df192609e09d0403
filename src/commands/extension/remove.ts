import { flagNames } from '../../config.ts';
import { type Command, given } from '../command.ts';
import { consentOf, yes } from '../consent.ts';
import { inSite } from '../opened.ts';
import { slug } from './named.ts';

export const command: Command = {
  name: 'extension remove',
  about:
    'Removes an extension that was installed and is off. What it kept in the database stays, for when it is installed again.',
  settings: flagNames,
  words: [slug],
  options: { yes },
  run: async (ask) => {
    const consent = consentOf(ask, 'Its files go, while what it kept in the database stays');
    const wanted = given(ask.words, slug.name);
    return inSite(
      ask,
      async ({ extensions }) => {
        await consent(`Remove the extension ${wanted} from this site? What it kept in the database stays.`);
        await extensions.remove(wanted, {});
        ask.out(`${wanted} is removed.`);
        ask.note('What it kept in the database stays, for when it is installed again.');
      },
      { withoutPackages: true },
    );
  },
};

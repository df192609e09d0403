import { flagNames } from '../../config/settings.ts';
import { type Command, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { slug } from './named.ts';

export const command: Command = {
  name: 'extension deactivate',
  about: 'Switches an extension off. What it keeps stays, for when it is on again.',
  settings: flagNames,
  words: [slug],
  // No code of packages is run: it may be what keeps the site from opening.
  run: (ask) =>
    inSite(
      ask,
      async ({ extensions }) => {
        const { name } = await extensions.deactivate(given(ask.words, slug.name), {});
        ask.out(`${name} is off.`);
      },
      { withoutPackages: true },
    ),
};

import { flagNames } from '../../config.ts';
import { type Command, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { slug } from './named.ts';

export const command: Command = {
  name: 'extension activate',
  about:
    'Switches an extension on. Its files are checked and it is tried first; a site that serves has it a moment later.',
  settings: flagNames,
  words: [slug],
  run: (ask) =>
    inSite(ask, async ({ extensions }) => {
      const { name } = await extensions.activate(given(ask.words, slug.name), {});
      ask.out(`${name} is on.`);
    }),
};

import { flagNames } from '../../config.ts';
import { type Command, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { slug } from './named.ts';

export const command: Command = {
  name: 'extension update',
  about: `Brings an extension that was installed to the version that the catalogue has. It is fetched and checked as one that is
installed, and tried first where it is on; a site that serves has it a moment later. What does not start leaves the old one running.`,
  settings: flagNames,
  words: [slug],
  run: (ask) =>
    inSite(ask, async ({ extensions }) => {
      const wanted = given(ask.words, slug.name);
      const before = await extensions.find(wanted);
      const { name, version } = await extensions.update(wanted, {});
      if (before?.version === version) return ask.out(`${name} ${version} is the newest there is.`);
      ask.out(`${name} is ${version} now; it was ${before?.version}.`);
    }),
};

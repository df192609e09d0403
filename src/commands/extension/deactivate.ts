import { stopsWithSuite, suiteSlug } from '../../boot/undefended.ts';
import { flagNames } from '../../config.ts';
import { type Command, given } from '../command.ts';
import { consentOf, yes } from '../consent.ts';
import { inSite } from '../opened.ts';
import { slug } from './named.ts';

export const command: Command = {
  name: 'extension deactivate',
  about: `Switches an extension off. What it keeps stays, for when it is on again. Asks before it switches off ${suiteSlug},
because nothing defends the site without it.`,
  settings: flagNames,
  words: [slug],
  options: { yes },
  // No code of packages is run: it may be what keeps the site from opening.
  run: (ask) => {
    const wanted = given(ask.words, slug.name);
    const consent = wanted === suiteSlug ? consentOf(ask, 'Nothing defends the site without it') : undefined;
    return inSite(
      ask,
      async ({ extensions }) => {
        if (consent && (await extensions.find(wanted))?.active) {
          ask.note('These stop at once, until the security suite is active again:');
          for (const stops of stopsWithSuite) ask.note(`  - ${stops}`);
          await consent('Deactivate the security suite?');
        }
        const { name } = await extensions.deactivate(wanted, {});
        ask.out(`${name} is off.`);
      },
      { withoutPackages: true },
    );
  },
};

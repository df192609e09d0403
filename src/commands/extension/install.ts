import { minute } from '#lib/spans.ts';
import { flagNames } from '../../config.ts';
import { type Command, given } from '../command.ts';
import { inSite } from '../opened.ts';

export const command: Command = {
  name: 'extension install',
  about:
    'Fetches an extension of the catalogue, checks that nobody changed it on the way, and keeps it. It is not switched on yet.',
  settings: flagNames,
  words: [{ name: 'SLUG', meaning: 'The extension, as the catalogue names it' }],
  run: (ask) =>
    inSite(ask, async ({ extensions }) => {
      const wanted = given(ask.words, 'SLUG');
      const before = await extensions.find(wanted);
      const { slug, name, version, active } = await extensions.install(wanted, {});
      ask.out(`${name} ${version} is installed${before?.installed ? ' already' : ''}.`);
      const next = (await extensions.newer(minute)).versions.get(slug);
      if (next !== undefined) ask.note(`${next} is in the catalogue: gatehouse extension update ${slug}`);
      if (!active) ask.note(`Switch it on with "gatehouse extension activate ${slug}".`);
    }),
};

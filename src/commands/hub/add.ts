import { isPlainlyUnsafe } from '#site/outgoing/destination.ts';
import { type Config, envOf, flagNames } from '../../config.ts';
import { leaveFor } from '../../extensions/hub-connector/why.ts';
import { type Command, given, WrongUse } from '../command.ts';
import { inHub, nameWord, usual } from './house.ts';

export const command: Command = {
  name: 'hub add',
  about: `Adds a site to the hub and prints the two lines for its environment, alone on standard output. Nobody can read the key
again. --url is the address of the hub, as the site reaches it.`,
  settings: flagNames,
  usual,
  words: [nameWord],
  run: (ask) =>
    inHub(ask, async (sites, config) => {
      refuseLonger(config);
      const { site, key } = await sites.add(given(ask.words, nameWord.name));
      ask.out(`${envOf('hubUrl')}=${addressOf(config)}`);
      ask.out(`${envOf('hubApiKey')}=${key}`);
      ask.note(
        `Put these lines into the environment of ${site.name} and start it again: it tells the hub how it is within two minutes.`,
      );
      ask.note(`The key is shown this once. The table of sites is at ${config.url}/hub.`);
      const leave = leaveOf(config);
      if (leave !== undefined) ask.note(leave);
    }),
};

const pathOf = ({ apiPrefix, apiFaces }: Config): string => `/${apiFaces === 'classic' ? 'wp-json' : apiPrefix}/hub/v1`;

/** Where sites send to. */
const addressOf = (config: Config): string => `${config.url}${pathOf(config)}`;

function refuseLonger(config: Config): void {
  const path = pathOf(config);
  if (!config.url.endsWith(path)) return;
  throw new WrongUse(`Give the address without ${path}: --url ${config.url.slice(0, -path.length)}`);
}

/** Sites ask nobody on their own machine or in their own network, nor at odd ports, unless they are told to. */
const leaveOf = ({ url }: Config): string | undefined =>
  isPlainlyUnsafe(url)
    ? `Sites ask the hub at this address only with ${leaveFor(url)} as well; if they reach it at another, give that with --url.`
    : undefined;

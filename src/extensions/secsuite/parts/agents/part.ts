// Apps that are refused because of the name they send.

import { forKnock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { Guard } from '#site/hooks/guards.ts';
import { badBots } from '../../bans/bad-bots.ts';
import type { Authorised } from '../../client/authorised.ts';
import { part } from '../../part.ts';
import type { Settings } from '../../settings/types.ts';

/** Programs that are kept out by how they call themselves, as the rules for the web server in front keep them out too. */
interface BanSettings {
  readonly default: boolean;
  readonly enable_ban_lists: boolean;
  readonly agent_list: readonly string[];
}

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
  readonly authorised: Pick<Authorised, 'lets'>;
  isRunning(module: string): boolean;
}

const id = 'ban-users';

/** Authorized IP addresses pass with any user agent, so that a careless list cannot lock out the users who can correct it. */
function createAgents({ settings, authorised, isRunning }: Needs): Pick<Guard, 'arriving'> {
  let known: { readonly set: BanSettings; readonly isRefused: (agent: string) => boolean } | undefined;
  const isRefused = (agent: string): boolean => {
    const set = settings.of<BanSettings>(id);
    if (known?.set !== set) known = { set, isRefused: beginningIn(namesIn(set)) };
    return known.isRefused(agent);
  };
  return {
    arriving(knock) {
      const agent = knock.headers['user-agent'];
      if (typeof agent !== 'string' || !isRunning(id) || !isRefused(agent)) return undefined;
      return forKnock(knock, () => authorised.lets(knock.address)) ? undefined : { problem: refusal() };
    },
  };
}

const namesIn = (set: BanSettings): string[] => [
  ...(set.default ? badBots : []),
  ...(set.enable_ban_lists ? set.agent_list : []),
];

/** Headers are bytes. */
const folded = (name: string): string => Buffer.from(name.trimStart()).toString('latin1').toLowerCase();

/** However many names there are: each length of them is looked at once. */
function beginningIn(names: readonly string[]): (agent: string) => boolean {
  const all = new Set(names.map(folded).filter(Boolean));
  const lengths = [...new Set([...all].map(({ length }) => length))];
  return (agent) => {
    const lower = agent.toLowerCase();
    return lengths.some((length) => all.has(lower.slice(0, length)));
  };
}

const refusal = (): Problem =>
  new Problem(403, 'secsuite_agent_refused', 'Programs that call themselves like this one are not let in here.');

export const agentsPart = part({
  name: 'agents',
  guards: ({ settings, switches, client }) => [
    createAgents({ settings, authorised: client.authorised, isRunning: switches.isRunning }),
  ],
});

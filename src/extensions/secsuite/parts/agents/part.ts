// Apps that are refused because of the name they send.

import { defineError } from '#kernel/problem.ts';
import { withRequest } from '#kernel/request.ts';
import type { Guard } from '#site/hooks/guards.ts';
import { badBots } from '../../bans/bad-bots.ts';
import type { Authorised } from '../../client/authorised.ts';
import { part } from '../../part.ts';
import type { ModuleSettings, Settings } from '../../settings/types.ts';

const agentsErrors = {
  agentRefused: defineError(403, 'secsuite_agent_refused', 'This site refuses clients with your user agent.'),
};

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
  readonly authorised: Pick<Authorised, 'lets'>;
  isRunning(module: string): boolean;
}

const id = 'ban-users';
type BanSettings = ModuleSettings[typeof id];

/** Authorized IP addresses pass with any user agent, so that a careless list cannot lock out the users who can correct it. */
function createAgents({ settings, authorised, isRunning }: Needs): Guard {
  let known: { readonly set: BanSettings; readonly isRefused: (agent: string) => boolean } | undefined;
  const isRefused = (agent: string): boolean => {
    const set = settings.of(id);
    if (known?.set !== set) known = { set, isRefused: beginningIn(namesIn(set)) };
    return known.isRefused(agent);
  };
  return {
    whenFailing: 'closed',
    isNeeded: () => isRunning(id) && namesIn(settings.of(id)).length > 0,
    onConnect(incoming) {
      const agent = incoming.headers['user-agent'];
      if (typeof agent !== 'string' || !isRunning(id) || !isRefused(agent)) return undefined;
      return withRequest(incoming, () => authorised.lets(incoming.address))
        ? undefined
        : { problem: agentsErrors.agentRefused() };
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

export const agentsPart = part({
  name: 'agents',
  errors: agentsErrors,
  guards: ({ settings, switches, client }) => [
    createAgents({ settings, authorised: client.authorised, isRunning: switches.isRunning }),
  ],
});

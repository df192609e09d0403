// What the suite does on the machine it runs on: rules for the server in front, tools, and what the modules do that do one thing each.
import { join } from 'node:path';
import type { Services } from '#site/extension.ts';
import { blockOf } from './addresses/block.ts';
import { baseOf } from './config-rules/ruled.ts';
import { createConfigRules } from './config-rules/rules.ts';
import { keepUp } from './config-rules/upkeep.ts';
import * as texts from './disk/texts.ts';
import type { Foundation } from './foundation.ts';
import type { Queues } from './queues.ts';
import { createSuiteTools } from './tools/create.ts';
import type { Wall } from './wall.ts';
import { createWorks } from './works.ts';

interface Needs {
  readonly wall: Wall;
  readonly queues: Pick<Queues, 'erranding' | 'tooling'>;
  defends(module: string): boolean;
}

export function createMachinery(services: Services, foundation: Foundation, { wall, queues, defends }: Needs) {
  const { log } = services;
  const { settings, switches, ground, manage, matchables, logs, center, secretsKey, running } = foundation;
  const { authorised } = wall.client;
  const works = createWorks(services, {
    ...{ settings, switches, matchables, authorised, logs, center, erranding: queues.erranding },
    purgeLockouts: wall.defence.purge,
  });
  const configRules = rulesOf(services, foundation, { wall, defends, means: works.means });
  const { tools, mirror } = createSuiteTools(services, {
    ...{ settings, ground, logs, manage, configRules, secretsKey, modules: running },
  });
  const toolsLater = (schedule: string) => queues.tooling.add({ schedule }, { key: schedule });
  keepUp({
    ...{ settings, switches, write: () => toolsLater('flush-files') },
    failed: (error) => log.warn({ err: error }, 'Rules could not be written anew at once; they are within the hour.'),
  });
  return { works, configRules, tools, mirror, toolsLater };
}

interface Writing extends Pick<Needs, 'wall' | 'defends'> {
  /** This will be written: it is no news that a file was changed. */
  means(path: string, text: string): Promise<void>;
}

function rulesOf(
  { site, operator }: Services,
  { settings, paths: { isServed } }: Foundation,
  { wall, defends, means }: Writing,
) {
  const { bans, client } = wall;
  const replace = async (path: string, text: string): Promise<void> => {
    await means(path, text);
    await texts.replace(path, text);
  };
  return createConfigRules({
    ...{ settings, switches: { isRunning: defends }, files: { ...texts, replace, isServed } },
    ...{ dialect: operator.security.front, data: operator.data },
    newestBans: async (most) => (await bans.newest(most)).map(({ host }) => host),
    isAuthorised: (host) => client.authorised.isAuthorised(blockOf(host)!),
    paths: {
      base: baseOf(site.url),
      uploads: operator.uploadsPath,
      plugins: 'wp-content/plugins',
      themes: 'wp-content/themes',
    },
    appFile: join(operator.data, 'app.env.rules'),
  });
}

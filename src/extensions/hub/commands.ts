// The commands of the hub, each loaded when it is asked for.
import type { ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'hub',
    summary: 'Run a hub, which monitors several sites in one table',
    load: () => import('./commands/hub.ts'),
  },
];

// The command of test data, loaded when it is asked for.
import type { ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  { name: 'seed', summary: 'Create or delete test data', load: () => import('./commands/seed.ts') },
];

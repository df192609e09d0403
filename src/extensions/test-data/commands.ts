// The command of test data, loaded when it is asked for.
import type { ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  { name: 'seed', summary: 'Fill the site with test data, to try it with', load: () => import('./commands/seed.ts') },
];

// The command of galleries, loaded when it is asked for.
import type { ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'galleries',
    summary: 'Undo conversions of galleries',
    load: () => import('./commands/galleries.ts'),
  },
];

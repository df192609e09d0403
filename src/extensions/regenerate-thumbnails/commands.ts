// The command of thumbnails, loaded when it is asked for.
import type { ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'thumbnails',
    summary: 'Make the smaller copies of pictures again',
    load: () => import('./commands/thumbnails.ts'),
  },
];

// The command of the image optimizer, loaded when it is asked for.
import type { ListedCommand } from '#cli/command.ts';

export const commands: readonly ListedCommand[] = [
  {
    name: 'images',
    summary: 'Make image files smaller',
    load: () => import('./commands/images.ts'),
  },
];

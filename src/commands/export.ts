// The commands that move the content of a site out: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as wxr } from './export/wxr.ts';

export const command: Family = {
  name: 'export',
  about: 'What a site publishes, to take along. These commands work on its data, whether it is serving or not.',
  members: [{ name: 'wxr', summary: 'Write what other sites of this family can import', command: wxr }],
};

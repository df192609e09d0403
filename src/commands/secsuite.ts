// The commands of the security suite, for whoever it keeps out of their own site.
import type { Family } from './command.ts';
import { command as allow } from './secsuite/allow.ts';
import { command as release } from './secsuite/release.ts';

export const command: Family = {
  name: 'secsuite',
  about:
    'The way back in from the machine, when the security suite keeps out somebody whom it should not. A site that serves hears of it within a second.',
  members: [
    { name: 'release', summary: 'Let an address in again that is locked out or banned', command: release },
    { name: 'allow', summary: 'Let an address in for a while, whatever it is kept out by', command: allow },
  ],
};

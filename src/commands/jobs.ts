// The commands about jobs: each stands in a file of its own, and this is the list of them.
import type { Family } from './command.ts';
import { command as cancel } from './jobs/cancel.ts';
import { command as list } from './jobs/list.ts';
import { command as run } from './jobs/run.ts';
import { command as show } from './jobs/show.ts';

export const command: Family = {
  name: 'jobs',
  about: 'Work that goes on in the background. These commands work on its data, whether the site is serving or not.',
  members: [
    { name: 'list', summary: 'List the newest jobs', command: list },
    { name: 'show', summary: 'Show how far a job is, and every reason why part of it failed', command: show },
    { name: 'cancel', summary: 'End a job before it is done', command: cancel },
    { name: 'run', summary: 'Do what is due, here and now', command: run },
  ],
};

import { flagNames } from '../../config.ts';
import { type Command, Failed, given } from '../command.ts';
import { inSite } from '../opened.ts';
import { id, jobOf } from './asked.ts';

export const command: Command = {
  name: 'jobs cancel',
  about: 'Ends a job before it is done: one that waits at once, one that runs between two items.',
  settings: flagNames,
  words: [id],
  run: (ask) =>
    inSite(ask, async ({ jobs }) => {
      const wanted = given(ask.words, id.name);
      if (!(await jobs.cancel(wanted))) {
        const { status } = await jobOf(jobs, wanted);
        throw new Failed(`The job ended before: it is ${status}.`);
      }
      const { status } = await jobOf(jobs, wanted);
      ask.out(status === 'running' ? 'The job ends with the item that is being done.' : 'The job is cancelled.');
    }),
};

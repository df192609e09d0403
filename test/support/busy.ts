// A program whose only thread is kept for some seconds, as by a long statement, while it tells of progress.
import { setTimeout as after } from 'node:timers/promises';
import { createBusyProgress } from '../../src/commands/progress/busy.ts';

const told = createBusyProgress((doing) => doing, process.stderr);
const work = async (): Promise<void> => {
  told.at('Reading'); // for less than a second, so that it is not told
  await after(200);
  told.at('Saving');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  process.stdout.write('saved\n');
};
await told.during(work());

// A program whose only thread is kept for some seconds, as by a long statement, while it tells of progress.
import { setTimeout as after } from 'node:timers/promises';
import { createToldApart } from '../../src/commands/progress/apart.ts';

const told = createToldApart((doing) => doing);
const work = async (): Promise<void> => {
  told.at('Reading'); // for less than a second, so that it is not told
  await after(200);
  told.at('Saving');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
  process.stdout.write('saved\n');
};
await told.during(work());

// Progress of work that may keep its thread for long: on SQLite a large database is saved by one statement, and others wait until then.
import { Worker } from 'node:worker_threads';
import type { BusyProgress } from '#cli/progress.ts';
import { scriptAt } from '#lib/scripts.ts';

/** So often it says how far a step has come, in milliseconds; a new step it says at once. */
const every = 250;

export function createBusyProgress(stepOf: (doing: string) => string, stderr: NodeJS.WriteStream): BusyProgress {
  let thread: Worker | undefined;
  let [last, now] = [0, ''];
  return {
    at(doing) {
      const isNew = stepOf(doing) !== stepOf(now);
      now = doing;
      if (!isNew && performance.now() - last < every) return;
      last = performance.now();
      thread?.postMessage(doing);
    },
    async during(work) {
      const one = new Worker(scriptAt(new URL('./telling.ts', import.meta.url)));
      one.on('error', () => {}); // the work goes on untold
      thread = one;
      if (now !== '') one.postMessage(now);
      try {
        return await work;
      } finally {
        thread = undefined;
        await one.terminate();
        if (stderr.isTTY) stderr.write('\r\x1b[K');
      }
    },
  };
}

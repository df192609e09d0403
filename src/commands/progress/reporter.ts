// Progress of the work of a command, on standard error of the process.
import { createTeller, type ProgressReporter } from '#cli/progress.ts';
import { createBusyProgress } from './busy.ts';

export const createProgressReporter = (stderr: NodeJS.WriteStream): ProgressReporter => ({
  async during(doing, work) {
    const teller = createTeller((text) => void stderr.write(text), stderr.isTTY);
    const timer = setInterval(() => teller.tell(typeof doing === 'string' ? doing : doing()), 1000);
    try {
      return await work;
    } finally {
      clearInterval(timer);
      teller.clear();
    }
  },
  ofBusyWork: (stepOf) => createBusyProgress(stepOf, stderr),
});

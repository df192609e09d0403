// Scheduled tasks of parts. They run as jobs in one lane, so that at most one of them runs at a time among all processes.
import type { OwnKind } from '#site/extension.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { withFailureLog } from './logs/failing.ts';

/** Its functions take the nouns they use, so that a task fits where more nouns are known. */
export interface Task<Use> {
  readonly name: string;
  /** The interval in milliseconds. */
  readonly every: number;
  /** Whether there is work when the time comes; without it, always. */
  isDue?(use: Use): boolean;
  run(use: Use, signal: AbortSignal): Promise<unknown>;
}

interface TaskPayload {
  /** The name of the task. Queues of earlier versions hold it under this key. */
  readonly errand: string;
}

export interface TaskQueue {
  start(task: string): Promise<unknown>;
  /** Takes back a run that has not begun. */
  cancel(task: string): Promise<void>;
}

export const createTaskQueue = (queue: Queue<TaskPayload>, jobs: Pick<Jobs, 'cancel'>): TaskQueue => {
  const start = (task: string) => queue.add({ errand: task }, { key: task });
  return { start, cancel: async (task) => void (await jobs.cancel(await start(task))) };
};

export const tasksJob = <Use>(tasks: readonly Task<Use>[]) =>
  withFailureLog<TaskPayload, Use>(
    {
      name: 'security-suite.errands',
      about: 'Looks whether files have changed, makes backups of the database, and forgets what is old',
      serving: true,
      lane: { name: 'security-suite.errands', atOnce: 1 },
      run: async ({ errand }, { signal }, use) =>
        void (await tasks.find(({ name }) => name === errand)?.run(use, signal)),
    } satisfies OwnKind<TaskPayload, Use>,
    ({ errand }) => errand,
  );

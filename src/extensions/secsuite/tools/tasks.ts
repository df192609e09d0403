// Scheduled tasks of parts. They run as jobs in one lane, so that at most one of them runs at a time among all processes.
import type { OwnKind } from '#site/extension.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';
import { withFailureLog } from '../logs/failing.ts';
import type { Switches } from '../switches/switches.ts';

/** Its functions take the nouns they use, so that a task fits where more nouns are known. */
export interface Task<Use> {
  readonly name: string;
  /** The interval in milliseconds. */
  readonly every: number;
  /** Rests while this module is off; without it, the task runs whether modules of its part are on or off. */
  readonly module?: string;
  /** Whether there is work when the time comes; without it, always. */
  isDue?(use: Use): boolean;
  run(use: Use, signal: AbortSignal): Promise<unknown>;
}

interface TaskPayload {
  /** The name of the task. Databases hold it under this key, and the name of the job below. */
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

interface TaskUse {
  readonly tasks: TaskQueue;
  readonly switches: Pick<Switches, 'isRunning'>;
}

/** Looks at each interval whether there is work. */
export const scheduleOf = <Use extends TaskUse>({ name, every, module, isDue }: Task<Use>) => ({
  name: `security-suite.${name}`,
  every,
  async add(use: Use) {
    const isOn = module === undefined || use.switches.isRunning(module);
    if (isOn && (isDue?.(use) ?? true)) await use.tasks.start(name);
  },
});

export const tasksJob = <Use>(tasks: readonly Task<Use>[]) =>
  withFailureLog<TaskPayload, Use>(
    {
      name: 'security-suite.errands',
      about: 'Runs the scheduled tasks of the security suite',
      serving: true,
      lane: { name: 'security-suite.errands', atOnce: 1 },
      run: async ({ errand: task }, { signal }, use) =>
        void (await tasks.find(({ name }) => name === task)?.run(use, signal)),
    } satisfies OwnKind<TaskPayload, Use>,
    ({ errand: task }) => task,
  );

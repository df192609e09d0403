// The jobs that extensions declare, made known to the site, each done with the nouns of its own.
import type { Extension, OwnKind, Services } from '#site/extension.ts';
import type { Kind, Queue } from '#site/jobs/job.ts';
import type { Jobs } from '#site/jobs/jobs.ts';

/** `nounsOf` is asked when a job runs, and by then they are made. */
export function queuesOf(
  extensions: readonly Extension[],
  jobs: Jobs,
  nounsOf: (extension: Extension) => unknown,
): Services['queueOf'] {
  const queues = new Map<unknown, Queue<never>>();
  for (const extension of extensions) {
    const { kinds = [], schedules = [] } = extension.jobs ?? {};
    for (const kind of kinds) queues.set(kind, jobs.kind(withNouns(kind, () => nounsOf(extension))));
    for (const { add, ...schedule } of schedules)
      jobs.schedule({ ...schedule, add: () => add(nounsOf(extension) as never) });
  }
  return <P>(kind: OwnKind<P, never>) => {
    const queue = queues.get(kind);
    if (queue === undefined) throw new Error(`No active extension declares the jobs ${kind.name}.`);
    return queue as Queue<P>;
  };
}

const withNouns = (kind: OwnKind<never, unknown>, nouns: () => unknown): Kind<never> => ({
  ...kind,
  run: (payload, work) => kind.run(payload, work, nouns()),
});

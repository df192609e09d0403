// Files that no record holds are erased, should nobody have come to that: those of deleted records, and a day later those of a
// process that died.
import { hour } from '#lib/spans.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Places } from './places.ts';

interface Needs {
  readonly places: Places;
  readonly jobs: Jobs;
}

const name = 'media.sweep';

export function sweepMedia({ places, jobs }: Needs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Erases files that no record holds',
    attempts: 3,
    run: async (_, { signal }) => ({ files: await places.sweep(() => signal.throwIfAborted()) }),
  });
  jobs.schedule({ name, every: 6 * hour, add: () => queue.add(null, { key: name }) });
}

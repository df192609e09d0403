// Files that no record holds are erased: those of deleted records at once, those of a process that died a day later.
import { hour } from '#lib/spans.ts';
import type { Events } from '../../events.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Places } from './places.ts';

interface Needs {
  readonly places: Places;
  readonly jobs: Jobs;
  readonly events: Events;
}

const name = 'media.sweep';

export function sweepMedia({ places, jobs, events }: Needs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Erases files that no record holds',
    attempts: 3,
    run: async (_, { signal }) => ({ files: await places.sweep(() => signal.throwIfAborted()) }),
  });
  jobs.schedule({ name, every: 6 * hour, add: () => queue.add(null, { key: name }) });
  events.on('post.deleted', async ({ post }) => {
    if (post.type === 'attachment') await places.sweep(() => {});
  });
}

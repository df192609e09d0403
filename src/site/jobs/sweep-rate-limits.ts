import { hour } from '#lib/spans.ts';
import { inSlices } from '#store/slices.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { Jobs } from './jobs.ts';

/** Operators know the job by this name: it swept the guesses at passwords of posts alone before. */
const name = 'post-passwords.sweep';

/** Uses that no longer count are deleted an hour later at most, because they name IP addresses. */
export function sweepRateLimits(rateLimits: Pick<RateLimits, 'deleteOver'>, jobs: Jobs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Deletes uses that no longer count towards a rate limit',
    attempts: 3,
    run: async (_, { signal }) => ({ deleted: await inSlices(rateLimits.deleteOver, { signal }) }),
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

// Telling the hub for somebody who waits for it.
import { Problem } from '#kernel/problem.ts';
import type { Doing } from '#site/identity/doing.ts';
import { Stopped } from '#site/jobs/stopped.ts';
import type { Sync, Synced } from './sync.ts';

export type Asked = (force: boolean, doing: Doing) => Promise<Synced>;

/** The site does not stay up for a hub that is slow. */
export const createAsked =
  (sync: Sync, stopping: AbortSignal): Asked =>
  (force, doing) =>
    sync({ force, signal: stopping }, doing).catch(sayingSo);

/** Nobody waited for the hub to the end. */
export function sayingSo(error: unknown): never {
  if (!(error instanceof Stopped)) throw error;
  throw new Problem(
    503,
    'api_error',
    'The site is just stopping, and did not wait for the hub. Please try again in a moment.',
    {},
    { headers: { 'Retry-After': '30' } },
  );
}

// What the site runs on.
import { isLoopback } from '#lib/loopback.ts';
import type { Services } from '#site/extension.ts';

interface Surroundings {
  readonly environment: 'production' | 'local';
  readonly php_version: string;
  readonly db_server_info: string;
}

export type RunsOn = () => Promise<Surroundings>;

/** A site that only its own machine reaches is nobody else's. */
export const createRunsOn =
  ({ store, site }: Pick<Services, 'store' | 'site'>): RunsOn =>
  async () => ({
    environment: isLoopback(new URL(site.url).hostname) ? 'local' : 'production',
    php_version: `Node.js ${process.versions.node}`,
    db_server_info: await store.release(),
  });

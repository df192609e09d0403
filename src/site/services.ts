// The nouns that every namespace shares, made room by room once the store is open.
import { join } from 'node:path';
import { hour } from '#lib/spans.ts';
import { inSlices } from '#store/slices.ts';
import { openContent } from './content/open.ts';
import { sparing } from './content/test-data-mark.ts';
import type { ContentType } from './content/types.ts';
import { openMail } from './email/open.ts';
import { createSpool } from './files/files.ts';
import { openFiles } from './files/open.ts';
import { openHealth } from './health/open.ts';
import { openHooks } from './hooks/open.ts';
import { besideJobs } from './hooks/writes/judging.ts';
import { openIdentity } from './identity/open.ts';
import type { Roles } from './identity/roles.ts';
import { createJobs } from './jobs/create.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { World } from './outgoing/guard.ts';
import { openOutgoing } from './outgoing/open.ts';
import { createExtensions } from './packages/create.ts';
import type { ExtensionsNeeds } from './packages/needs.ts';
import { openPlatform, type PlatformOptions } from './platform/open.ts';
import type { RateLimits } from './platform/rate-limits.ts';
import { createSent } from './transfer/import/sent/sent.ts';
import { forgetArrived } from './transfer/import/tables.ts';

interface ServicesOptions extends PlatformOptions, Pick<ExtensionsNeeds, 'bundled' | 'version' | 'trial' | 'followed'> {
  readonly roles: Roles;
  /** How other sites are reached. */
  readonly world?: Partial<World> | undefined;
  /** How long a refused sign-in takes at least, in milliseconds. */
  readonly refusalTakes?: number | undefined;
  /** How long the copies of one picture may take together, in milliseconds. */
  readonly picturesTake?: (() => number) | undefined;
  /** Content types that extensions bring. */
  readonly types?: readonly ContentType[] | undefined;
}

export type SiteServices = Awaited<ReturnType<typeof openServices>>;

export async function openServices(options: ServicesOptions) {
  const { config, store, clock, log, version } = options;
  const platform = await openPlatform(options, besideJobs);
  const files = await openFiles(config.media, config.mediaKeys, clock);
  const spool = createSpool({ folder: join(config.data, 'arriving'), clock });
  const { outgoing, ownSite } = openOutgoing(config, { version, log, ...options.world });
  const jobs = createJobs(platform);
  sweepRateLimits(platform.rateLimits, jobs);
  const ground = { ...platform, files, spool, outgoing, ownSite, jobs };
  const mail = sparing(await openMail(ground, config), store);
  const people = { ...ground, mail, ...openIdentity({ ...ground, mail }, options) };
  const content = await openContent(people, options);
  forgetArrived(content.posts);
  const { url, uploadLimit } = config;
  return {
    ...people,
    content,
    ...openHooks(platform, content.kinds),
    ...openHealth(people, config),
    /** Which extensions there are, and to switch them. */
    extensions: createExtensions({ ...ground, ...options, operator: config, data: config.data }),
    /** Export files of other sites that people send, to be moved in. */
    sent: createSent({ ...people, content, url, uploadLimit }),
  };
}

/** Operators know the job by this name: it swept the guesses at passwords of posts alone before. */
const name = 'post-passwords.sweep';

/** Uses that no longer count are deleted an hour later at most, because they name IP addresses. */
function sweepRateLimits(rateLimits: Pick<RateLimits, 'deleteOver'>, jobs: Jobs): void {
  const queue = jobs.kind<null>({
    name,
    about: 'Deletes expired counts of rate limits',
    attempts: 3,
    run: async (_, { signal }) => ({ deleted: await inSlices(rateLimits.deleteOver, { signal }) }),
  });
  jobs.schedule({ name, every: hour, add: () => queue.add(null, { key: name }) });
}

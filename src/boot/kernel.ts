// The interface of a site: its routes put together, and what its index says of it.
import { nobody } from '#kernel/caller.ts';
import type { Guarding } from '#kernel/guarding.ts';
import { createKernel, type Kernel } from '#kernel/kernel.ts';
import { credentials } from '#site/identity/credential.ts';
import { takesApplicationPasswords } from '#site/identity/identity.ts';
import { readReferenceFile } from '#site/pages/api-reference-files.ts';
import { type Clock, systemClock } from '#site/platform/clock.ts';
import { rootsOf } from '#site/platform/open.ts';
import { siteFacts } from '#site/platform/site-facts.ts';
import type { SiteServices } from '#site/services.ts';
import type { Config } from '../config.ts';
import { extensions as bundled } from '../extensions/all.ts';
import { version } from '../version.ts';
import { capabilitiesIn, declarations } from './assembly.ts';
import type { Member } from './member.ts';
import { mountsOf } from './mounts.ts';
import { activeOf, type OpenOptions } from './open-site.ts';

interface KernelNeeds {
  readonly members: readonly Member[];
  readonly capabilities: ReadonlySet<string>;
  readonly clock?: Clock | undefined;
  report(error: unknown, request: string): void;
  readonly services?: SiteServices;
  readonly guarding?: Guarding;
}

export function kernelOf(
  config: Config,
  { members, capabilities, clock, report, services, guarding }: KernelNeeds,
): Kernel {
  return createKernel({
    mounts: mountsOf(members, config.deployment),
    capabilities,
    roots: rootsOf(config),
    bodyLimit: config.bodyLimit,
    uploadLimit: config.uploadLimit,
    version: version(),
    facts: async () => ({ ...(await factsOf(config, clock, services)), more: saidOfSite(members) }),
    identify: services?.identity.identify ?? (async () => nobody),
    credentials,
    readReferenceFile,
    report: (error, { id }) => report(error, id),
    gathering: services?.store.gathering,
    guarding,
  });
}

/** What a deployment would serve, without opening its data. */
export function kernelWithoutStore(config: Config, { extensions = bundled, clock }: OpenOptions = {}): Kernel {
  const members = activeOf(declarations(extensions), config).map((extension) => ({ extension, use: undefined }));
  const declared = members.flatMap(({ extension }) => extension.capabilities ?? []);
  const capabilities = capabilitiesIn(config.deployment).union(new Set(declared));
  return kernelOf(config, { members, capabilities, clock, report: () => {} });
}

const saidOfSite = (members: readonly Member[]): Record<string, unknown> =>
  Object.assign({}, ...members.map(({ extension }) => extension.index?.site));

const factsOf = async (config: Config, clock: Clock = systemClock, services?: SiteServices) => {
  const settings = services ? await services.settings.read(services.siteGroup) : config.deployment.settings;
  return siteFacts({
    url: config.url,
    offsetAs: config.deployment.index.gmt_offset,
    offset: config.deployment.settings.gmt_offset,
    settings,
    pictures: services ? await picturesOf(services, [settings.site_logo ?? 0, settings.site_icon]) : new Map(),
    takesApplicationPasswords: takesApplicationPasswords(config),
    clock,
  });
};

async function picturesOf({ content }: SiteServices, ids: readonly number[]): Promise<Map<number, string>> {
  const named = ids.filter((id) => id > 0);
  const files = named.length > 0 ? await content.media.files(named) : [];
  return new Map(Array.from(files, ([id, { file }]) => [id, content.media.urlOf(file)]));
}

// The pages of the site itself, and at which addresses there can be pages of extensions beside them.
import type { Page } from '#kernel/http/page.ts';
import { createMetrics, type Metrics } from '#site/health/metrics.ts';
import { adviceLines } from '#site/identity/proxy-advice.ts';
import type { HouseNow, Visited } from '#site/pages/door.ts';
import { exportPage } from '#site/pages/export.ts';
import { importPages } from '#site/pages/import.ts';
import { personalPages } from '#site/pages/personal.ts';
import { statusPages } from '#site/pages/status.ts';
import { rootsOf } from '#site/platform/open.ts';
import type { SiteServices } from '#site/services.ts';
import { createExporting } from '#site/transfer/import/wxr/write.ts';
import type { Config } from '../config.ts';
import { version } from '../version.ts';
import { AssemblyProblem } from './assembly.ts';
import type { Member } from './member.ts';

interface Behind {
  readonly houseNow: HouseNow;
  /** What opens posts that a password closes. */
  readonly postPassword: Visited;
  readonly metrics: Metrics;
}

export const sitePages = (
  { metricsToken }: Config,
  services: SiteServices,
  { houseNow, postPassword, metrics }: Behind,
): Page[] => [
  ...personalPages(houseNow, postPassword),
  exportPage(houseNow, { kinds: services.content.kinds, exporting: createExporting(services) }),
  ...importPages(houseNow, services.sent),
  ...statusPages({
    metrics,
    metricsToken,
    ping: () => services.store.ping(),
    warnings: () => (services.clients.proxyAdvice === undefined ? [] : adviceLines(services.clients.proxyAdvice)),
  }),
];

const nobody = () => Promise.reject(new Error('This page is only listed, not visited.'));

/** The addresses of the site itself, beside those of what it publishes: pages, the interface, and the files. */
export function ownPaths(config: Config, services: SiteServices): string[] {
  const behind = { houseNow: nobody, postPassword: nobody, metrics: createMetrics(version(), []) };
  const roots = rootsOf({ apiPrefix: config.apiPrefix, url: '' });
  const faces = config.apiFaces === 'both' ? Object.values(roots) : [roots[config.apiFaces]];
  return [...sitePages(config, services, behind).map(({ path }) => path), ...faces, config.uploadsPath];
}

/** Throws where a package can have no page, or where one of another extension is. */
export type RefusePage = (path: string, extension: string, others: ReadonlySet<string>) => void;

/** What stands at the top of every site, and is neither a page of its own nor a record. */
const shown =
  /^(?:feed|rss2?|atom|rdf|comments|page|embed|index\.php|robots\.txt|favicon\.ico|(?:wp-)?sitemap[^/]*\.xml|\d+)$/;

export function createRefusePage(config: Config, services: SiteServices, bundled: ReadonlySet<string>): RefusePage {
  const { category, tag, format, author } = config.addresses;
  const tops = new Set([...ownPaths(config, services), category, tag, format, author].map(topOf));
  const isOwn = (path: string): boolean => tops.has(topOf(path)) || shown.test(topOf(path));
  return (path, extension, others) => {
    if (others.has(path))
      throw new AssemblyProblem(
        `Another extension has a page at ${path} already, so ${extension} cannot have one there.`,
      );
    if (bundled.has(extension)) return;
    if (!/^(?:\/[^/?#\s]+)+$/.test(path) && path !== '/')
      throw new AssemblyProblem(`The page ${path} of ${extension} is not a valid path; a path is like /bell/tower.`);
    if (path === '/' || isOwn(path))
      throw new AssemblyProblem(`The page ${path} of ${extension} is at a path that the site itself uses.`);
  };
}

/** The pages of one extension, all of which fit beside those that there are. */
export function freePages(
  { extension, use }: Member,
  houseNow: HouseNow,
  refuse: RefusePage,
  others: ReadonlySet<string>,
): readonly Page[] {
  const pages = extension.pages?.(use, houseNow) ?? [];
  for (const { path } of pages) refuse(path, extension.name, others);
  return pages;
}

const topOf = (path: string): string => path.split('/').find((part) => part !== '') ?? '';

// Whether everything that is switched on runs here. One that cannot is left out, and the site goes on: somebody should know.

import type { Page } from '#kernel/http/page.ts';
import { type Check, ok, type Seen, warning, wrong } from '#site/health/check.ts';
import type { Extensions } from '#site/packages/packages.ts';
import { foundAt } from '#site/pages/public/by-number.ts';
import type { SiteServices } from '#site/services.ts';
import type { Log } from '#store/engine.ts';
import type { Following } from './follow-extensions.ts';
import type { Member } from './member.ts';
import type { Members } from './members.ts';

interface Needs {
  readonly extensions: Pick<Extensions, 'list' | 'faults'>;
  readonly members: Pick<Members, 'all'>;
  readonly following: () => Pick<Following, 'behind'>;
  readonly covered: CoveredPages;
}

/** As people read it: what is installed can be looked at besides while nothing runs. */
export const extensionsCheckName = 'Active extensions';

export const extensionsCheck = ({ extensions, members, following, covered }: Needs): Check => ({
  name: 'extensions',
  what: extensionsCheckName,
  about: 'Whether all extensions that are turned on run, and whether their pages hide published content.',
  badge: 'Performance',
  async look() {
    const running = new Set(members.all.map(({ extension }) => extension.name));
    const on = (await extensions.list()).filter(({ active }) => active).map(({ slug }) => slug);
    const missing = on.filter((slug) => !running.has(slug));
    const behind = on.filter((slug) => running.has(slug) && following().behind.has(slug));
    if (missing.length + behind.length === 0) return besides(await covered());
    const faults = await extensions.faults();
    const whys = [...missing, ...behind].flatMap((slug) => faults.get(slug) ?? []);
    return wrong(
      [
        ...(missing.length > 0 ? [`turned on, but cannot be used here: ${missing.join(', ')}`] : []),
        ...(behind.length > 0 ? [`running in an earlier version than the installed one: ${behind.join(', ')}`] : []),
      ].join('; '),
      whys.length > 0
        ? whys.join(' ')
        : 'Read the log for the cause. Correct it and restart the site, or turn these extensions off.',
    );
  },
});

const besides = (covered: readonly string[]): Seen =>
  covered.length === 0
    ? ok('all extensions that are turned on run')
    : warning(
        `all extensions that are turned on run; ${covered.join('; ')}`,
        'Give the published content another URL, or turn the extension off.',
      );

/** Pages of extensions come before what people publish at the same address: whoever runs the site should know where they do. */
interface CoveredPagesDeps {
  readonly members: Pick<Members, 'all'>;
  readonly content: SiteServices['content'];
  /** Of the site. */
  readonly url: string;
}

/** In words: which page of which extension is shown in place of what. */
type CoveredPages = () => Promise<string[]>;

/** More than any extension has; each is looked up. */
const mostPages = 200;

export const createCoveredPages =
  ({ members, content, url }: CoveredPagesDeps): CoveredPages =>
  async () => {
    const all = members.all.flatMap((one) => pagesOf(one).map(({ path }) => ({ path, by: one.extension.name })));
    const covered = await Promise.all(
      all.slice(0, mostPages).map(async ({ path, by }) => {
        const found = await foundAt({ content }, `${url}${path}`);
        return found === undefined ? [] : [`${by} shows its page ${path} instead of “${found.post.title}”`];
      }),
    );
    return covered.flat();
  };

/** Where they are, and nobody visits them; one that cannot say so is told of where its pages are made. */
function pagesOf({ extension, use }: Member): readonly Page[] {
  try {
    return extension.pages?.(use, () => Promise.reject(new Error('This page is only listed, not visited.'))) ?? [];
  } catch {
    return [];
  }
}

/** Tells each once, as soon as it is so. That it could not be found out is nothing against whoever was switched on. */
export function logCoveredPages(covered: CoveredPages, log: Pick<Log, 'warn'>): () => Promise<void> {
  let told = new Set<string>();
  return async () => {
    const all = new Set(await covered().catch(() => []));
    for (const one of all.difference(told)) log.warn({}, `A page of an extension hides published content: ${one}.`);
    told = all;
  };
}

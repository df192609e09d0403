// Pages of extensions come before what people publish at the same address: whoever runs the site should know where they do.
import type { Page } from '#kernel/http/page.ts';
import { foundAt } from '#site/pages/public/by-number.ts';
import type { SiteServices } from '#site/services.ts';
import type { Log } from '#store/engine.ts';
import type { Member } from './member.ts';
import type { Members } from './members.ts';

interface Needs {
  readonly members: Pick<Members, 'all'>;
  readonly content: SiteServices['content'];
  /** Of the site. */
  readonly url: string;
}

/** In words: which page of which extension is shown in place of what. */
export type CoveredPages = () => Promise<string[]>;

/** More than any extension has; each is looked up. */
const mostPages = 200;

export const createCoveredPages =
  ({ members, content, url }: Needs): CoveredPages =>
  async () => {
    const all = members.all.flatMap((one) => pagesOf(one).map(({ path }) => ({ path, by: one.extension.name })));
    const covered = await Promise.all(
      all.slice(0, mostPages).map(async ({ path, by }) => {
        const found = await foundAt({ content }, `${url}${path}`);
        return found === undefined ? [] : [`${by} shows its page ${path} in place of “${found.post.title}”`];
      }),
    );
    return covered.flat();
  };

/** Where they are, and nobody visits them; one that cannot say so is told of where its pages are made. */
function pagesOf({ extension, use }: Member): readonly Page[] {
  try {
    return extension.pages?.(use, () => Promise.reject(new Error('Nobody visits it.'))) ?? [];
  } catch {
    return [];
  }
}

/** Tells each once, as soon as it is so. That it could not be found out is nothing against whoever was switched on. */
export function logCoveredPages(covered: CoveredPages, log: Pick<Log, 'warn'>): () => Promise<void> {
  let told = new Set<string>();
  return async () => {
    const all = new Set(await covered().catch(() => []));
    for (const one of all.difference(told)) log.warn({}, `An extension hides what was published: ${one}.`);
    told = all;
  };
}

// What stands in texts for the addresses of other sites. It is asked for once a text was saved and kept until it is saved again:
// whoever reads waits for nobody, and a site that is away takes nothing out of a text.
import { hash } from 'node:crypto';
import { Problem } from '#kernel/problem.ts';
import { Unavailable } from '#lib/failures.ts';
import { day } from '#lib/spans.ts';
import type { Post } from '#site/content/posts/post.ts';
import { addressesIn } from '#site/content/rendering/addresses.ts';
import type { AddressShown } from '#site/content/rendering/rendering.ts';
import type { Queue } from '#site/jobs/job.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { Outcome } from './others.ts';
import { type Provider, providerOf, trustOf } from './providers.ts';
import type { EmbedsTables } from './tables.ts';

/** To find out what to show of an address, for somebody in whose text it stands. */
export interface LookUp {
  readonly url: string;
  readonly by: number;
}

export interface ShownNeeds {
  readonly store: Store<EmbedsTables>;
  readonly clock: Clock;
  /** The public base address of this site. */
  readonly site: string;
  providers(): readonly Provider[] | Promise<readonly Provider[]>;
  outcomeOf(user: number, url: string): Promise<Outcome>;
  readonly queue: Queue<LookUp>;
}

export interface ShownEmbeds extends AddressShown {
  /** Puts up what has to be found out of a text. */
  saved(post: Pick<Post, 'content' | 'author' | 'status'>): Promise<void>;
  /** What may be over in a while is `Unavailable`. */
  lookUp(asked: LookUp): Promise<void>;
}

/** Nothing, where there is nothing to show; what is shown already stays where it is not said. */
interface Said {
  readonly html?: string | null;
}

const most = { each: 50, kept: 20_000, longest: 32 * 1024 };

export function createShownEmbeds({ store, clock, site, providers, outcomeOf, queue }: ShownNeeds): ShownEmbeds {
  const home = new URL(site);
  const knows = (url: string): boolean => new URL(url).host !== home.host;

  /** What one site was trusted with is not shown in the name of another, nor once it is trusted no more. */
  const keyOf = (all: readonly Provider[], url: string): string =>
    hash('sha256', JSON.stringify([url, trustOf(providerOf(all, new URL(url)))]), 'base64url');

  const rowsOf = async (urls: readonly string[]) => {
    const all = await providers();
    const keys = new Map(urls.map((url) => [keyOf(all, url), url]));
    const rows = await store.db
      .selectFrom('embeds_shown')
      .selectAll()
      .where('key', 'in', [...keys.keys()])
      .execute();
    return rows.map((row) => ({ ...row, url: keys.get(row.key)! }));
  };

  const keep = async (url: string, said: Said): Promise<void> => {
    const now = { ...said, kept_at: clock().toISOString() };
    const key = keyOf(await providers(), url);
    await store.write(async (tx) => {
      await tx
        .insertInto('embeds_shown')
        .values({ key, html: null, ...now })
        .onConflict((found) => found.column('key').doUpdateSet(now))
        .execute();
      await tx
        .deleteFrom('embeds_shown')
        .where('kept_at', '<', (eb) =>
          eb.selectFrom('embeds_shown').select('kept_at').orderBy('kept_at', 'desc').limit(1).offset(most.kept),
        )
        .execute();
    });
  };

  return {
    knows,
    rests: ['embeds_shown', 'settings'],
    async find(urls) {
      const rows = await rowsOf(urls);
      return new Map(rows.flatMap(({ url, html }) => (html === null ? [] : [[url, html]])));
    },
    async saved({ content, author, status }) {
      const urls = status === 'trash' ? [] : [...new Set(addressesIn(content))].filter(knows).slice(0, most.each);
      if (urls.length === 0) return;
      const since = new Date(clock().getTime() - day).toISOString();
      const known = new Set((await rowsOf(urls)).filter(({ kept_at }) => kept_at > since).map(({ url }) => url));
      for (const url of urls)
        if (!known.has(url)) await queue.add({ url, by: author }, { key: hash('sha256', url), by: author });
    },
    async lookUp({ url, by }) {
      await keep(url, saidOf(await outcomeOf(by, url).catch(insteadOf)));
    },
  };
}

/** Of an address that may not be asked nothing is shown. */
function insteadOf(error: unknown): Outcome {
  if (!(error instanceof Problem)) throw error;
  return { reason: error.status === 429 ? error.code : null };
}

/** What may be over in a while: its site was away, or too much was asked at once. */
const passing = new Set<string | null>(['unreachable', 'late', 'status', 'too_many_requests']);

function saidOf({ answer, ...rest }: Outcome): Said {
  const reason = 'reason' in rest ? rest.reason : null;
  if (passing.has(reason)) throw new Unavailable(`The embed of a URL could not be looked up: ${reason}.`);
  if (reason !== null) return {};
  const html = answer !== undefined && 'html' in answer ? String(answer.html) : '';
  return { html: html === '' || html.length > most.longest ? null : html };
}

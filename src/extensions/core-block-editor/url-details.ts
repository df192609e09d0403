// What a page says of itself, for whoever writes a link to it.
import { Problem } from '#kernel/problem.ts';
import { isPlainlyUnsafe } from '#site/outgoing/destination.ts';
import { type Fetched, type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';
import { type Shares, tooManyLookUps } from '#site/outgoing/shares.ts';
import { unsafe } from '#site/outgoing/upstream.ts';
import type { KeptDetails } from './kept-details.ts';
import { type Details, detailsIn } from './page-head.ts';

interface UrlDetailsNeeds {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly ownSite: Pick<OwnSite, 'fetch'>;
  readonly kept: KeptDetails;
  /** What each may have looked at. */
  readonly shares: Shares;
  /** The public base address of this site. */
  readonly site: string;
}

export interface UrlDetails {
  /** Why nobody may have this address looked at, as far as it says so itself: nobody and nothing is asked. */
  refusal(url: string): Problem | undefined;
  /** As somebody has it looked at. */
  of(url: string, user: number): Promise<Details>;
}

/** Of a page, no more is read. */
const beginning = 150 * 1024;
/** A page may be longer than what is read of it. */
const largest = 50 * 1024 * 1024;
/** Of what the site asks of others at once, a part; the rest is for what else it asks them for. */
export const most = { each: 2, all: 8, aMinute: 60 };

const purpose = { name: 'url-details', types: ['*'], most: largest };
const pages = ['text/html', 'application/xhtml+xml'];

export function createUrlDetails({ outgoing, ownSite, kept, shares, site }: UrlDetailsNeeds): UrlDetails {
  const { host } = new URL(site);
  const isOwn = (url: string): boolean => URL.parse(url)?.host === host;
  const look = async (url: string): Promise<Details> => {
    const fetched = await (isOwn(url) ? ownSite.fetch(url, purpose).catch(away) : outgoing.fetch(url, purpose));
    const details = await read(fetched);
    // What the site shows of its own may be closed in a moment.
    if (!isOwn(url) && !isOwn(fetched.url)) await kept.keep(url, details);
    return details;
  };
  return {
    refusal: (url) => (url === '' || isOwn(url) || !isPlainlyUnsafe(url) ? undefined : unfit(unsafe())),
    async of(text, user) {
      if (text === '') throw new Problem(404, 'rest_invalid_url', 'There is no address to look at.');
      const url = new URL(text).href;
      const known = await kept.find(url);
      if (known !== undefined) return known;
      if (!shares.mayLookUp(user)) throw tooManyLookUps();
      return shares.inTurn(user, () => look(url).catch(refused));
    },
  };
}

async function read(fetched: Fetched): Promise<Details> {
  const { status, type, url } = fetched;
  if (status !== 200) {
    fetched.close();
    throw new Upstream('status', 'The page answered with something else.', status);
  }
  const text = await fetched.beginning(beginning);
  if (text.trim() === '') throw new Problem(404, 'no_content', 'There is nothing at this address.');
  return detailsIn(pages.includes(type) ? text : '', new URL(url).origin);
}

/** Of the site itself every page may be asked for; one that leads nowhere, or inside, does not answer. */
function away(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'unsafe_url') throw error;
  throw new Upstream('unreachable', 'The site does not reach itself.', undefined, { cause: error });
}

/** What may not be asked is an argument that does not fit; whatever the other side did wrong, it did not answer. */
function refused(error: unknown): never {
  if (error instanceof Upstream)
    throw new Problem(404, 'no_response', 'The page did not answer as it should.', {}, { cause: error });
  throw error instanceof Problem && error.code === 'unsafe_url' ? unfit(error) : error;
}

const unfit = ({ message }: Problem): Problem =>
  new Problem(400, 'rest_invalid_param', message, { params: { url: message }, details: [] });

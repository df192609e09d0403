// Title, icon and description of a page, for people who write a link to it: fetched, read from the head of the page, and kept
// for an hour.

import { hash } from 'node:crypto';
import { kernelErrors } from '#kernel/errors.ts';
import { defineDenial, defineError, Problem } from '#kernel/problem.ts';
import { eachToken, meaning, type Opening, textOf } from '#lib/html-tokens.ts';
import { withoutSteering } from '#lib/printable.ts';
import { hour } from '#lib/spans.ts';
import { stripTags } from '#lib/tags.ts';
import { isPlainlyUnsafe } from '#site/outgoing/destination.ts';
import { type Fetched, type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';
import { type Shares, tooManyLookUps } from '#site/outgoing/shares.ts';
import { unsafe } from '#site/outgoing/upstream.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { EditorTables } from './tables.ts';

export const coreBlockEditorErrors = {
  invalidUrl: defineError(404, 'rest_invalid_url', '`url` must be the URL of a public page.'),
  noContent: defineError(404, 'no_content', 'The page does not exist.'),
  noResponse: defineError(404, 'no_response', 'The page answered with an error.'),
  cannotViewUrlDetails: defineDenial('rest_cannot_view_url_details', 'get the details of a URL'),
  cannotExportTemplates: defineDenial('rest_cannot_export_templates', 'export templates'),
};

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
      if (text === '') throw coreBlockEditorErrors.invalidUrl();
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
    throw new Upstream('status', 'The page did not answer with HTML.', status);
  }
  const text = await fetched.beginning(beginning);
  if (text.trim() === '') throw coreBlockEditorErrors.noContent();
  return detailsIn(pages.includes(type) ? text : '', new URL(url).origin);
}

/** Of the site itself every page may be asked for; one that leads nowhere, or inside, does not answer. */
function away(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'unsafe_url') throw error;
  throw new Upstream('unreachable', 'The site cannot reach itself.', undefined, { cause: error });
}

/** What may not be asked is an argument that does not fit; whatever the other side did wrong, it did not answer. */
function refused(error: unknown): never {
  if (error instanceof Upstream) throw coreBlockEditorErrors.noResponse().because(error);
  throw error instanceof Problem && error.code === 'unsafe_url' ? unfit(error) : error;
}

const unfit = ({ message }: Problem): Problem =>
  kernelErrors.invalidParam(message).with({ params: { url: message }, details: [] });

/** Empty where the page says nothing. */
export interface Details {
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly image: string;
}

/** `origin`: what its addresses are relative to. */
export function detailsIn(html: string, origin: string): Details {
  const said: Partial<Record<keyof Details, string>> = {};
  let isOver = false;
  let isTitle = false;
  eachToken(html, (token) => {
    if (isOver) return;
    if (token.kind === 'text') {
      if (isTitle) said.title = (said.title ?? '') + html.slice(token.start, token.end);
      return;
    }
    if (token.kind === 'comment') return;
    isTitle = token.kind === 'open' && token.name === 'title' && said.title === undefined;
    isOver = token.name === (token.kind === 'open' ? 'body' : 'head');
    if (token.kind === 'open') Object.assign(said, { ...told(token), ...said });
  });
  return {
    title: plain(textOf(said.title ?? '')),
    icon: addressOf(said.icon, origin),
    description: plain(said.description ?? ''),
    image: addressOf(said.image, origin),
  };
}

/** What one element says. The first that says something counts. */
function told({ name, attributes }: Opening): Partial<Details> {
  if (name !== 'link' && name !== 'meta') return {};
  const value = (wanted: string) => meaning(attributes.find((one) => one.name === wanted)?.written ?? null).trim();
  if (name === 'link') return isIcon(value('rel')) ? something('icon', value('href')) : {};
  const called = (value('name') || value('property')).toLowerCase();
  if (called === 'description' || called === 'og:description') return something('description', value('content'));
  return called === 'og:image' || called === 'og:image:url' ? something('image', value('content')) : {};
}

const something = (name: keyof Details, value: string): Partial<Details> => (value === '' ? {} : { [name]: value });

const isIcon = (rel: string): boolean => rel.toLowerCase().split(/\s+/).includes('icon');

const plain = (text: string): string => withoutSteering(stripTags(text.replace(/\s+/g, ' '))).trim();

function addressOf(text: string | undefined, origin: string): string {
  const url = text === undefined ? null : URL.parse(text, origin);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : '';
}

interface KeptDetails {
  find(url: string): Promise<Details | undefined>;
  keep(url: string, details: Details): Promise<void>;
}

const keptAtMost = { pages: 1_000, longest: 65_536 };

const keyOf = (url: string): string => hash('sha256', url, 'base64url');

export function createKeptDetails(store: Store<EditorTables>, clock: Clock): KeptDetails {
  return {
    async find(url) {
      const row = await store.db
        .selectFrom('editor_pages')
        .select('details')
        .where('key', '=', keyOf(url))
        .where('until', '>', clock().toISOString())
        .executeTakeFirst();
      return row && JSON.parse(row.details);
    },
    async keep(url, said) {
      const details = JSON.stringify(said);
      if (details.length > keptAtMost.longest) return;
      const now = clock();
      const until = new Date(now.getTime() + hour).toISOString();
      await store.write(async (tx) => {
        const gone = tx.deleteFrom('editor_pages');
        await gone.where('until', '<=', now.toISOString()).execute();
        await gone
          .where('until', '<=', (eb) =>
            eb.selectFrom('editor_pages').select('until').orderBy('until', 'desc').limit(1).offset(keptAtMost.pages),
          )
          .execute();
        await tx
          .insertInto('editor_pages')
          .values({ key: keyOf(url), details, until })
          .onConflict((found) => found.column('key').doUpdateSet({ details, until }))
          .execute();
      });
    },
  };
}

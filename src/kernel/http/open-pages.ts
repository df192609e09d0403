// The public site: what is shown wherever nothing else is mounted. What of it may be anybody's is kept as bytes and made again
// ahead, as the answers of the interface are.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseQuery } from '../args/query.ts';
import { type Layout, placeOf } from './address.ts';
import type { Answers, Tracking } from './answers.ts';
import { type ClientOf, peerOf } from './client.ts';
import { composePage } from './compose.ts';
import type { MakeAhead } from './exchange.ts';
import type { PageAnswer, PageAt, Visit } from './page.ts';
import { send } from './sending.ts';

/** What is shown at an address of the site, whatever the address. */
export type OpenSite = (visit: Visit) => PageAnswer | Promise<PageAnswer>;

interface OpenPagesOptions {
  readonly openSite: OpenSite;
  readonly answers: Answers;
  readonly tracking: Tracking;
}

/** A page that is made and waits to be sent. */
type SendPage = (message: IncomingMessage, response: ServerResponse, id: string) => Promise<void>;
export type MakePage = (message: IncomingMessage, visit: Visit) => Promise<SendPage>;

export function createOpenPages({ openSite, answers, tracking }: OpenPagesOptions): MakePage {
  return async (message, visit) => {
    const since = answers.moment();
    const { answer, topics } = await tracking.track(async () => openSite(visit));
    const shared = answer.anybodys === true && answers.isShareable(message);
    const composed = composePage(answer, shared);
    if (shared) answers.missed();
    if (shared && topics !== undefined && composed.etag !== undefined)
      answers.keep(visit.url, composed, { topics, since });
    return async (asked, response, id) => {
      if (!response.destroyed) await send(asked, response, composed, id);
    };
  };
}

interface AheadOptions extends OpenPagesOptions {
  readonly layout: Layout;
  readonly pageAt?: PageAt;
}

export function createMakePageAhead({ openSite, answers, tracking, layout, pageAt }: AheadOptions): MakeAhead {
  return async (url) => {
    if (placeOf(url, layout) !== undefined || pageAt?.(url) !== undefined) return;
    const since = answers.moment();
    const { answer, topics } = await tracking.track(async () => openSite(unasked(url)));
    if (answer.anybodys !== true || topics === undefined) return;
    answers.keep(url, composePage(answer, true), { topics, since }, 'ahead');
  };
}

/** Nobody's visit. */
const unasked = (url: string): Visit => ({ ...plain, url, query: parseQuery(queryIn(url)) });
const plain = { method: 'GET', id: 'ahead', form: {}, headers: {}, address: '', peer: '' } as const;

const queryIn = (url: string): string => url.split(/\?(.*)/s)[1] ?? '';

/** Of a request without a body, or with one that nobody will read. */
export const visitOf = (message: IncomingMessage, id: string, clientOf: ClientOf): Visit => ({
  method: 'GET',
  id,
  url: message.url ?? '/',
  query: parseQuery(queryIn(message.url ?? '')),
  form: {},
  headers: message.headers,
  address: clientOf(message),
  peer: peerOf(message),
});

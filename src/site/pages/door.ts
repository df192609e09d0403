// Who stands at the door of a page: whether the form comes from here, whose session the browser holds, and the keys it gets.

import type { Caller } from '#kernel/caller.ts';
import type { PageAnswer, StreamedAnswer, Visit } from '#kernel/http/page.ts';
import { Problem, statusOf } from '#kernel/problem.ts';
import { currentRequest } from '#kernel/request.ts';
import { html } from '#lib/html.ts';
import { cookieOf, cookieText } from '#lib/http-headers.ts';
import { type Credential, sessionCookie } from '../identity/credential.ts';
import type { Identity } from '../identity/identity.ts';
import type { Session, Started } from '../identity/sessions/sessions.ts';
import type { Clock } from '../platform/clock.ts';
import type { Entrance } from '../platform/entrance.ts';
import { alert } from './forms.ts';
import { type Grounds, page } from './layout.ts';

/** What the pages are given. */
export interface House extends Grounds {
  /** The public base address. */
  readonly url: string;
  /** Where clients of this family look for the interface. */
  readonly root: string;
  /** What the site is, in a line, or empty. */
  readonly description: string;
  /** The site's own time zone, or empty. */
  readonly zone: string;
  readonly identity: Identity;
  readonly entrance: Pick<Entrance, 'hidden'>;
  readonly clock: Clock;
}

/** The house as settings are now: it is asked each time. */
export interface HouseNow {
  (): House | Promise<House>;
  /** That of a function, as it happens. What the site is called is `(await house()).name`. */
  readonly name: unknown;
}

/** How a page leads programs to the interface. */
export const interfaceLink = ({ root }: House) => ({ Link: `<${root}/>; rel="https://api.w.org/"` });

/** A refusal that has a page of its own; the interface answers it as any other. */
export class Refused extends Problem {
  readonly show: (house: House) => PageAnswer;

  constructor({ status, code, message, details, ...more }: Problem, show: (house: House) => PageAnswer) {
    super(status, code, message, details, more);
    this.show = show;
  }
}

export type Guest = Session | undefined;
export type Visited<A = PageAnswer> = (visit: Visit, guest: Guest, house: House) => A | Promise<A>;

/** Lets in whoever comes by a way of this site, with the session they hold; a refusal becomes a page. */
export function opened<A extends PageAnswer | StreamedAnswer>(houseNow: HouseNow, visited: Visited<A>) {
  return async (visit: Visit): Promise<A | PageAnswer> => {
    const house = await houseNow();
    if (isFromElsewhere(visit, house.url)) return elsewhere(house);
    try {
      const guest = await guestOf(visit, house);
      return await visited(visit, guest, guest === undefined ? house : knowing(house));
    } catch (error) {
      if (error instanceof Refused) return error.show(house);
      if (error instanceof Problem) return refusal(house, error);
      throw error;
    }
  };
}

/** The house to whoever may know where people sign in: all ways there lead to where it is. */
export function knowing(house: House): House {
  const { hidden } = house.entrance;
  if (hidden === undefined) return house;
  const at = (path: string): string =>
    house.at(/^\/login(?:$|\?)/.test(path) ? path.replace('/login', () => hidden) : path);
  return { ...house, at };
}

/** Browsers say where a form was; programs say nothing, and hold no session that they did not open. */
function isFromElsewhere({ method, headers }: Visit, url: string): boolean {
  if (method !== 'POST') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin !== new URL(url).origin;
}

const elsewhere = (house: House): PageAnswer =>
  page(house, {
    title: 'Open this site at its own URL',
    status: 403,
    body: html`<p>The form came from another website, so nothing was changed. Please open the site here and try again:</p>
<p><a class="link" href="${house.url}/">${house.url}/</a></p>`,
  });

const refusal = (house: House, problem: Problem): PageAnswer =>
  page(house, {
    title: 'The request failed',
    status: statusOf(problem, false),
    headers: problem.headers,
    body: html`${alert(problem.message)}<p><a class="link" href="${house.at('/account')}">Go to your account</a></p>`,
  });

export const cookieIn = ({ headers }: Visit, name: string): string | undefined =>
  cookieOf(headers.cookie as string | undefined, name);

async function guestOf(visit: Visit, { identity }: House): Promise<Guest> {
  const cookie = cookieIn(visit, sessionCookie);
  const session = cookie === undefined ? undefined : await identity.sessions.find(cookie);
  if (session !== undefined) identity.sessions.used(session, visit.address);
  const incoming = currentRequest();
  if (incoming !== undefined && session !== undefined) incoming.user = session.user.id;
  return session;
}

/** `seconds`: how long the browser keeps it, also when it is closed meanwhile; 0 takes it back. */
export const cookieFor = ({ url, at }: House, name: string, value: string, seconds?: number): string =>
  cookieText(name, value, { path: at('/').replace(/(.)\/$/, '$1'), maxAge: seconds, secure: url.startsWith('https:') });

/** Kept as long as the session lasts, or until the browser is closed. */
export function cookieOfSession(house: House, { cookie, session }: Started): string {
  const left = (Date.parse(session.expires_at) - house.clock().getTime()) / 1000;
  return cookieFor(house, sessionCookie, cookie, session.remembered ? Math.floor(left) : undefined);
}

export const noSession = (house: House): string => cookieFor(house, sessionCookie, '', 0);

/** Where people find their own account; pages that the account leads to lead back by it. */
export const accountPath = '/account';

export function askerOf({ identity }: House, session: Session): Caller {
  const { user } = session;
  const held = identity.roles.capabilitiesOf(user.roles);
  const credential: Credential = { kind: 'session', user, session };
  const can = (capability: string): boolean =>
    held.has(capability) && !identity.checks.withholds(credential, capability);
  return { id: user.id, can, credential };
}

/** Clients of this family look for the interface at any page. */
export const missingPage = (house: House): PageAnswer =>
  page(house, {
    title: 'This page does not exist',
    status: 404,
    headers: interfaceLink(house),
    body: html`<p>The page may have moved, or the URL may have a typing error.</p>
<p><a class="link" href="${house.at('/')}">Go to the front page</a></p>`,
  });

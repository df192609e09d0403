// A page for whoever is signed in: others are led to the sign-in, and come back.
import type { Caller } from '#kernel/caller.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import type { Problem } from '#kernel/problem.ts';
import { type Html, html, type Part } from '#lib/html.ts';
import { identityErrors } from '../identity/errors.ts';
import { askerOf, type House, type HouseNow, opened } from './door.ts';
import { hidden } from './forms.ts';
import { redirect } from './layout.ts';
import { toSignIn } from './sign-in.ts';

/** The house, as the page has it for whoever looks. */
export interface Room extends House {
  /** A form that is sent to this page. What comes by any other is refused before the page hears of it. */
  form(inside: Part): Html;
}

type Answering = (visit: Visit, caller: Caller, site: Room) => PageAnswer | Promise<PageAnswer>;

/** What it throws as a `Problem` becomes a page. `sent`: answers what its forms send; without it there are none. */
export const signedIn = (houseNow: HouseNow, path: string, answering: Answering, sent?: Answering): Page => ({
  path,
  takesForms: sent !== undefined,
  visit: opened(houseNow, (visit, guest, house) => {
    if (guest === undefined) return redirect(toSignIn(house, askedFor(visit, path), false));
    const { token, isToken } = house.identity.sessions;
    const purpose = `page ${path}`;
    const form = (inside: Part): Html => html`<form method="post" action="${house.at(path)}">
${hidden('_wpnonce', token(guest, purpose))}${inside}
</form>`;
    const caller = askerOf(house, guest);
    if (visit.method === 'GET') return answering(visit, caller, { ...house, form });
    if (!isToken(guest, purpose, visit.form._wpnonce)) throw tooOld();
    return (sent ?? answering)(visit, caller, { ...house, form });
  }),
});

/** With the query, as far as it is one: a form that was sent is not sent again by coming back. */
const askedFor = ({ method, url }: Visit, path: string): string =>
  method === 'GET' ? path + (/\?[^#]*/.exec(url)?.[0] ?? '') : path;

const tooOld = (): Problem =>
  identityErrors
    .cookieInvalidNonce()
    .saying('This page was open for too long, so nothing was changed. Please open it again and try again.');

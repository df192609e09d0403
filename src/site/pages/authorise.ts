// A program asks a person for a credential of its own. The person says yes or no, and sees where the answer goes.

import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { isLoopback } from '#lib/loopback.ts';
import { existing } from '../identity/application-passwords/application-passwords.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import {
  alreadyPage,
  authorisePath,
  authorisePurpose,
  grantedPage,
  grantPage,
  unavailablePage,
  unreadablePage,
} from './authorise-sheets.ts';
import type { Guest, House } from './door.ts';
import { asFault, textOf, uuidIn } from './forms.ts';
import { asQuery, type Grant, grantIn, rejectedAt } from './grant.ts';
import { redirect } from './layout.ts';
import { toSignIn } from './sign-in.ts';
import { withArguments } from './targets.ts';

/** How old a sign-in may be that gives away a credential, in milliseconds. */
const freshFor = 12 * 60 * 60 * 1000;

export async function authorise(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  const sent = visit.method === 'POST' ? visit.form : visit.query;
  const grant = grantIn(sent, isLoopback(new URL(house.url).hostname));
  if ('fault' in grant) return unreadablePage(house, grant);
  if (!house.identity.applicationPasswords.available) return unavailablePage(house, grant);
  if (guest === undefined || !isFresh(guest, house))
    return redirect(toSignIn(house, `${authorisePath}?${asQuery(grant)}`, guest !== undefined));
  return visit.method === 'POST' ? decide(visit, guest, house, grant) : grantPage(house, guest, grant);
}

const isFresh = ({ created_at }: Session, { clock }: House): boolean =>
  clock().getTime() - Date.parse(created_at) <= freshFor;

async function decide(visit: Visit, guest: Session, house: House, grant: Grant): Promise<PageAnswer> {
  const isOurs = house.identity.sessions.isToken(guest, authorisePurpose, textOf(visit.form, '_wpnonce'));
  if (!isOurs) return grantPage(house, guest, grant, { stale: true });
  if (visit.form.reject !== undefined) return redirect(rejectedAt(grant) ?? house.at('/account'));
  if (visit.form.approve === undefined) return grantPage(house, guest, grant);
  return approve(visit.form, guest, house, grant);
}

async function approve(form: Visit['form'], guest: Session, house: House, grant: Grant): Promise<PageAnswer> {
  const { user } = guest;
  const wanted = { name: grant.name, app_id: grant.appId, ...uuidIn(form) };
  const doing = house.identity.doing({ kind: 'session', user, session: guest }, () => {});
  const made = await house.identity.applicationPasswords.add(user, wanted, doing).catch(asFault);
  if (made instanceof Problem && made.code === existing) return alreadyPage(house);
  if (made instanceof Problem) return grantPage(house, guest, grant, { nameFault: made.message });
  if (grant.success === undefined) return grantedPage(house, user, made);
  const password = made.password.replaceAll(' ', '');
  return redirect(withArguments(grant.success, { site_url: house.url, user_login: user.login, password }));
}

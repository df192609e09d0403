// One's own account: who one is, which programs act for one, a new password, and the ways out.

import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import type { Doing } from '../identity/doing.ts';
import { identityErrors } from '../identity/errors.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import type { Changing } from '../identity/users/users.ts';
import { type AccountFaults, accountPage, accountPurpose, type Typed } from './account-sheet.ts';
import { isReadingChosen, limitsIn } from './authorise-sheets.ts';
import { accountPath, cookieOfSession, type Guest, type House, noSession } from './door.ts';
import { asFault, textOf, uuidIn } from './forms.ts';
import { redirect } from './layout.ts';
import { newPassword } from './new-password.ts';
import { signInPath, toSignIn } from './sign-in.ts';

type Deed = (form: Visit['form'], guest: Session, house: House, from: string) => Promise<PageAnswer>;

/** What the forms of the page can ask for. */
const deeds = new Map<string, Deed>([
  ['add', add],
  ['revoke', revoke],
  ['revoke-all', revokeAll],
  ['password', changePassword],
  ['email', changeEmail],
  ['end-session', endSession],
  ['end-other-sessions', endOtherSessions],
  ['sign-out-everywhere', signOutEverywhere],
]);

export async function account(visit: Visit, guest: Guest, house: House): Promise<PageAnswer> {
  if (guest === undefined) return redirect(toSignIn(house, accountPath, false));
  if (visit.method === 'GET') return accountPage(house, guest, { done: textOf(visit.query, 'done') });
  const isOurs = house.identity.sessions.isToken(guest, accountPurpose, textOf(visit.form, '_wpnonce'));
  if (!isOurs)
    return accountPage(house, guest, {
      status: 403,
      faults: { all: 'This page was open for too long, so nothing was changed. Please try again.' },
    });
  const deed = deeds.get(textOf(visit.form, 'do'));
  return deed === undefined ? done(house) : deed(visit.form, guest, house, visit.address);
}

const done = ({ at }: House, what?: string, cookie?: string): PageAnswer =>
  redirect(what === undefined ? at(accountPath) : `${at(accountPath)}?done=${what}`, {
    status: 303,
    ...(cookie !== undefined && { headers: { 'Set-Cookie': cookie } }),
  });

const wrong = (house: House, guest: Session, faults: AccountFaults, typed?: Typed): Promise<PageAnswer> =>
  accountPage(house, guest, { status: 400, faults, ...(typed && { typed }) });

/** Answered at once and not by way of another page: a secret belongs into no address and no cookie. */
async function add(form: Visit['form'], guest: Session, house: House): Promise<PageAnswer> {
  const { applicationPasswords } = house.identity;
  if (!applicationPasswords.available) throw identityErrors.applicationPasswordsDisabled();
  const name = textOf(form, 'name');
  const made = await applicationPasswords
    .add(guest.user, { name, ...limitsIn(form), ...uuidIn(form) }, asGuest(guest, house))
    .catch(asFault);
  if (made instanceof Problem && made.code === identityErrors.applicationPasswordExists.code)
    return wrong(house, guest, { all: made.message });
  if (made instanceof Problem)
    return wrong(house, guest, { name: made.message }, { name, isReading: isReadingChosen(form) });
  return accountPage(house, guest, { made });
}

/** What is gone already is as it should be. */
async function revoke(form: Visit['form'], guest: Session, house: House): Promise<PageAnswer> {
  const { applicationPasswords } = house.identity;
  const found = await applicationPasswords.find(guest.user, textOf(form, 'uuid'));
  if (found !== undefined) await applicationPasswords.revoke(guest.user, found.uuid, asGuest(guest, house));
  return done(house, 'revoked');
}

async function revokeAll(_form: Visit['form'], guest: Session, house: House): Promise<PageAnswer> {
  await house.identity.applicationPasswords.revokeAll(guest.user, asGuest(guest, house));
  return done(house, 'revoked-all');
}

async function changePassword(form: Visit['form'], guest: Session, house: House, from: string): Promise<PageAnswer> {
  const { signIn, users } = house.identity;
  const chosen = await newPassword(form, guest.user, house.identity);
  if ('faults' in chosen) return wrong(house, guest, chosen.faults);
  if (!(await signIn.proves(guest.user, textOf(form, 'current'), from)))
    return wrong(house, guest, { current: 'This is not your current password.' });
  const { cookie, changing } = renewing(guest, house);
  const after = await users.change(guest.user, { password: chosen.password }, changing).catch(asFault);
  if (after instanceof Problem) return wrong(house, guest, { pass1: after.message });
  return done(house, 'password', cookie);
}

/** Whether somebody else has the address is told only to who proves that the account is theirs. */
async function changeEmail(form: Visit['form'], guest: Session, house: House, from: string): Promise<PageAnswer> {
  const { signIn, users } = house.identity;
  const email = textOf(form, 'email').trim();
  if (email === '') return wrong(house, guest, { email: 'Enter your email address.' });
  if (!(await signIn.proves(guest.user, textOf(form, 'sure'), from)))
    return wrong(house, guest, { sure: 'This is not your password.' }, { email });
  const isSame = email.toLowerCase() === guest.user.email.toLowerCase();
  const { cookie, changing } = isSame ? { cookie: undefined, changing: asGuest(guest, house) } : renewing(guest, house);
  const after = await users.change(guest.user, { email }, changing).catch(asFault);
  if (after instanceof Problem) return wrong(house, guest, { email: after.message }, { email });
  return done(house, isSame ? 'email-spelling' : 'email', cookie);
}

/** Only while the session is still one: a new password that somebody else set meanwhile has ended it, and stands. */
const asGuest = (session: Session, { identity }: House): Doing =>
  identity.doing({ kind: 'session', user: session.user, session }, () => {});

/** All other sessions end, and this one goes on by another cookie: whoever has a copy of the old one is out too. */
function renewing(guest: Session, house: House): { readonly cookie: string; readonly changing: Changing } {
  const renewed = house.identity.sessions.renewed(guest);
  const keep = { session: guest.id, hash: renewed.session.hash };
  return { cookie: cookieOfSession(house, renewed), changing: { ...asGuest(guest, house), keep } };
}

/** A session that has ended already, or is another user's, gets the same answer: it is none of this user's. */
async function endSession(form: Visit['form'], { id: own, user }: Session, house: House): Promise<PageAnswer> {
  const id = Number(/^\d{1,15}$/.exec(textOf(form, 'session'))?.[0] ?? 0);
  await house.identity.sessions.end({ id, user });
  return id === own ? signedOut(house) : done(house, 'session-ended');
}

async function endOtherSessions(_form: Visit['form'], { id, user }: Session, house: House): Promise<PageAnswer> {
  await house.identity.sessions.endAll(user, { session: id });
  return done(house, 'other-sessions-ended');
}

async function signOutEverywhere(_form: Visit['form'], { user }: Session, house: House): Promise<PageAnswer> {
  await house.identity.sessions.endAll(user);
  return signedOut(house);
}

const signedOut = (house: House): PageAnswer =>
  redirect(`${house.at(signInPath)}?loggedout=true`, { status: 303, headers: { 'Set-Cookie': noSession(house) } });

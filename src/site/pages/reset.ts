// The link of a reset message: choose a new password, once. What opens the page leaves its address at once and waits in a cookie,
// so that it stays in no history and on no screen.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import type { User } from '../identity/users/user.ts';
import { cookieFor, cookieIn, type House } from './door.ts';
import { alert, asFault, textOf, withoutReferrer } from './forms.ts';
import { page, redirect } from './layout.ts';
import { newPassword, type PasswordFaults, passwordFields } from './new-password.ts';
import { signInPath } from './sign-in.ts';

interface Link {
  readonly login: string;
  readonly key: string;
}

const cookie = 'site_reset';
/** As long as somebody takes to choose a password. */
const seconds = 3600;
const path = `${signInPath}?action=rp`;

export async function reset(visit: Visit, house: House): Promise<PageAnswer> {
  const given = linkIn(visit.form) ?? linkIn(visit.query);
  const link = given ?? kept(visit);
  const user = link && (await house.identity.resets.holderOf(link.login, link.key));
  if (link === undefined || user === undefined) return opensNothing(house);
  if (visit.method === 'POST') return complete(visit, house, link, user);
  if (given === undefined) return form(house, user, {});
  const value = Buffer.from(JSON.stringify([link.login, link.key])).toString('base64url');
  return redirect(house.at(path), {
    headers: { ...withoutReferrer, 'Set-Cookie': cookieFor(house, cookie, value, seconds) },
  });
}

async function complete(visit: Visit, house: House, link: Link, holder: User): Promise<PageAnswer> {
  const chosen = await newPassword(visit.form, holder, house.identity);
  if ('faults' in chosen) return form(house, holder, chosen.faults);
  const user = await house.identity.resets
    .complete(link.login, link.key, chosen.password, visit.address)
    .catch(asFault);
  if (user instanceof Problem) return form(house, holder, { pass1: user.message });
  if (user === undefined) return opensNothing(house);
  return redirect(`${house.at(signInPath)}?password=changed`, {
    status: 303,
    headers: { 'Set-Cookie': cookieFor(house, cookie, '', 0) },
  });
}

function linkIn(sent: Readonly<Record<string, unknown>>): Link | undefined {
  const [login, key] = [textOf(sent, 'login'), textOf(sent, 'key')];
  return login === '' || key === '' ? undefined : { login, key };
}

/** Anybody may send a cookie with anything in it. */
function kept(visit: Visit): Link | undefined {
  try {
    const [login, key] = JSON.parse(Buffer.from(cookieIn(visit, cookie) ?? '', 'base64url').toString()) as unknown[];
    return linkIn({ login, key });
  } catch {
    return undefined;
  }
}

const form = (house: House, holder: User, faults: PasswordFaults): PageAnswer =>
  page(house, {
    title: 'Choose a new password',
    status: Object.keys(faults).length > 0 ? 400 : 200,
    body: html`<p>For <strong>${holder.login}</strong>. This signs you out on all devices.</p>
<form method="post" action="${house.at(path)}">
<input type="text" name="username" value="${holder.login}" autocomplete="username" hidden>
${passwordFields(faults, true, holder, house.identity)}
<button class="full">Set password</button>
</form>`,
  });

const opensNothing = (house: House): PageAnswer =>
  page(house, {
    title: 'This link has expired',
    status: 400,
    headers: { ...withoutReferrer, 'Set-Cookie': cookieFor(house, cookie, '', 0) },
    body: html`${alert('Each link works once, within 24 hours, and only the newest link works.')}
<p><a class="button full" href="${house.at(signInPath)}?action=lostpassword">Request a new link</a></p>`,
  });

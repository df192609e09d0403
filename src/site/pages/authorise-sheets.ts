// What a person sees when a program asks for a credential.
import { randomUUID } from 'node:crypto';
import type { PageAnswer } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import type { NewApplicationPassword } from '../identity/application-passwords/application-passwords.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import type { User } from '../identity/users/user.ts';
import type { House } from './door.ts';
import { alert, check, field, hidden, textOf } from './forms.ts';
import { asQuery, disabledAt, type Grant, type Target, type Unreadable } from './grant.ts';
import { page } from './layout.ts';
import { toSignIn } from './sign-in.ts';

/** A new application password, the one time it is shown. */
export const secretNote = ({ name, password }: NewApplicationPassword): Html =>
  html`<div class="note" role="status"><p>The password for <strong>“<bdi>${name}</bdi>”</strong>. Copy it now: it cannot be shown again.</p>
<code class="secret">${password}</code></div>`;

/** What a new password for an app may do. `isChosen`: the form is shown again, and must not forget it. */
export const readingCheck = (isChosen = false): Html => check('limits', 'The app can only read', 'read', isChosen);

export const isReadingChosen = (sent: Readonly<Record<string, unknown>>): boolean => textOf(sent, 'limits') === 'read';

/** As it is kept with the password. */
export const limitsIn = (sent: Readonly<Record<string, unknown>>): { readonly rest_api_permissions?: 'read' } =>
  isReadingChosen(sent) ? { rest_api_permissions: 'read' } : {};

export const authorisePath = '/authorize-application';
export const authorisePurpose = 'authorise';

interface State {
  /** The form was made too long ago, or elsewhere. */
  readonly stale?: boolean;
  readonly nameFault?: string;
  /** It may only read. */
  readonly isReading?: boolean;
}

const staleWords = 'This page was open for too long, so nothing was changed. Please choose again.';

const goesTo = (target: Target | undefined): string => {
  if (target === undefined) return 'this page, which shows it once';
  return isApp(target) ? `the app on this device that opens ${target.shown} links` : target.shown;
};

const isApp = (target: Target | undefined): boolean =>
  target !== undefined && target.scheme !== 'http:' && target.scheme !== 'https:';

export function grantPage(
  house: House,
  guest: Session,
  grant: Grant,
  { stale, nameFault, isReading }: State = {},
): PageAnswer {
  const { name, login } = guest.user;
  const { appId, success, reject } = grant;
  const token = house.identity.sessions.token(guest, authorisePurpose);
  const another = toSignIn(house, `${authorisePath}?${asQuery(grant)}`, true);
  return page(house, {
    title: 'Let an app act for you?',
    status: stale ? 403 : nameFault === undefined ? 200 : 400,
    formsTo: [success, reject].flatMap((target) => target?.scheme ?? []),
    body: html`${stale && alert(staleWords)}
<p>${grant.name === '' ? 'An app' : html`<strong>“<bdi>${grant.name}</bdi>”</strong>`} asks for an app password. With it, the app can do everything that you can do on this site, until you revoke the password in your account.</p>
<dl class="stacked"><dt>It acts as</dt><dd><strong><bdi>${name}</bdi></strong> (${login})</dd>
<dt>The password goes to</dt><dd><strong>${goesTo(success)}</strong></dd></dl>
<form method="post" action="${house.at(authorisePath)}">
${[hidden('_wpnonce', token), hidden('uuid', randomUUID()), hidden('app_id', appId), hidden('success_url', success?.href ?? ''), hidden('reject_url', reject?.href ?? '')]}
${field({ name: 'app_name', label: 'Name of the app', value: grant.name, autocomplete: 'off', hint: 'Your account page shows the app with this name.', fault: nameFault, longest: 250, focus: nameFault !== undefined })}
${readingCheck(isReading)}
<div class="row"><button name="approve" value="1">Allow</button><button class="quiet" name="reject" value="1" formnovalidate>Refuse</button></div>
${isApp(success) && html`<p class="hint">If nothing happens after your choice, open the app yourself. If the app has no access, revoke its password in your account and start again in the app.</p>`}
</form>
<p><a class="link" href="${another}">Sign in with another account</a></p>`,
  });
}

export const grantedPage = (house: House, user: User, made: NewApplicationPassword): PageAnswer =>
  page(house, {
    title: 'The app can now act for you',
    body: html`${secretNote(made)}
<p>Give it to the app together with your user name, <strong>${user.login}</strong>.</p>
<p><a class="button full" href="${house.at('/account')}">Go to your account</a></p>`,
  });

/** The form was sent twice: what the first answer said is lost with it. */
export const alreadyPage = (house: House): PageAnswer =>
  page(house, {
    title: 'You allowed this app already',
    status: 400,
    body: html`<p>Its password was shown once and cannot be shown again. If the app does not have it, revoke the password in your account and start again in the app.</p>
<p><a class="button full" href="${house.at('/account')}">Go to your account</a></p>`,
  });

export const unreadablePage = (house: House, { fault }: Unreadable): PageAnswer =>
  page(house, {
    title: 'This link cannot be used',
    status: 400,
    body: html`${alert(fault)}<p>Nothing was changed. Tell the makers of the app.</p>
<p><a class="link" href="${house.at('/account')}">Go to your account</a></p>`,
  });

export function unavailablePage(house: House, grant: Grant): PageAnswer {
  const back = disabledAt(grant) ?? house.at('/account');
  return page(house, {
    title: 'App passwords are not available',
    status: 501,
    body: html`${alert('This site does not use HTTPS, so others on the network could read the password of an app.')}
<p>Ask the site operator to give the site a URL that begins with https://.</p>
<p><a class="button full" href="${back}">Go back</a></p>`,
  });
}

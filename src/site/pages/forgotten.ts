// A forgotten password: ask for a link by mail. What is answered never tells whether there is such a user.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import type { House } from './door.ts';
import { field, textOf } from './forms.ts';
import { page, redirect } from './layout.ts';
import { signInPath } from './sign-in.ts';

export async function forgotten(visit: Visit, house: House): Promise<PageAnswer> {
  if (visit.method === 'GET') return form(house, textOf(visit.query, 'user_login'));
  const named = textOf(visit.form, 'user_login').trim();
  if (named === '') return form(house, '', 'Please type your user name or your email address.');
  await house.identity.resets.request(named, visit.address);
  return redirect(`${house.at(signInPath)}?checkemail=confirm`, { status: 303 });
}

const form = (house: House, value: string, fault?: string): PageAnswer =>
  page(house, {
    title: 'A new password',
    status: fault === undefined ? 200 : 400,
    body: html`<p>Tell us who you are, and we send you a message with a link to choose a new password.</p>
<form method="post" action="${house.at(signInPath)}?action=lostpassword">
${field({ name: 'user_login', label: 'User name or email address', value, autocomplete: 'username', fault, focus: true })}
<button class="full">Send the link</button>
</form>
<p><a class="link" href="${house.at(signInPath)}">Back to sign in</a></p>`,
  });

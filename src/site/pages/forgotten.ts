// A forgotten password: ask for a link by mail. What is answered never tells whether there is such a user.
import type { PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import { besidesOf } from './besides.ts';
import type { House } from './door.ts';
import { asFault, field, textOf } from './forms.ts';
import { page, redirect } from './layout.ts';
import { signInPath } from './sign-in.ts';

export async function forgotten(visit: Visit, house: House): Promise<PageAnswer> {
  const { checks, resets } = house.identity;
  if (visit.method === 'GET') return form(visit, house, textOf(visit.query, 'user_login'));
  const named = textOf(visit.form, 'user_login').trim();
  if (named === '') return form(visit, house, '', 'Please type your user name or your email address.');
  const refused = await checks.lost({ form: visit.form, from: visit.address }).catch(asFault);
  if (refused instanceof Problem) return form(visit, house, named, refused.message);
  await resets.request(named, visit.address);
  return redirect(`${house.at(signInPath)}?checkemail=confirm`, { status: 303 });
}

function form(visit: Visit, house: House, value: string, fault?: string): PageAnswer {
  const besides = besidesOf(house, 'lost-password', visit);
  return page(house, {
    title: 'A new password',
    ...besides.sheet,
    status: fault === undefined ? 200 : 400,
    body: html`<p>Tell us who you are, and we send you a message with a link to choose a new password.</p>
<form method="post" action="${house.at(signInPath)}?action=lostpassword">
${field({ name: 'user_login', label: 'User name or email address', value, autocomplete: 'username', fault, focus: true })}
${besides.body}<button class="full">Send the link</button>
</form>
<p><a class="link" href="${house.at(signInPath)}">Back to sign in</a></p>`,
  });
}

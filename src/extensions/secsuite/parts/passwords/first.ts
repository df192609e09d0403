// Where somebody is led whose password is right, and no longer enough: to the page that sets a new one.
import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import { Refused } from '#site/pages/door.ts';
import { alert } from '#site/pages/forms.ts';
import { page } from '#site/pages/layout.ts';
import type { Due } from './requirements.ts';

const reasons: Readonly<Record<Due, string>> = {
  force: 'Everybody here is asked to choose a new password.',
  age: 'Your password is old by now. Please choose a new one.',
  strength: 'Your password is too easy to guess. Please choose a harder one.',
  hibp: 'Your password has become known elsewhere: it is in lists that are tried first. Please choose another one.',
};

const tooOften =
  'You were given several links for this within the hour, so there is no further one yet. Please use the newest, or come back later.';

/** `link`: the path of the page; nothing after too many in an hour. */
export function newPasswordFirst(due: Due, link: string | undefined): Refused {
  const problem = new Problem(403, 'secsuite_password_change_required', reasons[due], { reason: due });
  return new Refused(problem, (house) =>
    page(house, {
      title: 'A new password is needed',
      status: 403,
      body: html`${alert(reasons[due])}
${link === undefined ? html`<p>${tooOften}</p>` : html`<p><a class="button full" href="${house.at(link)}">Choose a new password</a></p>`}`,
    }),
  );
}

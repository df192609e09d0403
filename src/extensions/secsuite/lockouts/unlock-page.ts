// Where people ask for a link that unlocks their account, and where it leads them.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { type House, type HouseNow, opened } from '#site/pages/door.ts';
import { alert, hidden, note, textOf } from '#site/pages/forms.ts';
import { page } from '#site/pages/layout.ts';
import { toSignIn } from '#site/pages/sign-in.ts';
import type { UnlockLinks } from './links.ts';
import { unlockPath } from './lock-response.ts';

interface Needs {
  readonly links: UnlockLinks;
  /** Does what nobody waits for. */
  follow(work: () => Promise<void>): void;
}

export function unlockPages({ links, follow }: Needs, houseNow: HouseNow): Page[] {
  const asked = (visit: Visit, house: House): PageAnswer => {
    const login = textOf(visit.form, 'log');
    // Whether a link is made does not show, not even in the time it takes.
    if (login !== '') follow(() => links.request(login));
    return page(house, {
      title: 'Please look at your mail',
      body: note(
        'If this account is locked, a message with a link is on its way to its owner. The link works once, and for half an hour. If nothing comes, please look among the unwanted mail.',
      ),
    });
  };
  const used = async ({ form, address }: Visit, house: House): Promise<PageAnswer> =>
    (await links.use(textOf(form, 'key'), address)) ? unlocked(house) : over(house);
  const visited = async (visit: Visit, house: House): Promise<PageAnswer> => {
    if (visit.method === 'POST') return textOf(visit.form, 'key') === '' ? asked(visit, house) : used(visit, house);
    const key = textOf(visit.query, 'key');
    return (await links.isValid(key)) ? confirming(house, key) : over(house);
  };
  return [
    { path: unlockPath, takesForms: true, visit: opened(houseNow, (visit, _guest, house) => visited(visit, house)) },
  ];
}

/** Programs that look through mail open links: they would use it up. */
const confirming = (house: House, key: string): PageAnswer =>
  page(house, {
    title: 'Unlock your account',
    body: html`<p>Somebody entered a wrong password for your account too often, so it was locked. Here you unlock it for yourself.</p>
<form method="post" action="${house.at(unlockPath)}">
${hidden('key', key)}
<button class="full">Unlock my account</button>
</form>`,
  });

const unlocked = (house: House): PageAnswer =>
  page(house, {
    title: 'Your account is unlocked',
    body: html`${note('You can sign in from here now.')}
<p><a class="button full" href="${toSignIn(house, '/account', false)}">Sign in</a></p>`,
  });

const over = (house: House): PageAnswer =>
  page(house, {
    title: 'This link works no more',
    status: 404,
    // Where one signs in may be a secret, and this page is anybody's.
    body: alert('It was used already, or it is older than half an hour. Please ask for a new one where you sign in.'),
  });

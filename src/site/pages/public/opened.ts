// Posts behind a password: what opens them on pages, and the form that asks for it. The browser keeps a print of the password
// that only the site can make.

import type { Visit } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import { day, second } from '#lib/spans.ts';
import { isSame, keyedHash } from '../../platform/keys.ts';
import { cookieFor, cookieIn } from '../door.ts';
import { hidden } from '../forms.ts';
import { type Ground, ours } from './needs.ts';

export const passwordCookie = 'site_opened';

/** Posts with so many passwords are open at once. */
const most = 5;

/** In days. */
const lasting = 10;

/** Made on a day of the calendar: after those that it lasts it opens nothing, wherever it is kept. */
const printOf = (key: Buffer, password: string, made: number): string =>
  keyedHash(key, `post password ${made} ${password}`);

const dayOf = (now: Date): number => Math.floor(now.getTime() / day);

const printsIn = (visit: Visit): string[] =>
  (cookieIn(visit, passwordCookie) ?? '')
    .split('.')
    .slice(0, most)
    .filter((print) => /^[\da-f]{64}$/.test(print));

/** Those of a password that open something today. */
function printsOf({ keys: { sessions: key }, house }: Opening, password: string): string[] {
  const today = dayOf(house.clock());
  return Array.from({ length: lasting + 1 }, (_, ago) => printOf(key, password, today - ago));
}

type Opening = Pick<Ground, 'keys' | 'house'>;

export function isOpened(ground: Opening, visit: Visit, password: string): boolean {
  const [held, good] = [printsIn(visit), printsOf(ground, password)];
  // All are looked at, whichever fits.
  return held.filter((one) => good.filter((print) => isSame(one, print)).length > 0).length > 0;
}

/** The cookie that opens what this password closes, besides what was open before. */
export function opening(ground: Opening, visit: Visit, password: string): string {
  const own = printsOf(ground, password);
  const prints = [own[0]!, ...printsIn(visit).filter((one) => !own.includes(one))].slice(0, most);
  return cookieFor(ground.house, passwordCookie, prints.join('.'), (lasting * day) / second);
}

/** `address`: where it leads back to. */
export function passwordForm(ground: Ground, address: string, isWrong: boolean): Html {
  const { house } = ground;
  return html`<div class="small"${ours(ground)}>
<p>Enter the password to read this.</p>
<form class="ask" method="post" action="${house.at('/wp-login.php')}?action=postpass">
${hidden('redirect_to', address)}
<div><label for="post_password">Password</label>
<input id="post_password" name="post_password" type="password" autocomplete="off" maxlength="255" required${
    isWrong && html` aria-invalid="true" aria-describedby="post_password-fault" autofocus`
  }>
${isWrong && html`<p class="fault" id="post_password-fault">The password is wrong. Please try again.</p>`}</div>
<button>Open</button>
</form>
</div>`;
}

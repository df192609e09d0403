// Every page about who somebody is, and the addresses it answers at: our own, and those that clients of this family know.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { restPurpose } from '../identity/sessions/sessions.ts';
import { authorizationPath } from '../platform/site-facts.ts';
import { account } from './account.ts';
import { accountPath } from './account-path.ts';
import { administration, administrationPath } from './administration.ts';
import { authorise } from './authorise.ts';
import { authorisePath } from './authorise-sheets.ts';
import { type Guest, type House, type HouseNow, knowing, opened, type Visited } from './door.ts';
import { forgotten } from './forgotten.ts';
import { textOf } from './forms.ts';
import { plainText, redirect } from './layout.ts';
import { reset } from './reset.ts';
import { signIn, signInPath } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** `postPassword`: what opens posts that a password closes. */
export function personalPages(houseNow: HouseNow, postPassword: Visited): Page[] {
  const at = (path: string, takesForms: boolean, visited: Visited): Page => {
    return { path, takesForms, visit: opened(houseNow, visited) };
  };
  const toAccount: Visited = (_visit, _guest, house) => redirect(house.at(accountPath));
  return [
    at(signInPath, true, doorWith(postPassword)),
    at('/wp-login.php', true, doorWith(postPassword)),
    at(authorisePath, true, authorise),
    at(authorizationPath, true, authorise),
    at(accountPath, true, account),
    at(administrationPath, false, administration),
    at(`${administrationPath}/index.php`, false, administration),
    at(`${administrationPath}/post-new.php`, false, administration),
    at('/wp-admin/profile.php', false, toAccount),
    at('/wp-admin/admin-ajax.php', false, restToken),
  ];
}

/** The page to sign in at, at another address: all it says leads back there. */
export const hiddenDoor = (houseNow: HouseNow, path: string): Page => ({
  path,
  takesForms: true,
  visit: opened(houseNow, (visit, guest, house) => door(visit, guest, guest === undefined ? knowing(house) : house)),
});

const doorWith =
  (postPassword: Visited): Visited =>
  (visit, guest, house) =>
    actionIn(visit) === 'postpass' ? postPassword(visit, guest, house) : door(visit, guest, house);

const actionIn = ({ query, form }: Visit): string => textOf(query, 'action') || textOf(form, 'action');

/** One address with several pages behind it, as this family has it. What it does not know is a sign-in. */
function door(visit: Visit, guest: Guest, house: House): PageAnswer | Promise<PageAnswer> {
  switch (actionIn(visit)) {
    case 'logout':
      return signOut(visit, guest, house);
    case 'lostpassword':
    case 'retrievepassword':
      return forgotten(visit, house);
    case 'rp':
    case 'resetpass':
      return reset(visit, house);
    default:
      return signIn(visit, guest, house);
  }
}

// Scripts on pages of the site send this token with their session, so that the interface knows the signed-in user.

function restToken({ query }: Visit, guest: Guest, { identity }: House): PageAnswer {
  if (guest === undefined || textOf(query, 'action') !== 'rest-nonce') return plainText(400, '0');
  return plainText(200, identity.sessions.token(guest, restPurpose));
}

// Where people ask for a link that unlocks their account, and where it leads them.
// The link comes by email and works once, for 30 minutes.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { day, minute } from '#lib/spans.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import { type House, type HouseNow, opened } from '#site/pages/door.ts';
import { alert, hidden, note, textOf } from '#site/pages/forms.ts';
import { page } from '#site/pages/layout.ts';
import { toSignIn } from '#site/pages/sign-in.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { addressOf, subnetIn } from '../addresses/block.ts';
import type { Send } from '../notifications/sending.ts';
import type { Enforced } from './enforced.ts';
import { unlockPath } from './lock-response.ts';
import { release } from './rows.ts';
import type { LockoutTables } from './tables.ts';

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
      title: 'Look at your email',
      body: note(
        'If this account is locked, its owner receives an email with a link. The link works once, within 30 minutes. If no email arrives, look in the spam folder.',
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
    body: html`<p>Your account was locked after too many wrong passwords. You can unlock it here.</p>
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
    title: 'This link has expired',
    status: 404,
    // Where one signs in may be a secret, and this page is anybody's.
    body: alert('Each link works once, within 30 minutes. Request a new link on the sign-in page.'),
  });

export interface UnlockLinks {
  /** Emails a link to the user with this name, if their account is locked. The caller does not learn whether it did. */
  request(login: string): Promise<void>;
  /** Whether the link would unlock an account. */
  isValid(key: string): Promise<boolean>;
  /** Unlocks the account and spares it from lockouts at this IP address for a day. False if the link is not valid. */
  use(key: string, address: string): Promise<boolean>;
}

interface UnlockLinkDeps {
  readonly store: Store<LockoutTables>;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'users' | 'oneTimeTokens'>;
  /** The public address of the site. */
  readonly url: string;
  readonly enforced: Pick<Enforced, 'user' | 'refresh'>;
  isRunning(module: string): boolean;
  /** Emails a notification. */
  readonly send: Send;
}

const sparedFor = day;
/** Links that are made at the same time. Further requests are dropped. */
const maxPending = 100;
/** No login and no email address is longer. */
const maxLoginLength = 320;

export function createUnlockLinks(deps: UnlockLinkDeps): UnlockLinks {
  const { store, clock, identity, enforced } = deps;
  const tokens = identity.oneTimeTokens({ name: 'unlock', life: 30 * minute, mostInAnHour: 5 });
  const isOn = () => deps.isRunning('magic-links');
  let pending = 0;
  const sendLink = async (login: string): Promise<void> => {
    const user = isOn() ? await identity.users.named(login) : undefined;
    if (user === undefined || user.email === '' || !enforced.user(user.id)) return;
    const key = await tokens.make({ user: user.id });
    const email = { to: user.email, awaited: true } as const;
    if (key !== undefined) await deps.send('magic-link-login-page', { ...email, tags: tagsOf(user, key, deps) });
  };
  return {
    async request(login) {
      if (pending >= maxPending) return;
      pending += 1;
      await sendLink(login.slice(0, maxLoginLength)).finally(() => {
        pending -= 1;
      });
    },
    isValid: async (key) => isOn() && (await tokens.find(key)) !== undefined,
    async use(key, address) {
      if (!isOn()) return false;
      const isUsed = await store.write(async (tx, during) => {
        const token = await tokens.consume(key);
        if (token === undefined) return false;
        await release(tx, during, { user: token.user }, instant(clock()));
        if (addressOf(address) === undefined) return true;
        const until = instant(new Date(clock().getTime() + sparedFor));
        const row = { user_id: token.user, address: subnetIn(address), until };
        const spared = tx.insertInto('secsuite_lockouts_spared').values(row);
        await spared.onConflict((on) => on.columns(['user_id', 'address']).doUpdateSet({ until })).execute();
        return true;
      });
      if (isUsed) await enforced.refresh();
      return isUsed;
    },
  };
}

const tagsOf = ({ login, name }: User, key: string, { url }: UnlockLinkDeps): Record<string, string> => ({
  username: login,
  display_name: name,
  login_url: `${url}${unlockPath}?key=${key}`,
});

// A forgotten password: a link by mail that works once, for a day. Nobody learns whether there is such a user.
import { Unavailable } from '#lib/failures.ts';
import { networkOf } from '#lib/ip-address.ts';
import { day } from '#lib/spans.ts';
import type { Store } from '#store/store.ts';
import type { Mail } from '../../email/mail.ts';
import type { About } from '../../platform/about.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events, Origin } from '../../platform/events.ts';
import type { Keys } from '../../platform/keys.ts';
import type { Doing } from '../doing.ts';
import { createOneTimeTokens, resetPurpose } from '../one-time-tokens.ts';
import { until } from '../sign-in/sign-in.ts';
import type { IdentityTables } from '../tables.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';

export interface Resets {
  /**
   * Sends the link when there is such a user with an address, at most five in an hour. Says nothing either way, and at the same time:
   * the link is made while nobody waits for it, so that a store that is slow does not tell.
   */
  request(loginOrEmail: string, from: Origin): Promise<void>;
  /** The same for somebody whose password was replaced by one that nobody knows. Whoever did that is told when it fails. */
  replaced(user: User, from: Origin): Promise<void>;
  /** Whose link this is; nothing when it is unknown, old or used. */
  holderOf(login: string, key: string): Promise<User | undefined>;
  /** Sets the password, uses the link up and ends every session; nothing when the link opens nothing. */
  complete(login: string, key: string, password: string, from: Origin): Promise<User | undefined>;
}

type Site = Pick<About, 'url' | 'title' | 'door'>;

interface Needs {
  readonly store: Store<IdentityTables>;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly users: Users;
  readonly events: Events;
  readonly mail: Mail;
  readonly about: () => Site | Promise<Site>;
  /** How long a request takes, in milliseconds, so that beginning to make a link does not show. */
  readonly refusalTakes: number;
}

/** Longer than any login or email address. */
const longest = 320;
/** Links that are being made at once; more are not begun. */
const mostAtOnce = 100;

export function createResets(needs: Needs): Resets {
  const { users, events, mail, about, refusalTakes } = needs;
  const tokens = createOneTimeTokens(needs, { name: resetPurpose, life: day, mostInAnHour: 5, isSingle: true });
  let underWay = 0;

  /** Replaces the links before it; nothing when there were too many in this hour. */
  const make = (user: User): Promise<string | undefined> => tokens.make({ user: user.id, binding: bindingOf(user) });

  async function send(user: User, from: Origin, letter: Letter = asked): Promise<void> {
    const key = await make(user);
    if (key === undefined) return;
    events.emit('password.reset_requested', { user, from });
    const site = await about();
    const { email, name } = user;
    const text = [`Hello ${name},`, ...letter(user, site, `${site.url}${pathOf(user, key, site)}`)].join('\n\n');
    await mail.send({ to: email, awaited: true, subject: `[${site.title}] Choose a new password`, text });
  }

  /** Who asked is not told when it fails: that would say that there is such a user. */
  function sendSoon(user: User, from: Origin): void {
    events.follow('password.reset_requested', async () => {
      if (underWay >= mostAtOnce) throw new Unavailable('Too many requests for password links at the same time.');
      underWay += 1;
      await send(user, from).finally(() => {
        underWay -= 1;
      });
    });
  }

  /** Looks as far where there is no such user, so that the time it takes does not tell. */
  async function holderOf(login: string, key: string): Promise<User | undefined> {
    if (login.length > longest) return undefined;
    const user = await users.named(login);
    const found = await tokens.find(key, bindingOf(user ?? nobody));
    return found === undefined ? undefined : user;
  }

  return {
    async request(loginOrEmail, from) {
      const begun = performance.now();
      const user = await users.named(loginOrEmail.slice(0, longest));
      if (user && user.email !== '') sendSoon(user, from);
      await until(begun + refusalTakes);
    },
    async replaced(user, from) {
      if (user.email !== '') await send(user, from, replaced);
    },
    holderOf,
    async complete(login, key, password, from) {
      const user = await holderOf(login, key);
      if (user === undefined) return undefined;
      // In the write that sets the password: used up before, a refused password would cost the link.
      const again: Doing['again'] = async (_, target) => {
        if (target === undefined || (await tokens.consume(key, bindingOf(target))) === undefined) throw new UsedUp();
      };
      const doing = { by: user.id, again, who: networkOf(from) };
      return users.change(user, { password }, doing).catch(nothingWhenUsedUp);
    },
  };
}

/** The link opened something a moment ago, and opens nothing now. */
class UsedUp extends Error {}

function nothingWhenUsedUp(error: unknown): undefined {
  if (!(error instanceof UsedUp)) throw error;
}

const nobody = { id: 0, email: '' };

/** With the email address, so that a link sent to a former one does nothing. */
const bindingOf = ({ id, email }: Pick<User, 'id' | 'email'>): string => `${id} ${email}`;

const pathOf = ({ login }: User, key: string, { door }: Site): string =>
  `${door}?action=rp&key=${key}&login=${encodeURIComponent(login)}`;

type Letter = (user: User, site: Site, link: string) => readonly string[];

const asked: Letter = ({ login }, { title, url }, link) => [
  `we received a request for a new password for your account "${login}" at ${title} (${url}).`,
  'To choose a new password, open this link. It works once, within 24 hours:',
  link,
  'If you did not request this, no action is needed. Your password is unchanged.',
];

const replaced: Letter = ({ login }, { title, url, door }, link) => [
  `the password of your account "${login}" at ${title} (${url}) no longer works: a security manager ended it, or you denied a device.`,
  'To choose a new password, open this link. It works once, within 24 hours:',
  link,
  `After 24 hours, request another link on the sign-in page:
${url}${door}`,
];

// Links by email that sign users in: each works once, for 15 minutes, in the browser that asked for it. No word of HTTP here but the cookie.
import { randomBytes } from 'node:crypto';
import { defineError } from '#kernel/problem.ts';
import { currentRequest } from '#kernel/request.ts';
import { cookieOf } from '#lib/http-headers.ts';
import { networkOf } from '#lib/ip-address.ts';
import { hour, minute } from '#lib/spans.ts';
import type { Services } from '#site/extension.ts';
import { linkPurpose } from '#site/identity/one-time-tokens.ts';
import type { User } from '#site/identity/users/user.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';
import { isSame, keyedHash } from '#site/platform/keys.ts';
import { flag } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Settings } from '../../settings/types.ts';
import type { Switches } from '../../switches/switches.ts';
import type { PasswordlessTables } from './tables.ts';

export const linkErrors = {
  linkInvalid: defineError(
    400,
    'secsuite.passwordless-login.link-invalid',
    'This link was used before, is older than 15 minutes, or was requested in another browser. Request a new link.',
  ),
};

export const linkPath = '/sign-in-link';
export const browserCookie = 'site_link';
export const linkLife = 15 * minute;
const maxLinksInAnHour = 5;
/** Of one network, whichever users are named. */
const maxRequestsInAnHour = 20;
/** Links that are made at the same time. Further requests are dropped. */
const maxPending = 100;
/** Longer than any login or email address. */
const maxLoginLength = 320;

export interface LinkDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly switches: Pick<Switches, 'isRunning'>;
  readonly matches: Matchables['matches'];
  readonly send: Send;
  /** While the operator has turned the suite off, no link signs a user in. */
  readonly isSuiteOn: boolean;
}

/** Stored with the link. */
interface LinkPayload {
  readonly browser: string;
  /** Where the user goes after signing in; empty for their account. */
  readonly goal: string;
}

/** What is at the end of a link that still works. */
export interface OpenLink {
  readonly user: User;
  readonly goal: string;
  readonly isThisBrowser: boolean;
}

export type SignInLinks = ReturnType<typeof createSignInLinks>;
type LinkServices = Pick<
  Services,
  'store' | 'clock' | 'keys' | 'identity' | 'site' | 'about' | 'mail' | 'rateLimits' | 'log'
>;

/** With the email address, so that a link sent to a former one does nothing. */
const bindingOf = ({ id, email }: Pick<User, 'id' | 'email'>): string => `${id} ${email}`;

const browserForm = /^[\w-]{43}$/;

/** The secret that this browser holds; nothing if it holds none. */
function browserSecret(): string | undefined {
  const cookie = cookieOf(currentRequest()?.headers.cookie as string | undefined, browserCookie);
  return cookie !== undefined && browserForm.test(cookie) ? cookie : undefined;
}

export function createSignInLinks(services: LinkServices, deps: LinkDeps) {
  const { identity, keys } = services;
  const choice = createChoice(services, deps);
  const tokens = identity.oneTimeTokens({ name: linkPurpose, life: linkLife, mostInAnHour: maxLinksInAnHour });
  const hashOf = (secret: string): string => keyedHash(keys.sessions, `sign-in link browser ${secret}`);

  async function find(user: User | undefined, token: string): Promise<Omit<OpenLink, 'user'> | undefined> {
    const found = await tokens.find(token, bindingOf(user ?? { id: 0, email: '' }));
    if (found === undefined) return undefined;
    const { browser, goal } = found.payload as LinkPayload;
    const secret = browserSecret();
    return { goal, isThisBrowser: secret !== undefined && isSame(browser, hashOf(secret)) };
  }

  return {
    ...choice,
    ...createRequest(services, deps, { isAllowed: choice.isAllowed, make: tokens.make, hashOf }),
    /** The link of a message. `id`: as the link says it. */
    async open(id: string, token: string): Promise<OpenLink | undefined> {
      const user = choice.isOffered() && /^\d{1,15}$/.test(id) ? await identity.users.find(Number(id)) : undefined;
      const link = await find(user, token);
      return user && link && { ...link, user };
    },
    /** Uses the link of a sign-in form up. */
    async prove(user: User | undefined, form: Readonly<Record<string, unknown>>): Promise<User> {
      const token = typeof form.token === 'string' ? form.token : '';
      const link = choice.isOffered() ? await find(user, token) : undefined;
      // It is used up only by the browser that may use it.
      if (user === undefined || !link?.isThisBrowser || !(await choice.isAllowed(user))) throw linkErrors.linkInvalid();
      if ((await tokens.consume(token, bindingOf(user))) === undefined) throw linkErrors.linkInvalid();
      return user;
    },
    /** How the user is named in the sign-in form: a setting of `core-tweaks` says which names may be used there. */
    nameOf({ login, email }: User): string {
      const { settings, switches } = deps;
      const isByEmail =
        switches.isRunning('core-tweaks') && settings.of('core-tweaks').valid_user_login_type === 'email';
      return isByEmail ? email : login;
    },
  };
}

interface RequestParts {
  readonly isAllowed: (user: User) => Promise<boolean>;
  readonly make: ReturnType<Services['identity']['oneTimeTokens']>['make'];
  hashOf(secret: string): string;
}

function createRequest(
  { identity, rateLimits, site, store }: LinkServices,
  { send }: LinkDeps,
  { isAllowed, make, hashOf }: RequestParts,
) {
  let pending = 0;
  async function sendLink(login: string, payload: LinkPayload): Promise<void> {
    const user = await identity.users.named(login);
    if (user === undefined || user.email === '' || !(await isAllowed(user))) return;
    const token = await make({ user: user.id, binding: bindingOf(user) }, payload);
    if (token === undefined) return;
    const login_url = `${site.url}${linkPath}?user=${user.id}&key=${token}`;
    const tags = { username: user.login, display_name: user.name, login_url };
    const text = `${login_url}\n\nThe link works once, within 15 minutes, in the browser in which you requested it.`;
    await send('passwordless-login', { to: user.email, awaited: true, tags, text });
  }
  return {
    /** The secret that binds a link to this browser: the one that it holds, or a new one. */
    browser: (): string => browserSecret() ?? randomBytes(32).toString('base64url'),
    /** Throws if there were too many requests from this network, whomever they named. */
    async demandFew(from: string): Promise<void> {
      const subject = `sign-in links ${networkOf(from)}`;
      if (await store.write(() => rateLimits.take(subject, maxRequestsInAnHour, hour))) return;
      throw outgoingErrors.tooManyRequests(
        'You requested more than 20 sign-in links within 1 hour. Please wait 1 hour.',
      );
    },
    /** Emails a link, if this user may sign in by one. The caller does not learn whether it did. */
    async request(login: string, browser: string, goal: string): Promise<void> {
      if (pending >= maxPending) return;
      pending += 1;
      await sendLink(login.slice(0, maxLoginLength), { browser: hashOf(browser), goal }).finally(() => {
        pending -= 1;
      });
    },
  };
}

/** Who may sign in by a link. */
function createChoice(services: LinkServices, { settings, switches, matches, isSuiteOn }: LinkDeps) {
  const { mail, about, log } = services;
  const store = services.store as unknown as Store<PasswordlessTables>;
  const now = () => settings.of('passwordless-login');
  const isOffered = (): boolean =>
    isSuiteOn && switches.isRunning('passwordless-login') && now().methods.includes('magic');
  const isInGroup = (user: User): boolean => now().group.length === 0 || matches(now().group, user);
  const hasAllowed = async ({ id }: Pick<User, 'id'>): Promise<boolean> => {
    const rows = store.db.selectFrom('secsuite_sign_in_links').select('allowed').where('user_id', '=', id);
    const row = await rows.executeTakeFirst();
    return row === undefined ? now().availability === 'enabled' : row.allowed === 1;
  };
  async function tell({ name, login, email }: User, isAllowed: boolean): Promise<void> {
    if (email === '') return;
    const { title, url } = await about();
    const [subject, sentence] = isAllowed
      ? ['Links by email can sign you in', 'links by email can sign you in to your account from now on.']
      : ['Links by email no longer sign you in', 'links by email no longer sign you in to your account.'];
    const text = [
      `Hello ${name},`,
      sentence,
      `If this was you, no action is needed. If not, change your password at ${url}/account.`,
      `You get this message because it is about your account "${login}" at ${title} (${url}).`,
    ].join('\n\n');
    await mail
      .send({ to: email, subject: `[${title}] ${subject}`, text })
      .catch((error) => log.error({ err: error }, 'An email about sign-in links could not be queued'));
  }
  return {
    isOffered,
    /** Whether the sign-in page asks for the name first. */
    asksNameFirst: (): boolean =>
      isSuiteOn && switches.isRunning('passwordless-login') && now().flow === 'username-first',
    isInGroup,
    hasAllowed,
    isAllowed: async (user: User): Promise<boolean> => isOffered() && isInGroup(user) && (await hasAllowed(user)),
    async allow(user: User, isAllowed: boolean): Promise<void> {
      const isChanged = isAllowed !== (await hasAllowed(user));
      const values = { allowed: flag(isAllowed) };
      await store.write((tx) =>
        tx
          .insertInto('secsuite_sign_in_links')
          .values({ user_id: user.id, ...values })
          .onConflict((on) => on.column('user_id').doUpdateSet(values))
          .execute(),
      );
      if (isChanged) await tell(user, isAllowed);
    },
    forget: ({ id }: Pick<User, 'id'>): Promise<unknown> =>
      store.write((tx) => tx.deleteFrom('secsuite_sign_in_links').where('user_id', '=', id).execute()),
  };
}

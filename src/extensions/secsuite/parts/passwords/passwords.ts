// Passwords: what is asked of them, put together as the site asks for it.

import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import type { Services } from '#site/extension.ts';
import { note, ok, type Remote, type Seen, warning } from '#site/health/check.ts';
import type { Check } from '#site/identity/checks.ts';
import type { Identity } from '#site/identity/identity.ts';
import { Refused } from '#site/pages/door.ts';
import { alert } from '#site/pages/forms.ts';
import { page } from '#site/pages/layout.ts';
import type { Store } from '#store/store.ts';
import type { Matchables } from '../../groups/matchables.ts';
import type { Event } from '../../logs/entry.ts';
import type { Settings } from '../../settings/types.ts';
import { type Breached, createBreached } from './breached.ts';
import { createHeld, enforcedBy, forcedBy, type Held, type PasswordSettings } from './held.ts';
import { createKnownPasswords, type KnownPasswords } from './known.ts';
import { createRequirements, type Due } from './requirements.ts';
import { createStrength, type Strength } from './strength.ts';
import type { PasswordTables } from './tables.ts';

export interface Passwords {
  readonly known: KnownPasswords;
  readonly strength: Pick<Strength, 'of'>;
  /** Whether lists of breached passwords can be asked, where somebody is held to them. */
  look(): Promise<Seen>;
  remotes(): Promise<readonly Remote[]>;
  end(): Promise<void>;
}

interface Needs extends Pick<Services, 'clock' | 'outgoing' | 'events' | 'about'> {
  readonly store: Store<PasswordTables>;
  readonly identity: Pick<Identity, 'checks' | 'users' | 'signIn' | 'resets'>;
  readonly settings: Pick<Settings, 'of' | 'along' | 'shows'>;
  readonly matches: Matchables['matches'];
  /** Switched off by the operator, nothing is asked of passwords. */
  readonly isOn: boolean;
  /** Where lists of breached passwords are, as the operator laid it down. */
  readonly breachedUrl: string | undefined;
  /** Once settings and groups are known: passwords are chosen at the command line too, where nobody waited for them. */
  readonly ready: Promise<unknown>;
  log(event: Event): void;
}

export function createPasswordRules(needs: Needs): Passwords {
  const { clock, identity, events, about, isOn, breachedUrl, settings, ready, log } = needs;
  const held = createHeld(needs);
  const known = createKnownPasswords(needs);
  const strength = createStrength();
  const breached = createBreached({ ...needs, base: breachedUrl });
  const requirements = createRequirements({
    clock,
    held,
    known,
    strength,
    breached,
    userOf: (id) => identity.users.find(id),
    isPassword: (user, password) => identity.signIn.isPassword(user, password),
    site: async () => {
      const { title, url } = await about();
      return [title, new URL(url).hostname];
    },
  });
  settings.along('password-expiration', (_, { expire_force, ...rest }) => ({
    ...rest,
    expire_force: forcedBy(expire_force, clock()),
  }));
  settings.shows('password-requirements', (values) => ({
    ...values,
    enabled_requirements: enforcedBy(values as unknown as PasswordSettings, {
      isOn,
      breachedUrl,
      forcedAt: held.forcedAt,
    }),
  }));
  const check: Check = {
    password: async (chosen) => {
      await ready;
      return requirements.fault(chosen);
    },
    entering: async (user, _, password) => {
      await ready;
      const due = await requirements.due(user, password);
      if (due === undefined) return;
      log({ module: 'password_requirements', code: `new-password-asked::${due},${user.id}`, type: 'notice' });
      throw newPasswordFirst(due, await identity.resets.link(user));
    },
  };
  const endings = [
    ...(isOn ? [identity.checks.also(check)] : []),
    events.on('password.changed', ({ user }) => requirements.changed(user)),
    events.on('user.deleted', ({ user }) => known.forget(user)),
  ];
  return {
    known,
    strength,
    async look() {
      await ready;
      return seen(held, breached, breachedUrl);
    },
    async remotes() {
      await ready;
      const isAsked = isOn && breachedUrl !== undefined && held.isSome('hibp');
      return isAsked ? [{ name: 'the lists of breached passwords', url: breachedUrl }] : [];
    },
    async end() {
      for (const ending of endings) ending();
      await strength.end();
    },
  };
}

/** How the site is asked about it. */
export const breachedCheck = {
  name: 'breached-passwords',
  what: 'Passwords',
  about: 'Whether passwords that became known elsewhere are refused, where somebody is held to that.',
  badge: 'Security',
} as const;

function seen(held: Held, { trouble }: Breached, base: string | undefined): Seen {
  if (!held.isSome('hibp')) return note('nobody’s are looked for in lists of breached ones');
  if (base === undefined)
    return warning(
      'breached ones are not refused, since nobody may be asked for lists of them',
      'Set GATEHOUSE_BREACHED_URL, or take the groups out of this requirement.',
    );
  if (trouble !== undefined)
    return warning(
      'breached ones are not refused just now: the service that knows them does not answer',
      'See whether this machine may reach it.',
    );
  return ok('breached ones are refused');
}

/** A user whose correct password no longer meets the requirements goes to the page that sets a new one. */
const reasons: Readonly<Record<Due, string>> = {
  force: 'Everybody here is asked to choose a new password.',
  age: 'Your password is old by now. Please choose a new one.',
  strength: 'Your password is too easy to guess. Please choose a harder one.',
  hibp: 'Your password has become known elsewhere: it is in lists that are tried first. Please choose another one.',
};

const tooOften =
  'You were given several links for this within the hour, so there is no further one yet. Please use the newest, or come back later.';

/** `link`: the path of the page; nothing after too many in an hour. */
function newPasswordFirst(due: Due, link: string | undefined): Refused {
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

// Passwords: what is asked of them, put together as the site asks for it.

import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import { networkOf } from '#lib/ip-address.ts';
import type { Services } from '#site/extension.ts';
import { note, ok, type Remote, type Seen, warning } from '#site/health/check.ts';
import type { Check, Step } from '#site/identity/checks.ts';
import type { Identity } from '#site/identity/identity.ts';
import { asFault } from '#site/pages/forms.ts';
import { newPassword, passwordFields } from '#site/pages/new-password.ts';
import type { Store } from '#store/store.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Event } from '../../logs/entry.ts';
import type { Settings } from '../../settings/types.ts';
import { type Breached, createBreached } from './breached.ts';
import { createHeld, createKnownPasswords, enforcedBy, forcedBy, type Held, type KnownPasswords } from './held.ts';
import { createMeasuring } from './measuring.ts';
import { createRequirements, type Due, type Requirements } from './requirements.ts';
import { createStrength, type Strength } from './strength.ts';
import type { PasswordTables } from './tables.ts';

export interface Passwords {
  readonly known: KnownPasswords;
  readonly strength: Pick<Strength, 'of'>;
  readonly held: Held;
  /** Resolves once the passwords that passed through a sign-in or a change are measured. */
  settle(): Promise<void>;
  /** Whether lists of breached passwords can be asked, where somebody is held to them. */
  look(): Promise<Seen>;
  remotes(): Promise<readonly Remote[]>;
  end(): Promise<void>;
}

interface PasswordDeps extends Pick<Services, 'clock' | 'outgoing' | 'events' | 'about'> {
  readonly store: Store<PasswordTables>;
  readonly identity: Pick<Identity, 'checks' | 'users' | 'signIn' | 'passwordRule'>;
  readonly settings: Pick<Settings, 'of' | 'along' | 'shows'>;
  readonly matches: Matchables['matches'];
  /** Switched off by the operator, nothing is asked of passwords. */
  readonly isOn: boolean;
  /** The email address of the site: easy to guess for those who know it. */
  siteEmail?(): Promise<string>;
  /** Where lists of breached passwords are, as the operator laid it down. */
  readonly breachedUrl: string | undefined;
  /** Once settings and groups are known: passwords are chosen at the command line too, where nobody waited for them. */
  readonly ready: Promise<unknown>;
  log(event: Event): void;
}

export function createPasswordRules(needs: PasswordDeps): Passwords {
  const { clock, identity, events, about, isOn, breachedUrl, settings, ready } = needs;
  const held = createHeld(needs);
  const known = createKnownPasswords(needs);
  const strength = createStrength();
  const breached = createBreached({ ...needs, base: breachedUrl });
  const requirements: Requirements = createRequirements({
    clock,
    held,
    known,
    strength,
    breached,
    measuring: () => measuring,
    userOf: (id) => identity.users.find(id),
    isPassword: (user, password) => identity.signIn.isPassword(user, password),
    site: async () => {
      const { title, url } = await about();
      return [title, new URL(url).hostname, (await needs.siteEmail?.()) ?? ''];
    },
  });
  const measuring = createMeasuring({
    isMeasured: async (user) => (await known.of(user)).strength !== undefined,
    measure: requirements.measure,
    failed: (error) =>
      needs.log({ module: 'password_requirements', code: 'not-measured', type: 'debug', data: { why: String(error) } }),
  });
  settings.along('password-expiration', (_, { expire_force }) => ({
    expire_force: forcedBy(expire_force, clock()),
  }));
  settings.shows('password-requirements', (values) => ({
    ...values,
    enabled_requirements: enforcedBy(values, { isOn, breachedUrl, forcedAt: held.forcedAt }),
  }));
  const check = passwordCheck(needs, requirements);
  const endings = [
    ...(isOn ? [identity.checks.also(check)] : []),
    events.on('password.changed', ({ user }) => requirements.changed(user)),
    events.on('user.deleted', ({ user }) => known.forget(user)),
  ];
  return {
    known,
    strength,
    held,
    settle: measuring.settle,
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
      await measuring.end();
      await strength.end();
    },
  };
}

type CheckDeps = Pick<PasswordDeps, 'identity' | 'ready' | 'log'>;

const passwordCheck = ({ identity, ready, log }: CheckDeps, requirements: Requirements): Check => ({
  password: async (chosen) => {
    await ready;
    return requirements.fault(chosen);
  },
  step: newPasswordStep(identity, async (user, password) => {
    await ready;
    const due = await requirements.due(user, password);
    if (due !== undefined)
      log({ module: 'password_requirements', code: `new-password-asked::${due},${user.id}`, type: 'notice' });
    return due;
  }),
});

/** How the site is asked about it. */
export const breachedCheck = {
  name: 'breached-passwords',
  what: 'Passwords',
  about: 'Whether breached passwords are refused, if a group requires this.',
  badge: 'Security',
} as const;

function seen(held: Held, { trouble }: Breached, base: string | undefined): Seen {
  if (!held.isSome('hibp')) return note('no group requires a check for breached passwords');
  if (base === undefined)
    return warning(
      'breached passwords are not refused, because no service is configured',
      'Set GATEHOUSE_BREACHED_URL, or remove the groups from this requirement.',
    );
  if (trouble !== undefined)
    return warning(
      'breached passwords are not refused at the moment: the service does not answer',
      'Check that this machine can reach it.',
    );
  return ok('breached passwords are refused');
}

const reasons: Readonly<Record<Due, string>> = {
  force: 'All users of this site must choose a new password.',
  age: 'Your password is too old. Choose a new one.',
  strength: 'Your password is too easy to guess. Choose a stronger one.',
  hibp: 'Your password is in a list of breached passwords, which attackers try first. Choose another one.',
};

/** A user whose right password no longer meets the requirements chooses a new one before the session begins. */
const newPasswordStep = (identity: CheckDeps['identity'], due: Requirements['due']): Step => ({
  name: 'new-password',
  kind: 'task',
  due: (user, { password }) => (password === undefined ? undefined : due(user, password)),
  form: (user, why, faults) => ({
    title: 'Choose a new password',
    reason: reasons[why as Due],
    body: html`<p>For <strong>${user.login}</strong>. This signs you out on all other devices.</p>
<input type="text" name="username" value="${user.login}" autocomplete="username" hidden>
${passwordFields(faults, true, user, identity)}`,
    button: 'Set password and sign in',
  }),
  async take({ user, form, from, use }) {
    const chosen = await newPassword(form, user, identity);
    if ('faults' in chosen) return { faults: { ...chosen.faults } };
    const doing = { by: user.id, again: use, who: networkOf(from) };
    const changed = await identity.users.change(user, chosen, doing).catch(asFault);
    return changed instanceof Problem ? { faults: { pass1: changed.message } } : chosen;
  },
});

// What is asked of passwords: when one is chosen, and when one lets somebody in.
import { withoutUndefined } from '#lib/objects.ts';
import { day, second } from '#lib/spans.ts';
import type { Chosen } from '#site/identity/checks.ts';
import { composed } from '#site/identity/passwords/composed.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { adviceOn } from './advice.ts';
import type { Breached } from './breached.ts';
import type { Held } from './held.ts';
import type { KnownPasswords } from './known.ts';
import { type Strength, strongest } from './strength.ts';
import { type About, wordsOf } from './words.ts';

/** Why somebody has to choose a new one before they are let in. */
export type Due = 'force' | 'age' | 'strength' | 'hibp';

export interface Requirements {
  /** Why it cannot be chosen, as a sentence. */
  fault(chosen: Chosen): Promise<string | undefined>;
  /** Why this right one does not let them in. */
  due(user: User, password: string): Promise<Due | undefined>;
  /** They have a new one. */
  changed(user: User): Promise<void>;
}

interface Needs {
  readonly clock: Clock;
  readonly held: Held;
  readonly known: KnownPasswords;
  readonly strength: Pick<Strength, 'of'>;
  readonly breached: Pick<Breached, 'has'>;
  userOf(id: number): Promise<User | undefined>;
  /** Whether this is their password now. */
  isPassword(user: User, password: string): Promise<boolean>;
  /** What the site is called, and where it is. */
  site(): Promise<readonly string[]> | readonly string[];
}

const known =
  'This password has become known: it is in lists that are tried first. Please choose one that you use nowhere else.';
const same = 'This is the password that you have. Please choose another one.';

/** So many that were measured wait until they are known to be kept. */
const mostMeasured = 1000;

export function createRequirements(needs: Needs): Requirements {
  const { held, breached, userOf, isPassword } = needs;
  const overdue = overdueBy(needs);
  /** By user: the strength of what they chose, until it is theirs. */
  const measured = new Map<number, number>();

  const scoreOf = async (about: About & { readonly id: number }, password: string) =>
    needs.strength.of({ password, words: wordsOf(about, await needs.site()) }, `user ${about.id}`);

  async function weakness(about: About & { readonly id: number }, password: string): Promise<string | undefined> {
    const { score, ...why } = await scoreOf(about, password);
    if (score < strongest) return adviceOn(why);
    if (about.id > 0 && measured.size < mostMeasured) measured.set(about.id, score);
    return undefined;
  }

  /** Measured once: what was typed is what is kept. */
  async function strengthOf(user: User, password: string): Promise<number> {
    const { strength } = await needs.known.of(user);
    if (strength !== undefined) return strength;
    const { score } = await scoreOf(user, password);
    await needs.known.measured(user, score);
    return score;
  }

  return {
    async fault({ password: typed, id, roles, ...said }) {
      const password = composed(typed);
      const user = id === undefined ? undefined : await userOf(id);
      const who = { id: id ?? 0, roles: roles ?? user?.roles ?? [] };
      measured.delete(who.id);
      const advice = held.to('strength', who)
        ? await weakness({ ...user, ...withoutUndefined(said), id: who.id }, password)
        : undefined;
      if (advice !== undefined) return advice;
      if (held.to('hibp', who) && (await breached.has(password))) return known;
      const isSame = user !== undefined && (await overdue(user)) !== undefined && (await isPassword(user, password));
      return isSame ? same : undefined;
    },
    async due(user, typed) {
      const password = composed(typed);
      const reason = await overdue(user);
      if (reason !== undefined) return reason;
      if (held.to('strength', user)) {
        if ((await strengthOf(user, password)) < strongest) return 'strength';
      }
      return held.to('hibp', user) && (await breached.has(password)) ? 'hibp' : undefined;
    },
    async changed(user) {
      const score = measured.get(user.id);
      measured.delete(user.id);
      await needs.known.changed(user, score);
    },
  };
}

/** Whether the time of their password is over, and why. */
const overdueBy =
  ({ clock, held, known }: Needs) =>
  async (user: User): Promise<'force' | 'age' | undefined> => {
    const forced = held.forcedAt * second;
    const longest = held.to('age', user) ? held.longestAge * day : 0;
    if (forced === 0 && longest === 0) return undefined;
    const since = (await known.of(user)).since.getTime();
    if (since < forced) return 'force';
    return longest > 0 && clock().getTime() - since > longest ? 'age' : undefined;
  };

// What is asked of passwords: when one is chosen, and when one lets somebody in.
import { withoutUndefined } from '#lib/objects.ts';
import { day, second } from '#lib/spans.ts';
import type { Chosen } from '#site/identity/checks.ts';
import { composed } from '#site/identity/passwords/composed.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Breached } from './breached.ts';
import type { Held, KnownPasswords } from './held.ts';
import type { Measuring } from './measuring.ts';
import { type Measured, type Strength, strongest } from './strength.ts';

/** What is said of a password that is too easy to guess: what is wrong with it, and what would help, in two sentences. */
const weaknesses: Readonly<Record<string, string>> = {
  straightRow: 'It follows a row of the keyboard.',
  keyPattern: 'It is a short pattern on the keyboard.',
  simpleRepeat: 'It repeats the same character.',
  extendedRepeat: 'It repeats the same characters.',
  sequences: 'It is a common sequence, such as abc or 6543.',
  recentYears: 'A year is easy to guess.',
  dates: 'A date is easy to guess.',
  topTen: 'It is one of the 10 most common passwords.',
  topHundred: 'It is one of the 100 most common passwords.',
  common: 'It is a common password.',
  similarToCommon: 'It is similar to a common password.',
  wordByItself: 'It is a single word.',
  namesByThemselves: 'A name is easy to guess.',
  commonNames: 'A common name is easy to guess.',
  userInputs: 'It has words that others know about you or this site.',
};

const hints: Readonly<Record<string, string>> = {
  l33t: 'Digits or symbols in place of letters do not make it stronger.',
  reverseWords: 'A word backwards is not much stronger.',
  allUppercase: 'All capital letters are not stronger than none.',
  capitalization: 'A capital letter at the beginning does not help much.',
  dates: 'Leave out dates and years from your life.',
  recentYears: 'Leave out years.',
  associatedYears: 'Leave out years from your life.',
  sequences: 'Leave out sequences.',
  repeated: 'Repeat nothing.',
  longerKeyboardPattern: 'Use no pattern of keys next to each other.',
};

const usual = 'Add a few unrelated words.';

export function adviceOn({ weakness = '', hints: named }: Pick<Measured, 'weakness' | 'hints'>): string {
  const hint = named.map((name) => hints[name]).find((said) => said !== undefined);
  const parts = ['This password is too easy to guess.', weaknesses[weakness] ?? hint, usual];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** What is easy to guess of somebody: what they are called here, and what the site is called. */
type About = Partial<
  Pick<User, 'login' | 'email' | 'name' | 'first_name' | 'last_name' | 'nickname' | 'url' | 'description'>
>;

const shortest = 3;
const longest = 64;
const most = 100;

/** In small letters: each text as a whole, and each word of it. The first come first, where there are too many. */
export function wordsOf(about: About, site: readonly string[]): string[] {
  const { login, email, name, first_name, last_name, nickname, url, description } = about;
  const texts = [login, email, name, first_name, last_name, nickname, url, ...site, description];
  const words = texts.flatMap((text = '') => {
    const small = text.slice(0, 1000).toLowerCase();
    return [small, ...(small.match(/[\p{L}\p{N}]+/gu) ?? [])];
  });
  return [...new Set(words)].filter(({ length }) => length >= shortest && length <= longest).slice(0, most);
}

/** Why somebody has to choose a new one before they are let in. */
export type Due = 'force' | 'age' | 'strength' | 'hibp';

export interface Requirements {
  /** Why it cannot be chosen, as a sentence. */
  fault(chosen: Chosen): Promise<string | undefined>;
  /** Why this right one does not let them in. */
  due(user: User, password: string): Promise<Due | undefined>;
  /** They have a new one. */
  changed(user: User): Promise<void>;
  /** Measures the password of the user, and stores how strong it is. */
  measure(user: Pick<User, 'id' | 'registered_at'>, password: string): Promise<number>;
}

interface Needs {
  readonly clock: Clock;
  readonly held: Held;
  readonly known: KnownPasswords;
  readonly strength: Pick<Strength, 'of'>;
  readonly breached: Pick<Breached, 'has'>;
  /** Where passwords go that no rule measures. */
  measuring(): Pick<Measuring, 'add' | 'chosen' | 'changed'>;
  userOf(id: number): Promise<User | undefined>;
  /** Whether this is their password now. */
  isPassword(user: User, password: string): Promise<boolean>;
  /** What the site is called, and where it is. */
  site(): Promise<readonly string[]> | readonly string[];
}

const known =
  'This password is in a list of breached passwords, which attackers try first. Choose a password that you use nowhere else.';
const same = 'This is your current password. Choose another one.';

type Owner = Pick<User, 'id' | 'registered_at'>;

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

  async function measure(user: Owner, password: string): Promise<number> {
    const { score } = await scoreOf({ ...(await userOf(user.id)), id: user.id }, password);
    await needs.known.measured(user, score);
    return score;
  }
  /** Measured once: what was typed is what is kept. */
  const strengthOf = async (user: User, password: string): Promise<number> =>
    (await needs.known.of(user)).strength ?? measure(user, password);

  const unmeasured = (user: User | undefined, password: string): undefined =>
    void (user && needs.measuring().chosen(user.id, password));

  /** A password whose time is over is not chosen again. */
  const isSame = async (user: User, password: string): Promise<boolean> =>
    (await overdue(user)) !== undefined && (await isPassword(user, password));

  return {
    async fault({ password: typed, id, roles, ...said }) {
      const password = composed(typed);
      const user = id === undefined ? undefined : await userOf(id);
      const who = { id: id ?? 0, roles: roles ?? user?.roles ?? [] };
      measured.delete(who.id);
      const advice = held.to('strength', who)
        ? await weakness({ ...user, ...withoutUndefined(said), id: who.id }, password)
        : unmeasured(user, password);
      if (advice !== undefined) return advice;
      if (held.to('hibp', who) && (await breached.has(password))) return known;
      return user !== undefined && (await isSame(user, password)) ? same : undefined;
    },
    async due(user, typed) {
      const password = composed(typed);
      const reason = await overdue(user);
      if (reason !== undefined) return reason;
      if (!held.to('strength', user)) needs.measuring().add(user, password);
      else if ((await strengthOf(user, password)) < strongest) return 'strength';
      return held.to('hibp', user) && (await breached.has(password)) ? 'hibp' : undefined;
    },
    async changed(user) {
      const score = measured.get(user.id);
      measured.delete(user.id);
      await needs.known.changed(user, score);
      needs.measuring().changed(user);
    },
    measure,
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

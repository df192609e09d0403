// Who is held to which requirement, as settings say it.
import type { Somebody } from '../../groups/group.ts';
import type { Matchables } from '../../groups/matchables.ts';
import type { Settings } from '../../settings/types.ts';

type Code = 'strength' | 'hibp' | 'age';

export interface PasswordSettings {
  readonly requirement_settings: Readonly<
    Record<Code, { readonly group?: readonly string[]; readonly expire_max?: number }>
  >;
}

export interface Held {
  to(code: Code, who: Somebody): boolean;
  /** Whether anybody may be. */
  isSome(code: Code): boolean;
  /** In days; 0 where passwords never grow too old. */
  readonly longestAge: number;
  /** When everybody was asked for a new one, in seconds since 1970; 0 where nobody is. */
  readonly forcedAt: number;
}

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
  readonly matches: Matchables['matches'];
}

interface Circumstances {
  readonly isOn: boolean;
  readonly breachedUrl: string | undefined;
  readonly forcedAt: number;
}

/** What is asked of anybody now, by the code of the requirement. */
export function enforcedBy(
  { requirement_settings: { strength, hibp, age } }: PasswordSettings,
  { isOn, breachedUrl, forcedAt }: Circumstances,
): Record<Code | 'force', boolean> {
  const isAsked = (one: PasswordSettings['requirement_settings'][Code] | undefined): boolean =>
    isOn && (one?.group ?? []).length > 0;
  return {
    strength: isAsked(strength),
    hibp: isAsked(hibp) && breachedUrl !== undefined,
    age: isAsked(age) && (age.expire_max ?? 0) > 0,
    force: isOn && forcedAt > 0,
  };
}

export function createHeld({ settings, matches }: Needs): Held {
  const said = () => settings.of<PasswordSettings>('password-requirements').requirement_settings;
  const groupsOf = (code: Code) => said()[code]?.group ?? [];
  return {
    to: (code, who) => matches(groupsOf(code), who),
    isSome: (code) => groupsOf(code).length > 0,
    get longestAge() {
      return said().age?.expire_max ?? 0;
    },
    get forcedAt() {
      return Number(settings.of('password-expiration').expire_force);
    },
  };
}

/**
 * What is kept when somebody says that everybody needs a new one, or that nobody does. A whole second later than now at most: what is
 * still to come no password would be new enough for.
 */
export function forcedBy(sent: unknown, now: Date): unknown {
  const latest = Math.ceil(now.getTime() / 1000);
  if (typeof sent === 'boolean') return sent ? latest : 0;
  return typeof sent === 'number' ? Math.min(sent, latest) : sent;
}

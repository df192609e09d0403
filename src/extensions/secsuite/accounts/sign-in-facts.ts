// What parts need to know of each other about how users sign in. The parts that have two-factor authentication, passkeys and sign-in links
// answer.
import type { User } from '#site/identity/users/user.ts';

export interface TwoFactorFact {
  /** Whether the user has set up a method. */
  readonly isSetUp: boolean;
  readonly isRequired: boolean;
  /** Whether the user wants to be asked for a code after a sign-in without a password as well. */
  readonly isKept: boolean;
}

export const twoFactorStatus = ({ isSetUp, isRequired }: Pick<TwoFactorFact, 'isSetUp' | 'isRequired'>): string => {
  if (isSetUp) return 'enabled';
  return isRequired ? 'enforced-not-configured' : 'not-enabled';
};

interface Provider {
  of(users: readonly User[]): Promise<ReadonlyMap<number, TwoFactorFact>>;
  keep(user: User, isKept: boolean): Promise<unknown>;
  /** Ends what was set up since then: the user denies the device that may have done it. True if anything ended. */
  endSince(user: User, since: string): Promise<boolean>;
  /** Emails the user that it ended. */
  tellDenied(user: User): Promise<unknown>;
}

const unknown: TwoFactorFact = { isSetUp: false, isRequired: false, isKept: false };

export function createTwoFactorFacts() {
  let provider: Provider | undefined;
  return {
    provide(one: Provider): void {
      provider = one;
    },
    async of(users: readonly User[]): Promise<(user: Pick<User, 'id'>) => TwoFactorFact> {
      const found = await provider?.of(users);
      return ({ id }) => found?.get(id) ?? unknown;
    },
    keep: async (user: User, isKept: boolean): Promise<unknown> => provider?.keep(user, isKept),
    endSince: async (user: User, since: string): Promise<boolean> => (await provider?.endSince(user, since)) ?? false,
    tellDenied: async (user: User): Promise<unknown> => provider?.tellDenied(user),
  };
}

/** A way to sign in without a password. */
interface PasswordlessWay {
  hasAllowed(user: User): Promise<boolean>;
  allow(user: User, isAllowed: boolean): Promise<unknown>;
  /** Ends what was added since then: the user denies the device that may have added it. */
  endSince?(user: User, since: string): Promise<unknown>;
}

export function createPasswordless() {
  const ways: PasswordlessWay[] = [];
  return {
    add(way: PasswordlessWay): void {
      ways.push(way);
    },
    /** Whether any of them may sign the user in. */
    async hasAllowed(user: User): Promise<boolean> {
      for (const way of ways) if (await way.hasAllowed(user)) return true;
      return false;
    },
    async allow(user: User, isAllowed: boolean): Promise<void> {
      for (const way of ways) await way.allow(user, isAllowed);
    },
    async endSince(user: User, since: string): Promise<void> {
      for (const way of ways) await way.endSince?.(user, since);
    },
  };
}

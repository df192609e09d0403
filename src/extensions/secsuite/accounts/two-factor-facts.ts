// What others need to know about the two-factor authentication of users. The part that has it answers, while its module is on.
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
  };
}

// Who has test data made: somebody who asks over the interface, or whoever sits at the machine, in the name of a user.
import type { Caller } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import { findUser } from '#site/identity/users/rows.ts';
import { nobodys, type User } from '#site/identity/users/user.ts';
import type { Maker } from './generator.ts';

export interface Makers {
  asked(caller: Caller): Maker;
  /** They may no more than they may elsewhere. */
  atTheMachine(user: User): Maker;
}

export function createMakers({ doing, roles }: Pick<Identity, 'doing' | 'roles'>): Makers {
  const askerOf = ({ id, roles: held }: User): Asker => {
    const capabilities = roles.capabilitiesOf(held);
    return { id, can: (capability) => capabilities.has(capability) };
  };
  return {
    asked: (caller) => ({
      id: caller.id,
      can: (capability) => caller.can(capability),
      doing: (judge) => doing(credentialOf(caller), judge),
    }),
    atTheMachine: (user) => ({
      ...askerOf(user),
      doing: (judge) => ({
        by: nobodys,
        again: async (tx, target) =>
          judge(askerOf((await findUser(tx, user.id)) ?? { ...user, roles: [] }), target, tx),
      }),
    }),
  };
}

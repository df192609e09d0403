// Asking again. Between the question whether somebody may do something and the write that does it lie other people's requests,
// and seconds of hashing: so the write asks once more, with its lock held, who they are by now and what they may.
import { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Credential } from './credential.ts';
import type { Roles } from './roles.ts';
import { findUser, type Writing } from './users/rows.ts';
import type { User } from './users/user.ts';

/** Throws what refuses. `target` is the user it is done to, as they are now; nobody yet where one is made. */
export type Again = (tx: Writing, target: User | undefined) => Promise<void>;

export type Judge = (asker: Asker, target: User | undefined) => void;

/** Makes the question for who came with this credential: it is refused also where that has ended meanwhile. */
export type AskAgain = (credential: Credential | undefined, judge: Judge) => Again;

export const createAgain =
  (roles: Roles): AskAgain =>
  (credential, judge) =>
  async (tx, target) => {
    const user = credential && (await holderNow(tx, credential));
    if (user === undefined) throw new Problem(401, 'rest_not_logged_in', 'You are not signed in any more.');
    const held = roles.capabilitiesOf(user.roles);
    judge({ id: user.id, can: (capability) => held.has(capability) }, target);
  };

async function holderNow(tx: Writing, credential: Credential): Promise<User | undefined> {
  const row =
    credential.kind === 'session'
      ? tx.selectFrom('sessions').select('user_id').where('id', '=', credential.session.id)
      : tx.selectFrom('application_passwords').select('user_id').where('uuid', '=', credential.uuid);
  return (await row.executeTakeFirst()) && findUser(tx, credential.user.id);
}

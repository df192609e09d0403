// Whoever holds a session, as rules ask for them, and as nouns do what they ask.
import type { Caller } from '#kernel/caller.ts';
import type { Credential } from '../identity/credential.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import type { House } from './door.ts';

export function askerOf({ identity }: House, session: Session): Caller {
  const { user } = session;
  const held = identity.roles.capabilitiesOf(user.roles);
  const credential: Credential = { kind: 'session', user, session };
  return { id: user.id, can: (capability) => held.has(capability), credential };
}

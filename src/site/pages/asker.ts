// Whoever holds a session, as rules ask for them.
import type { Asker } from '#kernel/schema.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import type { House } from './door.ts';

export function askerOf({ identity }: House, { user }: Session): Asker {
  const held = identity.roles.capabilitiesOf(user.roles);
  return { id: user.id, can: (capability) => held.has(capability) };
}

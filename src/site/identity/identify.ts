// Who asks: an application password, or a session with its token. The one place where the site judges credentials.
import type { Caller } from '#kernel/caller.ts';
import type { Request } from '#kernel/request.ts';
import type { Events } from '../events.ts';
import type { ApplicationPasswords } from './application-passwords.ts';
import type { Roles } from './roles.ts';
import type { Session, Sessions } from './sessions.ts';
import type { User } from './user.ts';
import type { Users } from './users.ts';

/** What let a caller in. */
export type Credential =
  | { readonly kind: 'application_password'; readonly user: User; readonly uuid: string }
  | { readonly kind: 'session'; readonly user: User; readonly session: Session };

/** Nothing for nobody. */
export const credentialOf = ({ credential }: Caller): Credential | undefined => credential as Credential | undefined;

export interface Needs {
  readonly users: Users;
  readonly roles: Roles;
  readonly applicationPasswords: ApplicationPasswords;
  readonly sessions: Sessions;
  readonly events: Events;
  /** Credentials of nobody here belong to another gate, and count as none. */
  readonly ignoreForeign: boolean;
}

export function createIdentify(_needs: Needs): (request: Request) => Promise<Caller> {
  throw new Error('not built yet');
}

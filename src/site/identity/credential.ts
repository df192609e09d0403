// What lets a caller in, and how the OpenAPI document says it.
import type { Caller } from '#kernel/caller.ts';
import type { Credentials } from '#kernel/openapi/components.ts';
import type { Holder } from './application-passwords/uses.ts';
import type { Session } from './sessions/rows.ts';
import type { User } from './users/user.ts';

export const sessionCookie = 'site_session';

export const credentials: Credentials = {
  schemes: {
    applicationPassword: {
      type: 'http',
      scheme: 'basic',
      description: 'The login or email address of a user, and an application password of this user.',
    },
    session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session of a signed-in user.' },
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'X-WP-Nonce',
      description: 'Proof that the request comes from a page of the site; every answer has a new one.',
    },
  },
  requirements: [{ applicationPassword: [] }, { session: [], token: [] }],
};

/** What let a caller in. */
export type Credential =
  | ({ readonly kind: 'application_password' } & Holder)
  | { readonly kind: 'session'; readonly user: User; readonly session: Session }
  /** A token of an extension, which judged it. */
  | { readonly kind: 'token'; readonly user: User };

/** Nothing for nobody. */
export const credentialOf = ({ credential }: Caller): Credential | undefined => credential as Credential | undefined;

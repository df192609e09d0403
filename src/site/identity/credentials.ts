// What the site takes to know who asks, as the OpenAPI document says it.
import type { Credentials } from '#kernel/openapi/access.ts';

export const sessionCookie = 'site_session';

export const credentials: Credentials = {
  schemes: {
    applicationPassword: {
      type: 'http',
      scheme: 'basic',
      description: 'The login or email address of a user, and an application password of theirs.',
    },
    session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session of somebody signed in.' },
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'X-WP-Nonce',
      description: 'Proof that the request comes from a page of the site; every answer brings a fresh one.',
    },
  },
  requirements: [{ applicationPassword: [] }, { session: [], token: [] }],
};

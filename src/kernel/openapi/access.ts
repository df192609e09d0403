// Who may, as OpenAPI's security requirements.
import { nobody } from '#kernel/caller.ts';
import { prospectOf } from '#kernel/matrix.ts';
import type { Method, Route } from '#kernel/route.ts';
import type { Json } from './schema.ts';

export const securitySchemes: Json = {
  applicationPassword: {
    type: 'http',
    scheme: 'basic',
    description: 'The login or e-mail address of an account, and one of its application passwords.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'site_session',
    description: 'A session; only together with its token.',
  },
  sessionToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-WP-Nonce',
    description: 'The token that belongs to the session.',
  },
  ownToken: { type: 'http', scheme: 'bearer', description: 'A key that this route gives out and judges itself.' },
};

const siteCredentials: Json[] = [{ applicationPassword: [] }, { session: [], sessionToken: [] }];

/** An empty requirement means: credentials may be left out. */
export const securityOf = (route: Route, method: Method): Json[] => [
  ...(mayBeNobody(route, method) ? [{}] : []),
  ...(route.credential === undefined ? siteCredentials : [{ ownToken: [] }]),
];

/** Whether somebody unknown may be let in. Where that depends: public records are read, not written. */
function mayBeNobody(route: Route, method: Method): boolean {
  const prospect = prospectOf(route, nobody);
  return prospect === 'depends' ? method === 'GET' : prospect === 'yes';
}

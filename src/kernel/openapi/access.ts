// Who may, in words and as OpenAPI's security requirements.
import type { Rule } from '#kernel/access.ts';
import { anyone } from '#kernel/access.ts';
import { nobody } from '#kernel/caller.ts';
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

/** Whether somebody unknown may be let in. A rule on a record cannot tell without one; public records are read, not written. */
export function mayBeNobody({ access }: Route, method: Method): boolean {
  if (typeof access === 'string') return access === 'public';
  const rule = access as unknown as Rule<unknown, unknown, Record<string, unknown>>;
  if (rule.allow === anyone) return true;
  if (rule.find !== undefined) return method === 'GET';
  try {
    const verdict = rule.allow(nobody, undefined, {});
    if (!(verdict instanceof Promise)) return verdict === true;
    verdict.catch(() => {});
  } catch {
    // A rule that wants arguments to judge by.
  }
  return method === 'GET';
}

/** One sentence for the person who reads the document. */
export function whoMay({ access, credential }: Route): string {
  if (credential !== undefined) return 'Whoever has the key of this route.';
  if (access === 'public') return 'Everybody.';
  if (typeof access === 'string') return `Whoever has the capability \`${access}\`.`;
  if ((access.allow as unknown) === anyone) return 'Everybody.';
  return access.find === undefined ? 'Depends on who asks.' : 'Depends on who asks and on the record.';
}

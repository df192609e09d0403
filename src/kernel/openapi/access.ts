// Who may, as OpenAPI's security requirements.
import { nobody } from '#kernel/caller.ts';
import { prospectOf } from '#kernel/matrix.ts';
import type { Method, Route } from '#kernel/route.ts';
import type { Json } from './schema.ts';

/** What the site takes to know who asks, as OpenAPI says it. */
export interface Credentials {
  readonly schemes: Readonly<Record<string, Json>>;
  /** Each names the schemes that must come together. */
  readonly requirements: readonly Json[];
}

export const noCredentials: Credentials = { schemes: {}, requirements: [] };

export const ownToken: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'A key that this route gives out and judges itself.',
};

/** An empty requirement means: credentials may be left out. */
export const securityOf = (route: Route, method: Method, { requirements }: Credentials): Json[] => [
  ...(mayBeNobody(route, method) ? [{}] : []),
  ...(route.credential === undefined ? requirements : [{ ownToken: [] }]),
];

/** Whether somebody unknown may be let in. Where that depends: public records are read, not written. */
function mayBeNobody(route: Route, method: Method): boolean {
  const prospect = prospectOf(route, nobody);
  return prospect === 'depends' ? method === 'GET' : prospect === 'yes';
}

import { type Caller, nobody } from './caller.ts';
import type { Call } from './perform.ts';

/**
 * Who asks. A route with a token of its own judges it, whether the request came by itself, inside a batch or as an embed;
 * everywhere else it is whoever the site's credentials name. A key is a route's affair: where there is none nobody can say that it is wrong,
 * and a program that heard so would throw it away.
 */
export async function callerOf(
  { request, method, match }: Call,
  otherwise: () => Caller | Promise<Caller>,
): Promise<Caller> {
  const { route, use } = match?.entry ?? {};
  const isNowhere = method === 'OPTIONS' ? match === undefined : route === undefined;
  if (isNowhere && /^bearer\b/i.test(request.headers.authorization ?? '')) return nobody;
  return route?.credential === undefined ? otherwise() : route.credential(request, use as never);
}

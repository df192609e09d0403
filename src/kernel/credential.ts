import type { Caller } from './caller.ts';
import type { Call } from './perform.ts';

/**
 * Who asks. A route with a token of its own judges it, whether the request came by itself, inside a batch or as an embed;
 * everywhere else it is whoever the site's credentials name.
 */
export async function callerOf({ request, match }: Call, otherwise: () => Caller | Promise<Caller>): Promise<Caller> {
  const { route, use } = match?.entry ?? {};
  return route?.credential === undefined ? otherwise() : route.credential(request, use as never);
}

// What is asked of the health of the site, by its addresses and by name.
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Request } from '#kernel/request.ts';
import type { Health } from '#site/health/health.ts';
import type { Measuring } from '#site/health/sizes.ts';
import { recordOf } from './records.ts';

/** What the handlers use. */
export interface SiteHealth {
  readonly health: Health;
  readonly sizes: Measuring;
}

export const mayLook = (caller: Caller): boolean => caller.can('install_plugins') || caller.can('manage_options');

export async function looked({ health }: SiteHealth, name: string, { headers, address }: Request) {
  const found = await health.look(name, { headers, address });
  if (found === undefined) throw new Problem(404, 'rest_test_not_found', 'There is no such test.');
  return recordOf(found);
}

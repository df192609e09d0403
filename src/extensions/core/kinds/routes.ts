// What kinds of records there are, what states they are in, and by what they are sorted.
import type { Route } from '#kernel/route.ts';
import { createKinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { statusRoutes } from './statuses.ts';
import { taxonomyRoutes } from './taxonomies.ts';
import { typeRoutes } from './types.ts';

export function routes(tools: Toolkit<Core>): Route[] {
  const kinds = createKinds();
  return [...typeRoutes(tools, kinds), ...statusRoutes(tools, kinds), ...taxonomyRoutes(tools, kinds)];
}

// What may be asked of other sites.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Discover } from './discover.ts';

interface Use {
  readonly discover: Discover;
}

export const discoverRoutes = ({ route, t }: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] => [
  route({
    method: 'POST',
    path: 'discover',
    summary: 'Find the interface of another site, and its security suite',
    access: manager,
    args: { url: t.string({ format: 'uri' }) },
    answers: { 200: t.object({ url: t.string(), index: t.free(), secsuite: t.free() }) },
    handle: ({ args, use }) => use.discover(args.url),
  }),
];

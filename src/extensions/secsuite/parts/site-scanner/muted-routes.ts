// The short list of vulnerabilities that are muted.
import { defineError, Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import { rdate } from '../../base.ts';
import { suiteErrors } from '../../errors.ts';
import type { Gate } from '../../groups/manage.ts';
import { tokenCaller } from './mail-tokens.ts';
import type { ScannerUse } from './routes.ts';
import type { Vulnerability } from './vulnerabilities/vulnerabilities.ts';

export const muteErrors = {
  alreadyMuted: defineError(400, 'rest_issue_already_muted', (id: string) => `Issue ${id} is muted already.`),
  muteNotFound: defineError(
    404,
    'secsuite.site-scanner.vulnerabilities.mute.not-found',
    (id: string) => `Vulnerability ${id} does not exist.`,
  ),
};

const mutedList = 'site-scanner/muted-issues';
const muted = `${mutedList}/(?P<id>[\\w-]+)` as const;

export function mutedRoutes({ route, t, resource, created }: Toolkit<ScannerUse>, gate: Gate): Route[] {
  const record = resource({
    name: 'secsuite-muted-issue',
    fields: {
      id: t.string({ description: 'The id of a vulnerability.' }),
      muted_by: t.integer({ description: '0 is nobody.' }),
      muted_at: t.string({ format: 'date-time' }),
    },
    compute: {
      muted_by: (one: Vulnerability) => one.resolved_by ?? 0,
      muted_at: (one) => rdate(one.resolved_at ?? one.last_seen),
    },
    links: ({ id, resolved_by }) => ({
      self: [{ href: `/secsuite/v1/${mutedList}/${id}` }],
      ...(resolved_by !== null && { author: [{ embeddable: true, href: `/core/v2/users/${resolved_by}` }] }),
    }),
  });
  const mutedOne = async (id: string, { vulnerabilities }: ScannerUse): Promise<Vulnerability> => {
    const found = (await vulnerabilities.muted()).find((one) => one.id === id);
    if (found === undefined) throw suiteErrors.notFound(`Muted issue ${id}`);
    return found;
  };
  return [
    route({
      method: 'GET',
      path: mutedList,
      summary: 'List muted issues',
      access: gate.managerOr(contentErrors.cannotView),
      token: tokenCaller,
      hidden: true,
      resource: record,
      several: 'list',
      handle: ({ use }) => use.vulnerabilities.muted(),
    }),
    route({
      method: 'POST',
      path: mutedList,
      summary: 'Mute an issue',
      access: gate.managerOr(contentErrors.cannotCreate),
      token: tokenCaller,
      hidden: true,
      resource: record,
      args: { id: t.string() },
      handle: async ({ args, use, caller }) => {
        const known = await use.vulnerabilities.get(args.id).catch((error) => {
          if (error instanceof Problem && error.status === 404)
            throw muteErrors.muteNotFound(args.id).with({ id: args.id });
          throw error;
        });
        if (known.resolution === 'muted') throw muteErrors.alreadyMuted(args.id);
        return created(await use.vulnerabilities.mute(args.id, use.manage.behalfOf(caller)));
      },
    }),
    route({
      method: 'GET',
      path: muted,
      summary: 'Get a muted issue',
      access: gate.managerOr(contentErrors.cannotView),
      token: tokenCaller,
      hidden: true,
      resource: record,
      args: { id: t.string() },
      handle: ({ args, use }) => mutedOne(args.id, use),
    }),
    route({
      method: 'DELETE',
      path: muted,
      summary: 'Unmute an issue',
      access: gate.managerOr(contentErrors.cannotDelete),
      token: tokenCaller,
      hidden: true,
      answers: { 204: null },
      args: { id: t.string() },
      handle: async ({ args, use, caller }) => {
        await mutedOne(args.id, use);
        await use.fixes.unmute(args.id, use.manage.behalfOf(caller));
        return null;
      },
    }),
  ];
}

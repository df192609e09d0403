// What may be asked of notices.
import type { Access } from '#kernel/access.ts';
import { type Caller, isNobody } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { suiteErrors } from '../errors.ts';
import type { Manage } from '../groups/manage.ts';
import type { Highlights } from './highlights.ts';
import type { Notice } from './notice.ts';
import type { Notices } from './notices.ts';

interface Use {
  readonly notices: Notices;
  readonly manage: Pick<Manage, 'behalfOf'>;
}

interface Wiring {
  readonly manager: Access<undefined, Use, object>;
  manages(caller: Caller): boolean;
}

const changing = ['POST', 'PUT', 'PATCH'] as const;

export function noticeRoutes(tools: Toolkit<Use>, { manager, manages }: Wiring, highlights: Highlights): Route[] {
  const { route, t, when, withStatus } = tools;
  const somebody = when((caller) => !isNobody(caller) || suiteErrors.notLoggedIn(), 'Signed-in users.');
  const muted = t.object({ muted_highlights: t.optional(t.map(t.boolean())) });
  const resource = settingsResource(tools, Object.keys(highlights));
  const seen = async ({ notices }: Use) => withStatus(200, { muted_highlights: await notices.muted() });
  return [
    route({
      method: 'GET',
      path: 'admin-notices',
      summary: 'List your notices',
      access: somebody,
      answers: { 200: t.list(noticeSchema({ t })) },
      handle: async ({ caller, use }) => withStatus(200, manages(caller) ? (await use.notices.list()).map(shown) : []),
    }),
    route({
      method: changing,
      path: 'admin-notices/(?P<notice>[\\w\\-\\.]+)/(?P<action>[\\w\\-]+)',
      summary: 'Run an action of a notice',
      access: somebody,
      args: { notice: t.string(), action: t.string() },
      answers: { 204: null },
      handle: async ({ args, caller, use }) => {
        if (!manages(caller)) throw suiteErrors.noticeNotFound(args.notice);
        await use.notices.run(args.notice, args.action, use.manage.behalfOf(caller));
        return null;
      },
    }),
    route({
      method: 'GET',
      path: 'admin-notices/settings',
      summary: 'List the muted kinds of notices',
      access: manager,
      resource,
      handle: ({ use }) => seen(use),
    }),
    route({
      method: changing,
      path: 'admin-notices/settings',
      summary: 'Mute or unmute kinds of notices',
      access: manager,
      resource,
      payload: muted,
      handle: async ({ payload, use }) => {
        await use.notices.mute(payload.muted_highlights ?? {});
        return seen(use);
      },
    }),
  ];
}

const noticeSchema = ({ t }: Pick<Toolkit<Use>, 't'>) =>
  t.object({
    id: t.string(),
    title: t.string(),
    message: t.string(),
    severity: t.string(),
    meta: t.free(),
    actions: t.map(
      t.object({
        id: t.string(),
        title: t.string(),
        style: t.string(),
        uri: t.nullable(t.string()),
        route: t.nullable(t.string()),
      }),
    ),
  });

const shown = ({ id, title, message, severity, meta = {}, actions }: Notice) => ({
  id,
  title,
  message,
  severity,
  meta,
  actions: Object.fromEntries(
    Object.entries(actions).map(([name, { title: called, style, uri = null, route = null }]) => [
      name,
      { id: name, title: called, style, uri, route },
    ]),
  ),
});

const settingsResource = ({ t, resource }: Pick<Toolkit<Use>, 't' | 'resource'>, kinds: readonly string[]) =>
  resource({
    name: 'secsuite-admin-notices-settings',
    fields: {
      muted_highlights: t.object(Object.fromEntries(kinds.map((kind) => [kind, t.optional(t.boolean())]))),
    },
  });

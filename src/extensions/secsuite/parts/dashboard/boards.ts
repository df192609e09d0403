// What may be asked of dashboards, which no index lists.

import type { Rule } from '#kernel/access.ts';
import { isNobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Denial } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import { rdate, relations } from '../../base.ts';
import { suiteErrors } from '../../errors.ts';
import type { CardType } from './card-data.ts';
import type { Dashboard, Sharing } from './dashboards.ts';
import type { Making, Tools, Use } from './making.ts';
import { whoCreates, whoSees } from './making.ts';

export const boardPath = (id: number): string => `/secsuite/v1/dashboards/${id}`;
export const board = 'dashboards/(?P<id>\\d+)';

/** A dashboard with the cards that may be added to it. */
export interface Shown {
  readonly dashboard: Dashboard;
  readonly cards: readonly CardType[];
}

function boardResource({ t, resource }: Tools) {
  const [everywhere, viewed, edited] = [['view', 'edit', 'embed'], ['view', 'edit'], ['edit']] as const;
  return resource({
    name: 'secsuite-dashboard',
    relations,
    fields: {
      id: t.fixed(t.integer({ context: everywhere })),
      created_by: t.fixed(t.integer({ context: everywhere })),
      created_at: t.fixed(t.string({ format: 'date-time', context: viewed })),
      label: t.fixed(
        t.object(
          { raw: t.string({ context: edited }), rendered: t.string({ context: everywhere }) },
          { context: everywhere },
        ),
      ),
      sharing: t.fixed(t.list(t.free(), { context: edited })),
    },
    compute: {
      id: ({ dashboard }: Shown) => dashboard.id,
      created_by: ({ dashboard }) => dashboard.created_by,
      created_at: ({ dashboard }) => rdate(dashboard.created_at),
      label: ({ dashboard: { label } }) => ({ raw: label, rendered: label }),
      sharing: ({ dashboard: { users, roles } }) => [
        ...(users.length > 0 ? [{ type: 'user', users: [...users] }] : []),
        ...(roles.length > 0 ? [{ type: 'role', roles: [...roles] }] : []),
      ],
    },
    links: ({ dashboard: { id, created_by: author }, cards }) => ({
      self: [{ href: boardPath(id) }],
      author: [{ embeddable: true, href: `/core/v2/users/${author}` }],
      'create-form': cards.map(({ slug, label }) => ({ title: label, href: `${boardPath(id)}/cards/${slug}` })),
      'wp:items': [{ href: `${boardPath(id)}/cards` }],
    }),
  });
}

export interface ById {
  readonly id: number;
  readonly context?: string;
}

export async function findBoard({ id }: ById, { dashboards, cards }: Use): Promise<Shown | undefined> {
  const dashboard = await dashboards.find(Number(id));
  return dashboard && { dashboard, cards: cards() };
}

export type May = Making['mayView'];

/** Who may do this is told that there is no such dashboard; so are managers. */
export const boardRule = ({ tools, wiring }: Making, may: May, denial: Denial): Rule<Shown | undefined, Use, ById> =>
  tools.on(
    findBoard,
    (caller, shown) => {
      if (isNobody(caller)) return kernelErrors.forbidden('see dashboards');
      if (shown !== undefined) return may(caller, shown.dashboard) || denial();
      return wiring.mayCreate(caller) ? suiteErrors.notFound('This dashboard') : denial();
    },
    whoSees,
  );

const hidden = { hidden: true, accessFirst: true } as const;
const shownBy = (dashboard: Dashboard, { cards }: Use): Shown => ({ dashboard, cards: cards() });

function boardArgs({ t }: Tools) {
  const users = t.optional(t.list(t.integer({ minimum: 1 }), { maxItems: mostShares }));
  const roles = t.optional(t.list(t.string(), { maxItems: mostShares }));
  return {
    label: t.optional(t.objectOr(t.string(), { raw: t.optional(t.string()) })),
    sharing: t.optional(t.list(t.object({ type: t.choice(['user', 'role']), users, roles }))),
  };
}

export function boardRoutes(making: Making): Route[] {
  const resource = boardResource(making.tools);
  return [...collectionRoutes(making, resource), ...itemRoutes(making, resource)];
}

type BoardResource = ReturnType<typeof boardResource>;

function collectionRoutes({ tools, wiring, mayEdit, mayView }: Making, resource: BoardResource): Route[] {
  const { route, t, when, context, created } = tools;
  const { label, sharing } = boardArgs(tools);
  return [
    route({
      ...hidden,
      method: 'GET',
      path: 'dashboards',
      summary: 'List your dashboards, then those that are shared with you',
      resource,
      several: 'list',
      args: { context: context(), created_by: t.optional(t.integer()) },
      access: when((caller) => !isNobody(caller) || kernelErrors.forbidden('see dashboards'), 'Signed-in users.'),
      handle: async ({ args, caller, use }) => {
        const may = args.context === 'edit' ? mayEdit : mayView;
        const seen = (await use.dashboards.all()).filter(
          (one) => may(caller, one) && (args.created_by === undefined || one.created_by === args.created_by),
        );
        const own = seen.filter((one) => one.created_by === caller.id);
        return [...own, ...seen.filter((one) => !own.includes(one))].map((one) => shownBy(one, use));
      },
    }),
    route({
      ...hidden,
      method: 'POST',
      path: 'dashboards',
      summary: 'Create a dashboard',
      resource,
      args: { label, preset: t.optional(t.choice(['default'])), sharing },
      access: when((caller) => wiring.mayCreate(caller) || contentErrors.cannotCreate(), whoCreates),
      handle: async ({ args, caller, use }) => {
        const cards = args.preset === undefined ? [] : presetOf(use.cards());
        const wanted = { label: labelOf(args.label) ?? '', created_by: caller.id, cards, ...sharesIn(args.sharing) };
        return created(shownBy(await use.dashboards.add(wanted), use));
      },
    }),
  ];
}

function itemRoutes(making: Making, resource: BoardResource): Route[] {
  const { tools, mayEdit } = making;
  const { route, t, context } = tools;
  const { label, sharing } = boardArgs(tools);
  const id = t.integer();
  return [
    route({
      ...hidden,
      method: 'GET',
      path: board,
      summary: 'Get a dashboard',
      resource,
      args: { id, context: context() },
      access: seeingRule(making),
      handle: ({ record }) => record as Shown,
    }),
    route({
      ...hidden,
      method: 'PUT',
      path: board,
      summary: 'Change a dashboard',
      resource,
      args: { id, label, sharing },
      access: boardRule(making, mayEdit, contentErrors.cannotEdit),
      handle: async ({ args, use }) =>
        shownBy(await use.dashboards.change(args.id, { label: labelOf(args.label), ...sharesIn(args.sharing) }), use),
    }),
    route({
      ...hidden,
      method: 'DELETE',
      path: board,
      summary: 'Delete a dashboard',
      args: { id },
      answers: { 204: null },
      access: boardRule(making, mayEdit, contentErrors.cannotDelete),
      handle: async ({ args, use }) => {
        await use.dashboards.remove(args.id);
        return null;
      },
    }),
  ];
}

/** Whoever may edit sees what only editors see. */
const seeingRule = ({ tools, wiring, mayEdit, mayView }: Making) =>
  tools.on(
    findBoard,
    (caller, found, args: Partial<ById>) => {
      if (isNobody(caller)) return kernelErrors.forbidden('see dashboards');
      if (found === undefined)
        return wiring.mayCreate(caller) ? suiteErrors.notFound('This dashboard') : contentErrors.cannotView();
      if (args.context === 'edit') return mayEdit(caller, found.dashboard) || contentErrors.forbiddenContext();
      return mayView(caller, found.dashboard) || contentErrors.cannotView();
    },
    whoSees,
  );

const mostShares = 1_000;

const labelOf = (label: string | { readonly raw?: string } | undefined): string | undefined =>
  typeof label === 'object' ? label.raw : label;

type Shares = readonly {
  readonly type: string;
  readonly users?: readonly number[];
  readonly roles?: readonly string[];
}[];

/** Of each kind, the lists that are named. */
function sharesIn(sharing: Shares | undefined): Partial<Sharing> {
  const ofType = (type: string) => sharing?.filter((one) => one.type === type) ?? [];
  const [users, roles] = [ofType('user'), ofType('role')];
  return {
    ...(users.length > 0 && { users: users.flatMap((one) => one.users ?? []) }),
    ...(roles.length > 0 && { roles: roles.flatMap((one) => one.roles ?? []) }),
  };
}

/** The summary first, then every card that a dashboard has once. */
const presetOf = (cards: readonly CardType[]) =>
  cards
    .filter(({ slug, max }) => slug === 'security-summary' || (max === 1 && slug !== 'fingerprinting'))
    .map(({ slug }) => ({ type: slug }));

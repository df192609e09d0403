// What may be asked of dashboards: what was counted, which cards there are, and the dashboards themselves, which no index lists.
import type { Rule } from '#kernel/access.ts';
import { compile } from '#kernel/args/validate.ts';
import { type Caller, isNobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Denial } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import { rdate, relations } from '../../base.ts';
import { suiteErrors } from '../../errors.ts';
import type { Gate, Manage } from '../../groups/manage.ts';
import type { Lockouts } from '../../lockouts/lockouts.ts';
import type { Showing } from '../../lockouts/record.ts';
import type { Logs } from '../../logs/logs.ts';
import type { CardQuery, CardType } from './cards.ts';
import type { Card, Dashboard, Dashboards, Sharing } from './dashboards.ts';
import { type PeriodArg, periodArg, periodOf, seriesOf } from './periods.ts';

interface Use {
  readonly dashboards: Dashboards;
  readonly cards: () => readonly CardType[];
  readonly manage: Pick<Manage, 'mayMakeDashboards' | 'behalfOf'>;
  readonly logs: Pick<Logs, 'events'>;
  readonly lockouts: Lockouts;
  readonly showLockouts: Showing;
  readonly base: { clock(): Date };
}

type Tools = Toolkit<Use>;

export interface DashboardWiring {
  readonly gate: Gate;
  /** Whether the caller may make dashboards. */
  mayCreate(caller: Caller): boolean;
  /** How a lockout reads. */
  presentLockout(shown: Awaited<ReturnType<Showing>>[number], context: 'view' | 'edit'): Record<string, unknown>;
}

const whoCreates = 'Security managers, and accounts that may create dashboards.';
const whoSees = `${whoCreates} Also accounts that a dashboard is shared with.`;

export function dashboardRoutes(tools: Tools, wiring: DashboardWiring): Route[] {
  const making = createMaking(tools, wiring);
  return [
    ...countRoutes(making),
    ...availableRoutes(making),
    ...boardRoutes(making),
    ...cardRoutes(making),
    ...actionRoutes(making),
  ];
}

type Making = ReturnType<typeof createMaking>;

function createMaking(tools: Tools, wiring: DashboardWiring) {
  const rolesOf = (caller: Caller): readonly string[] => tools.credentialOf(caller)?.user?.roles ?? [];
  const isShared = (caller: Caller, { users, roles }: Sharing): boolean =>
    !isNobody(caller) && (users.includes(caller.id) || rolesOf(caller).some((role) => roles.includes(role)));
  const mayEdit = (caller: Caller, dashboard: Dashboard): boolean =>
    !isNobody(caller) && dashboard.created_by === caller.id && wiring.mayCreate(caller);
  return {
    tools,
    wiring,
    isShared,
    mayEdit,
    mayView: (caller: Caller, dashboard: Dashboard): boolean =>
      mayEdit(caller, dashboard) || isShared(caller, dashboard),
  };
}

function countRoutes({ tools, wiring, isShared }: Making): Route[] {
  const { route, t, on } = tools;
  const period = periodArg(tools);
  return [
    route({
      method: 'GET',
      path: 'dashboard-static',
      summary: 'How much happened in a period',
      args: { period },
      accessFirst: true,
      access: on(
        (_: object, use: Use) => use.dashboards.all(),
        (caller, all) =>
          wiring.mayCreate(caller) ||
          all.some((one) => isShared(caller, one)) ||
          kernelErrors.forbidden('see dashboards'),
        whoSees,
      ),
      answers: {
        200: t.object({ events: t.integer(), ips: t.integer(), suspicious: t.integer(), blocked: t.integer() }),
      },
      handle: async ({ args, use: { logs, base } }) => {
        const asked = periodOf(args.period as PeriodArg, base.clock());
        const [counts, ips] = await Promise.all([logs.events.count(asked), logs.events.addresses(asked)]);
        const sum = (events?: readonly string[]): number =>
          counts.reduce((all, { event, count }) => (events?.includes(event) === false ? all : all + count), 0);
        return { events: sum(), ips, suspicious: sum(suspicious), blocked: sum(blocked) };
      },
    }),
    route({
      method: 'GET',
      path: 'dashboard/events',
      summary: 'How often events happened, by the hour or day',
      access: wiring.gate.manager,
      args: { period, events: t.list(t.string(), { uniqueItems: true, minItems: 1, maxItems: 10 }) },
      answers: {
        200: t.object({ data: t.map(t.object({ t: t.string({ format: 'date-time' }), y: t.integer() })) }),
      },
      handle: async ({ args, use: { logs, base } }) => {
        const asked = periodOf(args.period as PeriodArg, base.clock());
        const series = seriesOf(await logs.events.count(asked, args.events), asked);
        return { data: Object.fromEntries(series.map((one) => [one.t, one])) };
      },
    }),
  ];
}

const suspicious = [
  'four-oh-four',
  'local-brute-force',
  'network-brute-force',
  'recaptcha-empty',
  'recaptcha-invalid',
  'fingerprint-login-unknown',
  'fingerprint-session-switched-unknown',
];
const blocked = [
  'blacklist-four_oh_four',
  'blacklist-brute_force',
  'blacklist-brute_force_admin_user',
  'blacklist-recaptcha',
  'lockout-user',
  'lockout-username',
  'lockout-host',
  'fingerprint-login-blocked',
  'recaptcha-empty',
  'recaptcha-invalid',
  'fingerprint-session-destroyed',
  'firewall-block',
];

const availablePath = (slug: string): string => `/secsuite/v1/dashboard-available-cards/${slug}`;

/** A card, if it is there, and the dashboards that have it. */
type Available = Partial<CardType> & { readonly shares?: readonly Dashboard[] };

function availableRoutes({ tools, wiring, isShared }: Making): Route[] {
  const { route, t, on, when } = tools;
  const resource = tools.resource({
    name: 'secsuite-dashboard-available-card',
    fields: {
      slug: t.fixed(t.string()),
      label: t.fixed(t.string()),
      type: t.fixed(t.choice(['line', 'pie', 'custom'])),
      size: t.fixed(t.free()),
      max: t.fixed(t.nullable(t.integer())),
      settings: t.fixed(t.free()),
      query_args: t.fixed(t.free()),
    },
    compute: {
      size: ({ size }: CardType) => size,
      settings: ({ settings }) => settings ?? {},
      query_args: ({ queryArgs }) => Object.fromEntries(queryArgs.map((name) => [name, queryArgOf(tools, name)])),
    },
    links: ({ slug }) => ({ self: [{ href: availablePath(slug) }] }),
  });
  return [
    route({
      method: 'GET',
      path: 'dashboard-available-cards',
      summary: 'The cards that dashboards may have',
      access: when((caller) => wiring.mayCreate(caller) || kernelErrors.forbidden('create dashboards'), whoCreates),
      resource,
      several: 'list',
      handle: ({ use }) => use.cards(),
    }),
    route({
      method: 'GET',
      path: 'dashboard-available-cards/(?P<card>[\\w_-]+)',
      summary: 'One card that dashboards may have',
      resource,
      args: { card: t.string() },
      access: on(
        async ({ card }: { readonly card: string }, use: Use): Promise<Available> => ({
          ...use.cards().find(({ slug }) => slug === card),
          shares: (await use.dashboards.all()).filter((one) => one.cards.some(({ type }) => type === card)),
        }),
        (caller, { slug, shares = [] }: Available) => {
          const sees = wiring.mayCreate(caller) || shares.some((one) => isShared(caller, one));
          if (sees && slug !== undefined) return true;
          return wiring.gate.manages(caller) ? suiteErrors.notFound('This card') : kernelErrors.noRoute();
        },
        whoSees,
      ),
      handle: ({ record }) => record as CardType,
    }),
  ];
}

function queryArgOf(tools: Tools, name: CardType['queryArgs'][number]): object {
  if (name === 'period') return periodArg(tools);
  if (name === 'search') return { type: 'string', minLength: 1 };
  return { type: 'array', items: { type: 'string' }, uniqueItems: true };
}

const boardPath = (id: number): string => `/secsuite/v1/dashboards/${id}`;
const board = 'dashboards/(?P<id>\\d+)';

/** A dashboard with the cards that may be added to it. */
interface Shown {
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

interface ById {
  readonly id: number;
  readonly context?: string;
}

async function findBoard({ id }: ById, { dashboards, cards }: Use): Promise<Shown | undefined> {
  const dashboard = await dashboards.find(Number(id));
  return dashboard && { dashboard, cards: cards() };
}

type May = Making['mayView'];

/** Who may do this is told that there is no such dashboard; so are managers. */
const boardRule = ({ tools, wiring }: Making, may: May, denial: Denial): Rule<Shown | undefined, Use, ById> =>
  tools.on(
    findBoard,
    (caller, shown) => {
      if (isNobody(caller)) return kernelErrors.forbidden('see dashboards');
      if (shown !== undefined) return may(caller, shown.dashboard) || denial();
      return wiring.mayCreate(caller) ? suiteErrors.notFound('This dashboard') : denial();
    },
    whoSees,
  );

function boardRoutes(making: Making): Route[] {
  const { tools, wiring, mayEdit, mayView } = making;
  const { route, t, when, on, context, created } = tools;
  const resource = boardResource(tools);
  const hidden = { hidden: true, accessFirst: true } as const;
  const shown = (dashboard: Dashboard, use: Use): Shown => ({ dashboard, cards: use.cards() });
  const label = t.optional(t.objectOr(t.string(), { raw: t.optional(t.string()) }));
  const sharing = t.optional(
    t.list(
      t.object({
        type: t.choice(['user', 'role']),
        users: t.optional(t.list(t.integer({ minimum: 1 }), { maxItems: mostShares })),
        roles: t.optional(t.list(t.string(), { maxItems: mostShares })),
      }),
    ),
  );
  const id = t.integer();
  const seeing = on(
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
  return [
    route({
      ...hidden,
      method: 'GET',
      path: 'dashboards',
      summary: 'Dashboards of the caller, then those that are shared with them',
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
        return [...own, ...seen.filter((one) => !own.includes(one))].map((one) => shown(one, use));
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
        return created(shown(await use.dashboards.add(wanted), use));
      },
    }),
    route({
      ...hidden,
      method: 'GET',
      path: board,
      summary: 'One dashboard',
      resource,
      args: { id, context: context() },
      access: seeing,
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
        shown(await use.dashboards.change(args.id, { label: labelOf(args.label), ...sharesIn(args.sharing) }), use),
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
    ...layoutRoutes(making),
  ];
}

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

function layoutRoutes(making: Making): Route[] {
  const { tools, mayEdit, mayView } = making;
  const { route, t, withStatus } = tools;
  const layoutOf = ({ cards }: Dashboard) =>
    withStatus(200, { cards: cards.map(({ id, type, size, position }) => ({ id, card: type, size, position })) });
  // Established clients send an empty map as a list.
  const map = () => t.untyped({ default: {} });
  const id = t.integer();
  const mapOf = (value: unknown): Card['size'] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Card['size']) : {};
  const path = `${board}/layout` as const;
  const hidden = { hidden: true, accessFirst: true } as const;
  return [
    route({
      ...hidden,
      method: 'GET',
      path,
      summary: 'Where the cards of a dashboard are',
      args: { id },
      access: boardRule(making, mayView, contentErrors.cannotView),
      handle: ({ record }) => layoutOf((record as Shown).dashboard),
    }),
    route({
      ...hidden,
      method: 'PUT',
      path,
      summary: 'Place the cards of a dashboard',
      args: {
        id,
        cards: t.list(t.object({ id: t.integer(), card: t.string(), size: map(), position: map() }), {
          maxItems: mostCards,
        }),
      },
      access: boardRule(making, mayEdit, contentErrors.cannotEdit),
      handle: async ({ args, use }) => {
        const placed = args.cards.map(({ id: card, card: type, size, position }) => ({
          id: card,
          type,
          size: mapOf(size),
          position: mapOf(position),
        }));
        return layoutOf(await use.dashboards.place(args.id, placed));
      },
    }),
  ];
}

const mostCards = 200;

/** A card on a dashboard, with what it shows. */
interface Filled {
  readonly dashboard: Dashboard;
  readonly card: Card;
  readonly type: CardType | undefined;
  readonly data: unknown;
}

const cardPath = ({ dashboard, type, id }: Card): string => `${boardPath(dashboard)}/cards/${type}/${id}`;

function cardResource({ t, resource }: Tools) {
  return resource({
    name: 'secsuite-dashboard-card',
    relations,
    fields: {
      id: t.fixed(t.integer()),
      card: t.fixed(t.string()),
      dashboard: t.fixed(t.integer()),
      original: t.optional(t.fixed(t.string({ omitted: true }))),
      data: t.optional(t.fixed(t.untyped({ omitted: true }))),
      settings: t.optional(t.fixed(t.free({ context: ['edit'], omitted: true }))),
    },
    compute: {
      id: ({ card }: Filled) => card.id,
      card: ({ card, type }) => (type === undefined ? 'unknown' : card.type),
      dashboard: ({ card }) => card.dashboard,
      original: ({ card, type }) => (type === undefined ? card.type : undefined),
      data: ({ data }) => data,
      settings: ({ card, type }) => (type?.settings === undefined ? undefined : card.settings),
    },
    links: ({ card, type }) => ({
      self: [{ href: cardPath(type === undefined ? { ...card, type: 'unknown' } : card) }],
      ...(type !== undefined && {
        'create-form': [{ href: `${boardPath(card.dashboard)}/cards/${card.type}` }],
        about: [{ embeddable: true, href: availablePath(card.type) }],
        ...(card.type === 'active-lockouts' && lockoutLinks(`${cardPath(card)}/lockout/{lockout_id}`)),
      }),
    }),
  });
}

const lockoutLinks = (href: string) => ({
  item: [{ title: 'Lockout details', methods: 'GET', href }],
  'secsuite:release-lockout': [{ title: 'End the lockout', methods: 'DELETE', href }],
  'secsuite:ban-lockout': [{ title: 'Ban the IP address', methods: 'POST', href: `${href}/ban` }],
});

interface OnCard extends ById {
  readonly card: string;
  readonly card_id?: number;
}

interface FoundCard {
  readonly dashboard: Dashboard | undefined;
  readonly card: Card | undefined;
  readonly type: CardType | undefined;
}

async function findCard({ id, card: slug, card_id: number }: OnCard, use: Use): Promise<FoundCard> {
  const dashboard = await use.dashboards.find(Number(id));
  const type = use.cards().find((one) => one.slug === slug);
  const isKnown = (card: Card): boolean => use.cards().some((one) => one.slug === card.type);
  const card = dashboard?.cards.find(
    (one) => one.id === Number(number) && (slug === 'unknown' ? !isKnown(one) : one.type === slug),
  );
  return { dashboard, card, type };
}

/** Only managers are told what is missing: for others there is no such route. */
const cardRule = (
  { tools, wiring }: Making,
  may: May,
  denial: Denial,
  isThere: (found: FoundCard) => boolean,
): Rule<FoundCard, Use, OnCard> =>
  tools.on(
    findCard,
    (caller, found) => {
      const { dashboard } = found;
      const tells = wiring.gate.manages(caller);
      if (dashboard === undefined || !isThere(found))
        return tells ? suiteErrors.notFound('This card') : kernelErrors.noRoute();
      return may(caller, dashboard) || (tells ? denial() : kernelErrors.noRoute());
    },
    whoSees,
  );

type Sent = Readonly<Record<string, unknown>>;

/** What a card is asked for. A value that does not fit is left out. */
function queryIn(tools: Tools, sent: Sent, card: Pick<Card, 'settings'>, caller: Caller): CardQuery {
  const settle = (schema: object, value: unknown, usual: unknown): unknown => {
    const settler = compile(schema as Schema);
    return value === undefined || settler.check(value, '') ? usual : settler.coerce(value);
  };
  return {
    period: settle(periodArg(tools), sent.period, '30-days') as PeriodArg,
    search: settle({ type: 'string', minLength: 1, maxLength: 200 }, sent.search, undefined) as string | undefined,
    roles: settle({ type: 'array', items: { type: 'string' }, maxItems: 100 }, sent.roles, undefined) as
      | string[]
      | undefined,
    settings: card.settings,
    caller,
  };
}

/** A card whose data cannot be read shows none. */
async function filled(found: Omit<Filled, 'data'>, query: CardQuery): Promise<Filled> {
  return { ...found, data: await found.type?.data(query).catch(() => ({})) };
}

function cardRoutes(making: Making): Route[] {
  const { tools, wiring, mayEdit, mayView } = making;
  const { route, t, created } = tools;
  const resource = cardResource(tools);
  const hidden = { hidden: true, accessFirst: true } as const;
  const named = { id: t.integer(), card: t.string() };
  const numbered = { ...named, card_id: t.integer() };
  const one = `${board}/cards/(?P<card>[\\w-]+)/(?P<card_id>\\d+)` as const;
  const settings = t.optional(t.untyped());
  const fill = (found: FoundCard, sent: Sent, caller: Caller): Promise<Filled> => {
    const { dashboard, card, type } = found;
    return filled({ dashboard: dashboard!, card: card!, type }, queryIn(tools, sent, card!, caller));
  };
  return [
    route({
      ...hidden,
      method: 'GET',
      path: `${board}/cards`,
      summary: 'The cards of a dashboard, with what they show',
      resource,
      several: 'list',
      args: { id: t.integer(), context: tools.context() },
      payload: t.object({ cards: t.optional(t.untyped()) }),
      access: tools.on(
        findBoard,
        (caller, found) => {
          if (found !== undefined && mayView(caller, found.dashboard)) return true;
          if (!wiring.gate.manages(caller)) return kernelErrors.noRoute();
          return found ? contentErrors.cannotView() : suiteErrors.notFound('This dashboard');
        },
        whoSees,
      ),
      handle: ({ record, payload, caller }) => {
        const { dashboard, cards: types } = record as Shown;
        return Promise.all(
          dashboard.cards.map((card) => {
            const sent = memberOf(memberOf(payload.cards, card.type), String(card.id));
            const type = types.find(({ slug }) => slug === card.type);
            return filled({ dashboard, card, type }, queryIn(tools, sent, card, caller));
          }),
        );
      },
    }),
    route({
      ...hidden,
      method: 'POST',
      path: `${board}/cards/(?P<card>[\\w-]+)`,
      summary: 'Add a card to a dashboard',
      resource,
      args: { ...named, settings },
      access: cardRule(making, mayEdit, contentErrors.cannotCreate, ({ type }) => type !== undefined),
      handle: async ({ args, record, caller, use }) => {
        const type = record.type!;
        const card = await use.dashboards.addCard(args.id, type, settingsFor(type, args.settings));
        return created(await fill({ ...record, card }, {}, caller));
      },
    }),
    route({
      ...hidden,
      method: 'GET',
      path: one,
      summary: 'One card, with what it shows',
      resource,
      args: { ...numbered, context: tools.context() },
      payload: t.object({
        period: t.optional(t.untyped()),
        search: t.optional(t.untyped()),
        roles: t.optional(t.untyped()),
      }),
      access: cardRule(making, mayView, contentErrors.cannotView, ({ card }) => card !== undefined),
      handle: ({ record, payload, caller }) => fill(record, payload, caller),
    }),
    route({
      ...hidden,
      method: 'PUT',
      path: one,
      summary: 'Change the settings of a card',
      resource,
      args: { ...numbered, settings },
      access: cardRule(
        making,
        mayEdit,
        contentErrors.cannotEdit,
        ({ card, type }) => card !== undefined && type !== undefined,
      ),
      handle: async ({ args, record, caller, use }) => {
        if (args.settings === undefined) return fill(record, {}, caller);
        const next = settingsFor(record.type!, args.settings);
        await use.dashboards.changeCard(record.card!.id, next);
        return fill({ ...record, card: { ...record.card!, settings: next } }, {}, caller);
      },
    }),
    route({
      ...hidden,
      method: 'DELETE',
      path: one,
      summary: 'Remove a card from a dashboard',
      args: numbered,
      answers: { 204: null },
      access: cardRule(making, mayEdit, contentErrors.cannotDelete, ({ card }) => card !== undefined),
      handle: async ({ record, use }) => {
        await use.dashboards.removeCard(record.card!.id);
        return null;
      },
    }),
  ];
}

function memberOf(value: unknown, name: string): Sent {
  const isMap = typeof value === 'object' && value !== null;
  const member = isMap && Object.hasOwn(value, name) ? (value as Sent)[name] : undefined;
  return typeof member === 'object' && member !== null ? (member as Sent) : {};
}

/** Of a card without settings nothing is kept. */
function settingsFor({ settings }: CardType, sent: unknown): Card['settings'] {
  if (settings === undefined || sent === undefined || (Array.isArray(sent) && sent.length === 0)) return {};
  const settler = compile(settings);
  const wrong = settler.check(sent, 'settings');
  if (wrong)
    throw kernelErrors.invalidParam('Invalid parameter(s): settings').with({
      params: { settings: wrong.message },
      details: { settings: { code: wrong.code, message: wrong.message, data: wrong.data ?? null } },
    });
  const known = Object.keys(settings.properties ?? {});
  return Object.fromEntries(Object.entries(settler.coerce(sent) as Sent).filter(([name]) => known.includes(name)));
}

/** What may be done from the card of lockouts. */
function actionRoutes(making: Making): Route[] {
  const { tools, wiring, mayView } = making;
  const { route, t, withStatus } = tools;
  const path = `${board}/cards/(?P<card>active-lockouts)/(?P<card_id>\\d+)/lockout/(?P<lockout>\\d+)` as const;
  const args = { id: t.integer(), card: t.string(), card_id: t.integer(), lockout: t.integer() };
  const hidden = { hidden: true, accessFirst: true } as const;
  const seen = cardRule(making, mayView, contentErrors.cannotView, ({ card }) => card !== undefined);
  const managed = cardRule(
    making,
    (caller, dashboard) => mayView(caller, dashboard) && wiring.gate.manages(caller),
    kernelErrors.forbidden,
    ({ card }) => card !== undefined,
  );
  return [
    route({
      ...hidden,
      method: 'GET',
      path,
      summary: 'A lockout on a card, with what led to it',
      args,
      access: seen,
      handle: async ({ args: { lockout }, use }) => {
        const [shown] = await use.showLockouts([await use.lockouts.get(lockout)], true);
        return withStatus(200, wiring.presentLockout(shown!, 'edit'));
      },
    }),
    route({
      ...hidden,
      method: 'DELETE',
      path,
      summary: 'End a lockout from a card',
      args,
      answers: { 204: null },
      access: managed,
      handle: async ({ args: { lockout }, caller, use }) => {
        await use.lockouts.release(lockout, use.manage.behalfOf(caller).again);
        return null;
      },
    }),
    route({
      ...hidden,
      method: 'POST',
      path: `${path}/ban`,
      summary: 'Ban the IP address of a lockout from a card',
      args,
      answers: { 204: null },
      access: managed,
      handle: async ({ args: { lockout }, caller, request, use }) => {
        const asking = { ...use.manage.behalfOf(caller), self: request.address };
        await use.lockouts.ban(lockout, caller.id, asking);
        return null;
      },
    }),
  ];
}

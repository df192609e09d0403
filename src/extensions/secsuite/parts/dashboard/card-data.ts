// What a card of dashboards is, and where what it shows comes from.
import type { Caller } from '#kernel/caller.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { twoFactorStatus } from '../../accounts/sign-in-facts.ts';
import type { Bans } from '../../bans/bans.ts';
import { rdate, spanText } from '../../base.ts';
import type { Lockouts } from '../../lockouts/lockouts.ts';
import type { Showing } from '../../lockouts/record.ts';
import type { EventCount } from '../../logs/events.ts';
import type { Logs } from '../../logs/logs.ts';
import type { CardAction, CardSource } from '../../part.ts';
import { type PeriodArg, periodOf, seriesOf, usualPeriod } from './periods.ts';

export interface CardSize {
  readonly minW: number;
  readonly minH: number;
  readonly maxW: number;
  readonly maxH: number;
  readonly defaultW: number;
  readonly defaultH: number;
}

export interface CardType {
  readonly slug: string;
  readonly label: string;
  readonly type: 'line' | 'pie' | 'custom';
  readonly size: CardSize;
  /** How many of it a dashboard may have. */
  readonly max: number | null;
  readonly settings?: Schema;
  readonly queryArgs: readonly ('period' | 'search' | 'roles')[];
  data(query: CardQuery): Promise<unknown>;
}

export interface CardQuery {
  readonly period: PeriodArg;
  readonly search: string | undefined;
  readonly roles: readonly string[] | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

export interface CardDeps {
  readonly logs: Pick<Logs, 'events' | 'list'>;
  readonly bans: Pick<Bans, 'count'>;
  readonly lockouts: Pick<Lockouts, 'list'>;
  readonly showLockouts: Showing;
  readonly users: Pick<Users, 'list' | 'find'>;
  readonly roles: { labelOf(name: string): string; giving(capabilities: readonly string[]): string[] };
  readonly accounts: Pick<Accounts, 'twoFactorFacts' | 'passwordFacts' | 'lastSeen'>;
  readonly countLockouts: () => Promise<number>;
  readonly sources: Pick<CardSources, 'data'>;
  /** How a lockout reads in a card. */
  readonly present: (shown: Awaited<ReturnType<Showing>>[number]) => unknown;
  now(): Date;
  isRunning(module: string): boolean;
}

/** What cards show that other parts know, by the slug of the card. */
export interface CardSources {
  provide(all: Readonly<Record<string, CardSource>>, actions: Readonly<Record<string, CardAction>>): void;
  /** Empty where no part knows of the card. */
  data(card: string, period: Parameters<CardSource>[0]): Promise<object>;
  /** An action that is offered now. */
  action(name: string): CardAction | undefined;
}

export function createCardSources(): CardSources {
  let known: Readonly<Record<string, CardSource>> = {};
  let acts: Readonly<Record<string, CardAction>> = {};
  return {
    provide: (all, actions) => {
      known = all;
      acts = actions;
    },
    action: (name) => ((acts[name]?.isOffered?.() ?? true) ? acts[name] : undefined),
    data: async (card, period) => Object(await known[card]?.(period)),
  };
}

const sized = (w: number, h: number, maxW = w): CardSize => ({
  minW: w,
  minH: h,
  maxW,
  maxH: h,
  defaultW: w,
  defaultH: h,
});
export const small = sized(1, 1);
export const wide = sized(2, 1);
const most = 100;
const mostProfiles = 250;

const sumOf = (counts: readonly EventCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

type Lines = readonly (readonly [label: string, events: readonly string[]])[];

export const lineCard = ({ logs, now }: CardDeps, slug: string, label: string, lines: Lines): CardType => ({
  slug,
  label,
  type: 'line',
  size: wide,
  max: 1,
  queryArgs: ['period'],
  async data({ period: asked }) {
    const period = periodOf(asked, now());
    const counts = await logs.events.count(
      period,
      lines.flatMap(([, events]) => events),
    );
    return Object.fromEntries(
      lines.map(([name, events]) => [
        events.join('--'),
        {
          label: name,
          data: seriesOf(
            counts.filter(({ event }) => events.includes(event)),
            period,
          ),
        },
      ]),
    );
  },
});

type Slices = readonly (readonly [event: string, label: string])[];

export const pieCard = (
  { logs, now }: CardDeps,
  slug: string,
  label: string,
  circle: string,
  total: () => Promise<number>,
  slices: Slices,
): CardType => ({
  slug,
  label,
  type: 'pie',
  size: small,
  max: 1,
  queryArgs: [],
  async data() {
    const period = usualPeriod(now());
    const counts = await logs.events.count(
      period,
      slices.map(([event]) => event),
    );
    const data = slices.map(([event, name]) => {
      const own = counts.filter((one) => one.event === event);
      const points = seriesOf(own, period).map(({ t, y }) => ({ x: t, y }));
      return [event, { label: name, sum: sumOf(own), data: points }];
    });
    return { data: Object.fromEntries(data), circle_sum: await total(), circle_label: circle };
  },
});

export async function updatesIn({ logs, now }: CardDeps, period: PeriodArg) {
  const kinds = ['core', 'theme', 'plugin'];
  const counts = await logs.events.count(
    periodOf(period, now()),
    kinds.map((kind) => `vm-update-${kind}`),
  );
  const ofKind = (kind: string) => sumOf(counts.filter(({ event }) => event === `vm-update-${kind}`));
  return { counts: Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)])), all: sumOf(counts) };
}

/** As the log tells of them: where they lie is the affair of backups. */
export async function backupsIn({ logs }: CardDeps) {
  const codes = ['file-stored', 'email-succeeded-file-stored', 'email-failed-file-stored', 'email-succeeded'];
  const { items, total } = await logs.list({
    modules: ['backup'],
    codes: codes.map((code) => `${code}%`),
    limit: most,
    offset: 0,
    order: 'desc',
    orderBy: 'created_at',
  });
  const backups = items.map(({ created_at, data }) => {
    const { size } = Object(JSON.parse(data)) as { readonly size?: unknown };
    const bytes = typeof size === 'number' ? size : 0;
    const size_format = bytes === 0 ? '' : `${Math.ceil(bytes / 1024)} KB`;
    return { time: rdate(created_at), size: bytes, size_format, url: false };
  });
  return { total, backups, source: 'logs' };
}

type Profiled = NonNullable<Awaited<ReturnType<Users['find']>>>;

/** When something happened; empty if it is not known. */
const momentOf = (at: string | undefined, now: Date) =>
  at === undefined ? {} : { time: rdate(at), diff: spanText(now.getTime() - Date.parse(at)) };

async function profilesOf({ roles, accounts, now, isRunning }: CardDeps, users: readonly Profiled[]) {
  const [twoFactor, seen, passwords] = await Promise.all([
    accounts.twoFactorFacts.of(users),
    accounts.lastSeen(users),
    accounts.passwordFacts.of(users),
  ]);
  return users.map((user) => ({
    id: user.id,
    name: user.name || user.login,
    avatar: '',
    role: user.roles.map(roles.labelOf).join(', '),
    two_factor: isRunning('two-factor') ? twoFactorStatus(twoFactor(user)) : 'not-available',
    last_active: momentOf(seen.get(user.id), now()),
    password_strength: passwords.get(user.id)?.strength ?? -1,
    password_last_changed: momentOf(passwords.get(user.id)?.changed_at ?? user.registered_at, now()),
  }));
}

export async function profilesFor(deps: CardDeps, { search, roles, caller }: CardQuery) {
  const { items } = await deps.users.list({
    roles: roles ?? deps.roles.giving(['manage_options']),
    ...(search !== undefined && { search, searchColumns: ['username', 'name', 'email'] as const }),
    searchPrivate: caller.can('list_users'),
    orderBy: 'id',
    order: 'asc',
    limit: mostProfiles,
    offset: 0,
  });
  return { users: await profilesOf(deps, items) };
}

export async function lockoutsFor({ lockouts, showLockouts, present }: CardDeps, { search, caller }: CardQuery) {
  const searchPrivate = caller.can('list_users');
  const { items } = await lockouts.list({ limit: most, offset: 0, search, searchPrivate });
  return { lockouts: (await showLockouts(items, false)).map(present) };
}

export async function profileFor(deps: CardDeps, { settings: { user } }: CardQuery) {
  const found = typeof user === 'number' ? await deps.users.find(user) : undefined;
  return { user: found ? (await profilesOf(deps, [found]))[0] : null };
}

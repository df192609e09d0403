// Dashboards: what was counted, and the cards that show it.
import { resource } from '#kernel/resource.ts';
import { t } from '#kernel/schema.ts';
import { lockoutResource } from '../../lockouts/record.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { groupList, settingsCard, unavailable } from '../../setting-schemas.ts';
import { type CardSources, type CardType, createCardSources } from './card-data.ts';
import { createCards } from './cards.ts';
import { createDashboards, type Dashboards, dashboardErrors } from './dashboards.ts';
import { isShared } from './making.ts';
import { dashboardRoutes } from './routes.ts';
import { dashboardMigrations } from './tables.ts';
import { dashboardsSource } from './transfer.ts';

const dashboard = {
  id: 'dashboard',
  type: 'recommended',
  standing: 'always-active',
  title: 'Dashboards',
  description: 'Shows lockouts, bans and problems on one page.',
  userGroups: {
    group: {
      title: 'Create dashboards',
      description: 'Members can create dashboards and share them with others.',
      default: 'administrator',
    },
  },
  settings: settingsCard({
    properties: { migrated: unavailable({ type: 'boolean', default: false, readonly: true }), group: groupList },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    dashboard: SettingsOf<typeof dashboard>;
  }
}

interface DashboardNouns {
  readonly dashboards: Dashboards;
  readonly cards: () => readonly CardType[];
  readonly cardSources: CardSources;
  /** The first who manages the site. */
  readonly administrator: () => Promise<number>;
}

const records = lockoutResource({ resource, t });
const lockoutEvents = ['lockout-host', 'lockout-user', 'lockout-username'];

export const dashboardPart = part<DashboardNouns>({
  name: 'dashboard',
  errors: dashboardErrors,
  modules: [dashboard],
  tables: {
    migrations: dashboardMigrations,
    users: { secsuite_dashboards: ['created_by'], secsuite_dashboard_shares: ['user_id'] },
  },
  make: (
    { store, clock, identity },
    { logs, bans, lockouts, showLockouts, switches, manage, cardAccess, accounts },
  ) => {
    const cardSources = createCardSources();
    const dashboards = createDashboards({ store, clock });
    cardAccess.provide(async (caller, cards) => {
      if (manage.mayMakeDashboards(caller)) return true;
      const shared = (await dashboards.all()).filter((one) => isShared(caller, one));
      return shared.some((one) => one.cards.some(({ type }) => cards.includes(type)));
    });
    return {
      cardSources,
      dashboards,
      async administrator() {
        const first = { limit: 1, offset: 0, order: 'asc', orderBy: 'id', searchPrivate: false } as const;
        const { items } = await identity.users.list({ capabilities: ['manage_options'], ...first });
        return items[0]?.id ?? 0;
      },
      cards: createCards({
        logs,
        bans,
        lockouts,
        showLockouts,
        accounts,
        users: identity.users,
        roles: identity.roles,
        sources: cardSources,
        now: clock,
        isRunning: switches.isRunning,
        present: (shown) => records.present(shown, 'view', undefined),
        async countLockouts() {
          const all = await logs.events.count({ bucket: 'day', start: new Date(0), end: clock() }, lockoutEvents);
          return all.reduce((sum, { count }) => sum + count, 0);
        },
      }),
    };
  },
  on: { 'user.deleted': ({ user }, { dashboards }) => dashboards.forget(user.id) },
  transfers: ({ dashboards, base, administrator }) => [dashboardsSource(dashboards, base.clock, administrator)],
  routes: ({ tools, gate, use }) => ({
    v1: dashboardRoutes(tools, {
      gate,
      mayCreate: (caller) => use?.manage.mayMakeDashboards(caller) === true,
      presentLockout: (shown, context) => records.present(shown, context, undefined),
    }),
  }),
});

// Dashboards: what was counted, and the cards that show it.
import type { Caller } from '#kernel/caller.ts';
import { resource } from '#kernel/resource.ts';
import { t } from '#kernel/schema.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Rights } from '#site/identity/rights.ts';
import { userMeta } from '#site/identity/users/additions.ts';
import type { User } from '#site/identity/users/user.ts';
import { lockoutResource } from '../../lockouts/record.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { groupList, settingsCard, unavailable } from '../../setting-schemas.ts';
import { type CardSources, type CardType, createCardSources } from './card-data.ts';
import { createCards } from './cards.ts';
import { createDashboards, type Dashboards, dashboardErrors } from './dashboards.ts';
import { isShared, isSharedWith } from './making.ts';
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
  readonly userRights: Pick<Rights, 'mayEdit'>;
  /** Ends the sessions of a user; of the caller, the other sessions. */
  readonly signOut: (caller: Caller, user: User) => Promise<unknown>;
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
    users: {
      secsuite_dashboards: ['created_by'],
      secsuite_dashboard_shares: ['user_id'],
      secsuite_primary_dashboards: ['user_id'],
    },
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
      userRights: identity.rights,
      async signOut(caller, user) {
        const credential = credentialOf(caller);
        const isOwn = credential?.kind === 'session' && user.id === caller.id;
        await identity.sessions.endAll(user, isOwn ? { session: credential.session.id } : undefined);
      },
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
  cardActions: ({ signOut }) => ({
    logout: {
      async run(caller, user) {
        await signOut(caller, user!);
        return null;
      },
    },
  }),
  extendsUsers: {
    meta: {
      _secsuite_primary_dashboard: userMeta({
        schema: t.integer({ minimum: 0 }),
        of: (users, { dashboards }: DashboardNouns) => dashboards.primaryOf(users),
        async fault(user, id: number, { dashboards }) {
          const found = id === 0 ? undefined : await dashboards.find(id);
          const isSeen = found !== undefined && (found.created_by === user.id || isSharedWith(user, found));
          return id === 0 || isSeen ? undefined : `You have no dashboard ${id}.`;
        },
        change: (user, id: number, { dashboards }) => dashboards.choosePrimary(user, id),
      }),
    },
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

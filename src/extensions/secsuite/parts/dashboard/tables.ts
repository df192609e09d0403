// Dashboards: each with its cards, and with whom it is shared.
import type { Generated, Selectable } from 'kysely';
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface DashboardTables {
  secsuite_dashboards: { id: Generated<number>; created_by: number; created_at: Instant; label: string };
  secsuite_dashboard_cards: {
    id: Generated<number>;
    dashboard: number;
    type: string;
    /** By breakpoint: `{w, h}`. */
    size: JsonText;
    /** By breakpoint: `{x, y}`. */
    position: JsonText;
    settings: JsonText;
  };
  /** With a user, or with everybody who has a role. */
  secsuite_dashboard_shares: { dashboard: number; user_id: number | null; role: string | null };
  /** The dashboard that a user sees first. */
  secsuite_primary_dashboards: { user_id: number; dashboard: number };
}

export type CardRow = Selectable<DashboardTables['secsuite_dashboard_cards']>;

export const dashboardMigrations: readonly Migration[] = [
  {
    name: '0001-suite-dashboards',
    up: async ({ db, table, column }) => {
      await table('secsuite_dashboards')
        .addColumn('id', column.id)
        .addColumn('created_by', column.integer, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('label', column.text, (c) => c.notNull())
        .execute();
      await table('secsuite_dashboard_cards')
        .addColumn('id', column.id)
        .addColumn('dashboard', column.integer, (c) => c.notNull())
        .addColumn('type', column.text, (c) => c.notNull())
        .addColumn('size', column.json, (c) => c.notNull())
        .addColumn('position', column.json, (c) => c.notNull())
        .addColumn('settings', column.json, (c) => c.notNull())
        .execute();
      await table('secsuite_dashboard_shares')
        .addColumn('dashboard', column.integer, (c) => c.notNull())
        .addColumn('user_id', column.integer)
        .addColumn('role', column.text)
        .execute();
      const index = (on: string, to: string) =>
        db.schema.createIndex(`secsuite_${on}_of`).on(`secsuite_${on}`).column(to).execute();
      await index('dashboards', 'created_by');
      await index('dashboard_cards', 'dashboard');
      await index('dashboard_shares', 'dashboard');
    },
  },
  {
    name: '0002-suite-primary-dashboards',
    up: async ({ table, column }) => {
      await table('secsuite_primary_dashboards')
        .addColumn('user_id', column.integer, (c) => c.primaryKey())
        .addColumn('dashboard', column.integer, (c) => c.notNull())
        .execute();
    },
  },
];

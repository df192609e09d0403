// Results of scans, the vulnerabilities that they found, and verdicts on files that were looked at.
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export interface ScanTables {
  secsuite_scans: {
    /** The id of its log entry, if the log is in the database. */
    id: number;
    created_at: Instant;
    url: string;
    code: string;
    entries: JsonText;
    errors: JsonText;
    issues: JsonText;
    /** Hash of the inventory and of what is muted: a scan with the same state need not run again at once. */
    state: string;
  };
  secsuite_vulnerabilities: VulnerabilityRow;
  secsuite_file_verdicts: {
    sha256: string;
    /** The engine and the version of its signatures. */
    engine: string;
    threats: JsonText;
    created_at: Instant;
  };
}

export interface VulnerabilityRow {
  id: string;
  advisory: string;
  type: string;
  slug: string;
  label: string;
  details: JsonText;
  first_seen: Instant;
  last_seen: Instant;
  /** Empty while it is unresolved. */
  resolution: string;
  resolved_at: Instant | null;
  resolved_by: number | null;
}

export const scanMigrations: readonly Migration[] = [
  {
    name: '0001-suite-site-scanner',
    up: async ({ table, column, db }) => {
      await table('secsuite_scans')
        .addColumn('id', column.integer, (c) => c.primaryKey())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('url', column.text, (c) => c.notNull())
        .addColumn('code', column.text, (c) => c.notNull())
        .addColumn('entries', column.json, (c) => c.notNull())
        .addColumn('errors', column.json, (c) => c.notNull())
        .addColumn('issues', column.json, (c) => c.notNull())
        .addColumn('state', column.text, (c) => c.notNull())
        .execute();
      await db.schema.createIndex('secsuite_scans_at').on('secsuite_scans').columns(['created_at', 'id']).execute();
      await table('secsuite_vulnerabilities')
        .addColumn('id', column.text, (c) => c.primaryKey())
        .addColumn('advisory', column.text, (c) => c.notNull())
        .addColumn('type', column.text, (c) => c.notNull())
        .addColumn('slug', column.text, (c) => c.notNull())
        .addColumn('label', column.text, (c) => c.notNull())
        .addColumn('details', column.json, (c) => c.notNull())
        .addColumn('first_seen', column.instant, (c) => c.notNull())
        .addColumn('last_seen', column.instant, (c) => c.notNull())
        .addColumn('resolution', column.text, (c) => c.notNull())
        .addColumn('resolved_at', column.instant)
        .addColumn('resolved_by', column.integer)
        .addUniqueConstraint('secsuite_vulnerabilities_of', ['advisory', 'type', 'slug'])
        .execute();
      await table('secsuite_file_verdicts')
        .addColumn('sha256', column.text, (c) => c.primaryKey())
        .addColumn('engine', column.text, (c) => c.notNull())
        .addColumn('threats', column.json, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .execute();
    },
  },
];

/** They hold nothing that is served to visitors. */
export const quietScanTables = ['secsuite_scans', 'secsuite_vulnerabilities', 'secsuite_file_verdicts'] as const;

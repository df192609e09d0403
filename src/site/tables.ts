// Every table of the site itself, in the order they are made.
import type { TableOwner } from '#store/migrate.ts';
import { authorTables } from './content/authors/tables.ts';
import { mediaTables } from './content/media/tables.ts';
import { contentTables } from './content/migrations.ts';
import { guessTables } from './content/post-passwords/tables.ts';
import { mailTables } from './email/tables.ts';
import { markTables } from './health/marks.ts';
import { identityTables } from './identity/tables.ts';
import { jobTables } from './jobs/tables.ts';
import { packageTables } from './packages/tables.ts';
import { dailyCountTables } from './platform/daily-counts.ts';
import { keyTables } from './platform/keys.ts';
import { leaseTables } from './platform/leases.ts';
import { rateLimitTables } from './platform/rate-limits.ts';
import { settingsTable } from './platform/settings/tables.ts';
import { totalTables } from './platform/totals.ts';
import { movingTables } from './transfer/import/tables.ts';

// The versions that changed the database. A program refuses a database with a version that it does not know, and so one that a
// newer program has changed, whoever owns what is new in it.

const versions = ['0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0'];

export const releases: TableOwner = {
  owner: 'release',
  migrations: versions.map((name) => ({ name, up: async () => {} })),
};

export const siteTables: readonly TableOwner[] = [
  releases,
  keyTables,
  totalTables,
  leaseTables,
  rateLimitTables,
  dailyCountTables,
  identityTables,
  contentTables,
  mediaTables,
  authorTables,
  jobTables,
  settingsTable,
  mailTables,
  movingTables,
  markTables,
  packageTables,
  guessTables,
];

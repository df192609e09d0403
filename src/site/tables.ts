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
import { keyTables } from './platform/keys.ts';
import { leaseTables } from './platform/leases.ts';
import { rateLimitTables } from './platform/rate-limits.ts';
import { releases } from './platform/releases.ts';
import { settingsTable } from './platform/settings/tables.ts';
import { totalTables } from './platform/totals.ts';
import { movingTables } from './transfer/import/tables.ts';

export const siteTables: readonly TableOwner[] = [
  releases,
  keyTables,
  totalTables,
  leaseTables,
  rateLimitTables,
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

// All that the suite keeps, room by room.
import type { Extension } from '#site/extension.ts';
import { banMigrations, quietBanTables } from './bans/tables.ts';
import { clientMigrations } from './client/tables.ts';
import { fileMigrations, quietFileTables } from './file-change/tables.ts';
import { firewallMigrations } from './firewall/tables.ts';
import { groupMigrations } from './groups/tables.ts';
import { lockoutMigrations, quietLockoutTables } from './lockouts/tables.ts';
import { derivedLogTables, logMigrations, quietLogTables } from './logs/tables.ts';
import { noticeMigrations } from './notices/tables.ts';
import { notificationMigrations, quietNotificationTables } from './notifications/tables.ts';
import { passwordMigrations } from './passwords/tables.ts';
import { settingsMigrations } from './settings/tables.ts';
import { switchMigrations } from './switches/tables.ts';
import { quietUserActionTables, userActionMigrations } from './user-actions/tables.ts';

export const tables: Extension['tables'] = {
  migrations: [
    ...switchMigrations,
    ...settingsMigrations,
    ...groupMigrations,
    ...banMigrations,
    ...clientMigrations,
    ...lockoutMigrations,
    ...logMigrations,
    ...firewallMigrations,
    ...fileMigrations,
    ...passwordMigrations,
    ...userActionMigrations,
    ...notificationMigrations,
    ...noticeMigrations,
  ],
  quiet: [
    ...quietBanTables,
    ...quietFileTables,
    ...quietLockoutTables,
    ...quietLogTables,
    ...quietUserActionTables,
    ...quietNotificationTables,
  ],
  derived: derivedLogTables,
};

// The devices that users signed in with, and which of them each session is used on.
import type { Generated, Selectable } from 'kysely';
import type { Instant, JsonText } from '#store/columns.ts';
import type { Migration } from '#store/migrate.ts';

export const statuses = ['approved', 'auto-approved', 'pending-auto-approve', 'pending', 'denied'] as const;
export type DeviceStatus = (typeof statuses)[number];

interface DevicesTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  /** Of all that the browser says of itself, and its IP address. */
  hash: string;
  device: JsonText;
  status: DeviceStatus;
  /** The email address of the user when the device was first seen. */
  email: string;
  uses: number;
  created_at: Instant;
  last_seen: Instant;
  approved_at: Instant | null;
}

export interface DeviceTables {
  secsuite_devices: DevicesTable;
  secsuite_device_sessions: { session_id: number; user_id: number; device_id: number };
}
export type DeviceRow = Selectable<DevicesTable>;

export const deviceMigrations: readonly Migration[] = [
  {
    name: '0001-suite-devices',
    up: async ({ db, table, column }) => {
      await table('secsuite_devices')
        .addColumn('id', column.id)
        .addColumn('uuid', column.text, (c) => c.notNull())
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('hash', column.text, (c) => c.notNull())
        .addColumn('device', column.json, (c) => c.notNull())
        .addColumn('status', column.text, (c) => c.notNull())
        .addColumn('email', column.text, (c) => c.notNull())
        .addColumn('uses', column.integer, (c) => c.notNull())
        .addColumn('created_at', column.instant, (c) => c.notNull())
        .addColumn('last_seen', column.instant, (c) => c.notNull())
        .addColumn('approved_at', column.instant)
        .execute();
      await table('secsuite_device_sessions')
        .addColumn('session_id', column.integer, (c) => c.primaryKey())
        .addColumn('user_id', column.integer, (c) => c.notNull())
        .addColumn('device_id', column.integer, (c) => c.notNull())
        .execute();
      const index = (name: string, columns: ('user_id' | 'hash' | 'status' | 'last_seen')[]) =>
        db.schema.createIndex(name).on('secsuite_devices').columns(columns);
      await index('secsuite_devices_by_user', ['user_id', 'hash']).unique().execute();
      await index('secsuite_devices_by_status', ['status', 'last_seen']).execute();
    },
  },
];

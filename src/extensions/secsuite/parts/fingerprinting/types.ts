// What the files of this folder share: a device as it is known, and what they work with.
import type { Services } from '#site/extension.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Locator } from '../../addresses/location.ts';
import type { Device } from '../../client/devices.ts';
import type { Matchables } from '../../groups/groups.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Center } from '../../notifications/center.ts';
import type { Settings } from '../../settings/types.ts';
import type { DeviceRow } from './tables.ts';

export interface KnownDevice extends Omit<DeviceRow, 'device'> {
  readonly device: Device;
}

export interface DeviceDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly matches: Matchables['matches'];
  readonly locator: Pick<Locator, 'locate'>;
  readonly logs: Pick<Logs, 'write'>;
  readonly center: Pick<Center, 'send' | 'isWanted'>;
  readonly accounts: Pick<Accounts, 'passwordless' | 'twoFactorFacts'>;
  /** Whether the module is on, and the suite. */
  isOn(): boolean;
}

export type DeviceServices = Pick<
  Services,
  'store' | 'clock' | 'keys' | 'identity' | 'site' | 'about' | 'mail' | 'log' | 'events' | 'rateLimits'
>;

// Trusted devices: a sign-in with a new device is judged by the devices that the user has, and the user is asked by email.
import { day } from '#lib/spans.ts';

import { about, ofUser } from '../../logs/named.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { personTags, siteTags, whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { flag, groupList, settingsCard } from '../../setting-schemas.ts';
import { createDevices } from './devices.ts';
import { deviceErrors } from './errors.ts';
import { createDeviceGuard } from './guard.ts';
import { devicePages, devicesLink } from './pages.ts';
import { deviceRoutes } from './routes.ts';
import { deviceMigrations } from './tables.ts';

const fingerprinting = {
  id: 'fingerprinting',
  type: 'login',
  standing: 'default-inactive',
  onboard: true,
  title: 'Trusted devices',
  description: 'Notices when an account signs in with a new device, and asks its owner by email.',
  help: 'The site recognizes a device by its IP address and its browser. The first device of an account is confirmed automatically. Turn on the email “Sign-in from an unknown device” as well: without it, users are not asked.',
  userGroups: {
    group: {
      title: 'Trusted devices',
      description: 'Members receive an email when a new device uses their account.',
    },
  },
  settings: settingsCard({
    properties: {
      restrict_capabilities: flag(
        false,
        'Fewer rights on new devices',
        'Until a device is confirmed, users cannot manage accounts, extensions or security with it, and cannot change their own email address or password. It needs the email “Sign-in from an unknown device”.',
      ),
      session_hijacking_protection: flag(
        false,
        'Notice stolen sessions',
        'A session that continues on a very different device is ended. Users whose IP address changes often have to sign in again.',
      ),
      group: groupList,
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    fingerprinting: SettingsOf<typeof fingerprinting>;
  }
}

export const fingerprintingPart = part({
  name: 'fingerprinting',
  modules: [fingerprinting],
  errors: deviceErrors,
  tables: {
    migrations: deviceMigrations,
    users: { secsuite_devices: ['user_id'], secsuite_device_sessions: ['user_id'] },
  },
  notifications: [
    {
      slug: 'unrecognized-login',
      ...whileRunning('fingerprinting'),
      recipient: 'user',
      label: 'Sign-in from an unknown device',
      description: 'Asks users to confirm a sign-in with a new device.',
      subject: 'A new device has signed in as you',
      message:
        '<h2>Was that you?</h2><p>Hello {{ $display_name }},</p><p>on {{ $date }} at {{ $time }}, a device that was not seen before signed in to your account {{ $username }} at {{ $site_title }}.</p><p>Place: {{ $location }}. IP address: {{ $ip }}. Browser: {{ $browser }}. System: {{ $platform }}.</p>',
      optional: false,
      tags: {
        ...personTags,
        location: 'Approximate location of the device.',
        ip: 'IP address of the device.',
        browser: 'The browser of the device.',
        platform: 'The system of the device.',
        site_title: siteTags.site_title,
        date: 'The day of the sign-in.',
        time: 'The time of the sign-in.',
      },
    },
  ],
  logged: {
    fingerprinting: {
      label: 'Trusted devices',
      codes: {
        created: about('A device was seen for the first time'),
        comparison: 'A device was compared with those known',
        status: about('The status of a device changed'),
        session_destroyed: ofUser('A session that continued on another device was ended'),
        session_switched_known: ofUser('A session continued on a confirmed device'),
        session_switched_unknown: ofUser('A session continued on an unknown device'),
        denied_fingerprint_blocked: ofUser('A denied device could not sign in'),
      },
    },
  },
  make: (services, { settings, matchables, locator, logs, center, accounts, defends }) => {
    const isOn = () => defends('fingerprinting');
    const { matches } = matchables;
    const devices = createDevices(services, { settings, matches, locator, logs, center, accounts, isOn });
    const { sessions, users } = services.identity;
    return { devices, deviceUsers: users, deviceGuard: createDeviceGuard({ devices, sessions, settings, locator }) };
  },
  guards: ({ deviceGuard }) => [deviceGuard.guard],
  checks: ({ devices, deviceGuard }) => [
    {
      entering: (user) => (devices.isWatched(user) ? devices.enter(user) : undefined),
      withholds: deviceGuard.withholds,
      account: async (user) => (devices.isWatched(user) ? [await devicesLink(devices, user)] : []),
    },
  ],
  pages: ({ devices, deviceUsers: users, defends }, house) =>
    defends('fingerprinting') ? devicePages({ devices, users }, house) : [],
  routes: ({ tools, isRunning }) => (isRunning('fingerprinting') ? { v1: deviceRoutes(tools) } : {}),
  tasks: [
    {
      name: 'trusted-devices',
      every: day,
      module: 'fingerprinting',
      run: async ({ devices }) => {
        await devices.autoApprove();
        await devices.sweep();
      },
    },
  ],
  on: { 'user.deleted': ({ user }, { devices }) => devices.forget(user) },
});

// Devices that somebody has signed in with before.

import { about } from '../../logs/named.ts';
import type { Module } from '../../module.ts';
import { personTags, siteTags, whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { allUnavailable, flag, groupList, later, settingsCard } from '../../setting-schemas.ts';

const fingerprinting: Module = {
  id: 'fingerprinting',
  type: 'login',
  standing: 'default-inactive',
  onboard: true,
  title: 'Trusted devices',
  description: `${later} Will notice when an account signs in with a new device, and ask its owner by email.`,
  help: later,
  userGroups: {
    group: {
      title: 'Devices are looked at',
      description: 'Members are asked when their account is used on a device that is new.',
    },
  },
  settings: settingsCard({
    properties: allUnavailable({
      restrict_capabilities: flag(
        false,
        'Fewer rights on new devices',
        'Until a device is confirmed, nobody can manage accounts, extensions or security with it.',
      ),
      session_hijacking_protection: flag(
        false,
        'Notice stolen sessions',
        'A session that goes on with quite another device is ended.',
      ),
      group: groupList,
    }),
  }),
};

export const fingerprintingPart = part({
  name: 'fingerprinting',
  modules: [fingerprinting],
  notifications: [
    {
      slug: 'unrecognized-login',
      ...whileRunning('fingerprinting'),
      recipient: 'user',
      label: 'Sign-in from an unknown device',
      description: 'Asks people whether it was they who signed in with a device that was not seen before.',
      subject: 'A new device has signed in as you',
      message:
        '<h2>Was that you?</h2><p>Hello {{ $display_name }},</p><p>on {{ $date }} at {{ $time }} somebody signed in to your account {{ $username }} at {{ $site_title }} with a device that we do not know.</p><p>Place: {{ $location }}. Address: {{ $ip }}. Browser: {{ $browser }}. System: {{ $platform }}.</p><p>If it was not you, please change your password at once.</p>',
      optional: false,
      tags: {
        ...personTags,
        location: 'Where the device seems to be.',
        ip: 'The address of the device.',
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
        created: 'A device was seen for the first time',
        comparison: 'A device was compared with those known',
        status: about('The standing of a device changed'),
        session_destroyed: 'A session of an unknown device was ended',
        session_switched_known: 'A session went over to a known device',
        session_switched_unknown: 'A session went over to an unknown device',
        denied_fingerprint_blocked: 'A refused device was kept out',
      },
    },
  },
});

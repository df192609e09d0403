// Devices that somebody has signed in with before.
import type { Module } from '../module.ts';
import { allUnavailable, flag, groupList, later, settingsCard } from './card.ts';

export const fingerprinting: Module = {
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

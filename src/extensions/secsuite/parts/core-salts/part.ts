// The keys that sessions and one-time links are signed with.

import type { SessionKey } from '#site/identity/session-key.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { noted, settingsCard } from '../../setting-schemas.ts';
import type { Settings } from '../../settings/types.ts';
import type { Doing } from '../../tools/tools.ts';

const coreSalts = {
  id: 'core-salts',
  type: 'tool',
  standing: 'always-active',
  title: 'Session keys',
  description: '',
  tools: {
    'change-salts': {
      title: 'Change the session keys',
      description: 'Creates new session keys, which signs out all users.',
      help: 'Use this if a session or the keys may have been stolen. You must sign in again too.',
    },
  },
  settings: settingsCard({ properties: { last_generated: noted }, ours: ['last_generated'] }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'core-salts': SettingsOf<typeof coreSalts>;
  }
}

/** A manager replaces the keys of sessions and one-time links when they may have become known. */
interface SaltDeps {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly sessionKey: SessionKey;
  clock(): Date;
}

const saltTools = ({ settings, sessionKey, clock }: SaltDeps): Readonly<Record<string, Doing>> => ({
  'change-salts': {
    isAvailable: () => settings.of('global').write_files,
    async run() {
      await sessionKey.renew();
      await settings.keep('core-salts', { last_generated: Math.floor(clock().getTime() / 1_000) });
      return { success: ['All users are signed out, and the session keys are new.'] };
    },
  },
});

export const coreSaltsPart = part({
  name: 'core-salts',
  modules: [coreSalts],
  make: ({ sessionKey, clock }, { settings }) => ({ saltTools: saltTools({ settings, sessionKey, clock }) }),
  tools: ({ saltTools }) => saltTools,
});

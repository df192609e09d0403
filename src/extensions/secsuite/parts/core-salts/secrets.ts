// The keys of sessions and one-time links. A manager replaces them when they may have become known.
import type { SessionKey } from '#site/identity/session-key.ts';
import type { Settings } from '../../settings/types.ts';
import type { Doing } from '../../tools/tool.ts';

interface SaltDeps {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly sessionKey: SessionKey;
  clock(): Date;
}

export const saltTools = ({ settings, sessionKey, clock }: SaltDeps): Readonly<Record<string, Doing>> => ({
  'change-salts': {
    isAvailable: () => settings.of('global').write_files === true,
    async run() {
      await sessionKey.renew();
      await settings.keep('core-salts', { last_generated: Math.floor(clock().getTime() / 1_000) });
      return { success: ['Everybody is signed out, and there are new keys for sessions.'] };
    },
  },
});

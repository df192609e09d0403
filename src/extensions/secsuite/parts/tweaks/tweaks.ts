// The guards and the sign-in check of the tweaks.
import type { Services } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Check } from '#site/identity/checks.ts';
import type { Settings } from '../../settings/types.ts';
import { secured } from './https.ts';
import { checkingLogins } from './login-type.ts';
import { restricting } from './restricted.ts';
import { type CoreTweaks, id } from './tweak-settings.ts';

interface Needs extends Pick<Services, 'clients' | 'content'> {
  /** The address of the site. */
  readonly url: string;
  readonly settings: Pick<Settings, 'of' | 'isReady'>;
  isRunning(module: string): boolean;
}

export interface Tweaks {
  readonly guards: readonly Guard[];
  readonly check: Check;
}

export function createTweaks({ url, clients, content, settings, isRunning }: Needs): Tweaks {
  // At the command line nobody waits until it is read what is set.
  const now = (): CoreTweaks | undefined =>
    settings.isReady && isRunning(id) ? settings.of<CoreTweaks>(id) : undefined;
  return {
    guards: [
      secured({ url, clients, isOn: () => isRunning('ssl') }),
      restricting({ kinds: content.kinds, isRestricted: () => now()?.rest_api === 'restrict-access' }),
    ],
    check: {
      ...checkingLogins(() => now()?.valid_user_login_type ?? 'both'),
      hidesLogins: () => now()?.force_unique_nicename === true,
    },
  };
}

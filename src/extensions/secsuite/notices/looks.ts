// The notices that are always known, and when there is something to say.
import { day } from '#lib/spans.ts';
import type { Settings } from '../settings/types.ts';
import type { Switches } from '../switches/types.ts';
import type { Action, Look, Notice } from './notice.ts';

export interface LookNeeds {
  readonly settings: Pick<Settings, 'of' | 'overlay'>;
  readonly switches: Pick<Switches, 'isActive' | 'isRunning' | 'set'>;
  /** Whether there is a secret that no key opens. */
  hasUnreadable(): Promise<boolean>;
  /** Whether a community list is named that this site could join. */
  hasRegistry(): boolean;
  /** Whether the operator switched the suite off. */
  isOff(): boolean;
  /** A header with the address of a visitor, from somebody in a network of ours whom the site does not believe. */
  stray(): { readonly header: string; readonly peer: string } | undefined;
  dismiss(id: string): Promise<void>;
  putOff(id: string, milliseconds: number): Promise<void>;
}

type Found = Notice | undefined;

/** Each with what it needs. */
export const looksOf = (needs: LookNeeds): readonly Look[] =>
  [...[insecureDetection, strayHeader, unreadableSecrets, brokenCaptcha, switchedOff], communityList].map(
    (look) => () => look(needs),
  );

const dismissal = (id: string, { dismiss }: LookNeeds): Action => ({
  ...{ title: 'Dismiss', style: 'close' },
  run: () => dismiss(id),
});

/** Where something is set. */
const place = (title: string, route: string, style: Action['style'] = 'primary'): Action => ({ title, style, route });

function insecureDetection({ settings, switches, putOff }: LookNeeds): Found {
  const id = 'insecure-ip-detection';
  const { proxy, onboard_complete } = settings.of('global');
  if (proxy !== 'automatic' || onboard_complete !== true) return undefined;
  return {
    ...{ id, severity: 'warning', title: 'Say where visitors come from' },
    message:
      'It was not chosen how the address of a visitor is found. Until then nobody is locked out or banned by it.',
    actions: {
      enable: {
        ...{ title: 'Find out by itself', style: 'primary' },
        run: async (behalf) => {
          await switches.set('security-check-pro', true, behalf);
          await settings.overlay('global', { proxy: 'security-check' }, behalf);
        },
      },
      configure: place('Choose', '/settings/global#proxy', 'link'),
      remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) },
    },
  };
}

function strayHeader({ stray, putOff }: LookNeeds): Found {
  const id = 'untrusted-proxy-header';
  const seen = stray();
  if (seen === undefined) return undefined;
  return {
    ...{ id, severity: 'warning', title: 'Name your proxy' },
    message: `${seen.peer} says in the header ${seen.header} whose request it passes on, and the site does not believe it. If that is your proxy, all visitors seem to have its address, and are locked out together: whoever runs the site names it in GATEHOUSE_TRUST_PROXY.`,
    actions: { remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) } },
  };
}

async function unreadableSecrets(needs: LookNeeds): Promise<Found> {
  const id = 'encryption-key-changed';
  if (!(await needs.hasUnreadable())) return undefined;
  return {
    ...{ id, severity: 'error', title: 'Secrets cannot be read' },
    message:
      'Keys and passwords among the settings were sealed with a key that this site has not got. Please set them again.',
    actions: { dismiss: dismissal(id, needs), set: place('See the tools', '/tools#set-encryption-key') },
  };
}

function brokenCaptcha({ settings, switches }: LookNeeds): Found {
  const { validated, last_error } = switches.isActive('recaptcha') ? settings.of('recaptcha') : {};
  if (validated !== false || typeof last_error !== 'string' || last_error === '') return undefined;
  return {
    ...{ id: 'recaptcha-error', severity: 'error', title: 'The captcha does not work' },
    message: 'The keys of the captcha are not right, so nobody is asked to solve one.',
    actions: {},
  };
}

function switchedOff({ isOff }: LookNeeds): Found {
  if (!isOff()) return undefined;
  return {
    ...{ id: 'disable-modules', severity: 'warning', title: 'The security suite is switched off' },
    message: 'Whoever runs the site has switched the security suite off. It defends nothing until that is undone.',
    actions: {},
  };
}

function communityList(needs: LookNeeds): Found {
  const id = 'network-brute-force-promo';
  if (!needs.hasRegistry() || needs.settings.of('network-brute-force').api_key !== '') return undefined;
  return {
    ...{ id, severity: 'info', title: 'Join the community list' },
    message: 'Sites that share who attacks them are attacked less.',
    actions: {
      register: place('Join', '/settings/configure/lockout#network-brute-force'),
      dismiss: dismissal(id, needs),
    },
  };
}

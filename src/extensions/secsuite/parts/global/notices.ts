// Notices about the way the site finds the IP addresses of its visitors.
import { day } from '#lib/spans.ts';
import { linkTo, type NoticeSource } from '../../notices/notice.ts';
import type { Shared } from '../../shared.ts';

export const insecureDetection: NoticeSource<Pick<Shared, 'settings' | 'switches'>> = (
  { settings, switches },
  { putOff },
) => {
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
      configure: linkTo('Choose', '/settings/global#proxy', 'link'),
      remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) },
    },
  };
};

export const strayHeader: NoticeSource<Pick<Shared, 'client'>> = ({ client }, { putOff }) => {
  const id = 'untrusted-proxy-header';
  const seen = client.stray.last();
  if (seen === undefined) return undefined;
  return {
    ...{ id, severity: 'warning', title: 'Name your proxy' },
    message: `${seen.peer} says in the header ${seen.header} whose request it passes on, and the site does not believe it. If that is your proxy, all visitors seem to have its address, and are locked out together: whoever runs the site names it in GATEHOUSE_TRUST_PROXY.`,
    actions: { remind_me: { title: 'Remind me later', style: 'close', run: () => putOff(id, 7 * day) } },
  };
};

// Emails about devices, and the signed links in them. A link names the user, the device and what it does; it works for 7 days.
import { browserName } from '#lib/browser-name.ts';
import { day, hour, second } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import { isSame, keyedHash } from '#site/platform/keys.ts';
import { minute } from '../../base.ts';
import type { DeviceDeps, DeviceServices, KnownDevice } from './types.ts';

export const deviceLinkPath = '/trusted-device';
export const deeds = ['approve', 'deny'] as const;
export type Deed = (typeof deeds)[number];

const linkLife = 7 * day;
const maxEmailsInAnHour = 10;

/** A link that was not changed and is not too old. */
export interface DeviceLink {
  readonly user: number;
  readonly uuid: string;
  readonly deed: Deed;
}

const questionWith = (approve: string, deny: string): string =>
  [
    'If this was you, confirm the device here:',
    approve,
    'If this was not you, deny the device here. All sessions end, and you choose a new password:',
    deny,
    'The links work for 7 days.',
  ].join('\n\n');

export function createDeviceEmails(services: DeviceServices, { center, locator }: DeviceDeps) {
  const { clock, keys, site, mail, about, log, events, rateLimits, store } = services;
  const signature = (user: number | string, uuid: string, deed: string, until: string): string =>
    keyedHash(keys.sessions, `device link ${user} ${uuid} ${deed} ${until}`);

  function linkTo(user: User, { uuid }: KnownDevice, deed: Deed): string {
    const until = String(Math.floor((clock().getTime() + linkLife) / second));
    const query = new URLSearchParams({ user: String(user.id), device: uuid, do: deed, until });
    return `${site.url}${deviceLinkPath}?${query}&key=${signature(user.id, uuid, deed, until)}`;
  }

  async function ask(user: User, one: KnownDevice): Promise<void> {
    const isFew = () => rateLimits.take(`device emails ${user.id}`, maxEmailsInAnHour, hour);
    if (user.email === '' || !(await store.write(isFew))) return;
    const { browser, platform } = namesOf(one);
    const [date = '', ...time] = minute(one.created_at).split(' ');
    const location = await placeOf(one, locator);
    const tags = {
      username: user.login,
      display_name: user.name,
      ip: one.device.ip,
      browser,
      platform,
      location,
      date,
      time: time.join(' '),
    };
    const text = questionWith(linkTo(user, one, 'approve'), linkTo(user, one, 'deny'));
    await center.send('unrecognized-login', { to: user.email, awaited: true, tags, text });
  }

  return {
    /** Emails the user whether the device is theirs. The request does not wait for it. */
    askLater: (user: User, one: KnownDevice): void => events.follow('login.succeeded', () => ask(user, one)),
    async tellApproved({ name, login, email }: User, one: KnownDevice): Promise<void> {
      if (email === '') return;
      const { title, url } = await about();
      const text = [
        `Hello ${name},`,
        `the device "${browserName(one.device.agent)}" with the IP address ${one.device.ip} was confirmed. You can use it without limits.`,
        `If it was you, no action is needed. If not, change your password at ${url}/account.`,
        `You get this message because it is about your account "${login}" at ${title} (${url}).`,
      ].join('\n\n');
      await mail
        .send({ to: email, subject: `[${title}] A device of yours was confirmed`, text })
        .catch((error) => log.error({ err: error }, 'An email about a device could not be queued'));
    },
    linkIn(sent: Readonly<Record<string, unknown>>): DeviceLink | undefined {
      const [user, uuid, deed, until, key] = ['user', 'device', 'do', 'until', 'key'].map((name) =>
        typeof sent[name] === 'string' ? sent[name] : '',
      ) as [string, string, string, string, string];
      const isSigned =
        /^\d{1,15}$/.test(user) && /^\d{1,12}$/.test(until) && isSame(key, signature(user, uuid, deed, until));
      const isOver = Number(until) * second <= clock().getTime();
      const found = deeds.find((one) => one === deed);
      return isSigned && !isOver && found !== undefined ? { user: Number(user), uuid, deed: found } : undefined;
    },
  };
}

export function namesOf({ device }: KnownDevice): { readonly browser: string; readonly platform: string } {
  const [browser = '', platform = 'unknown'] = browserName(device.agent).split(' on ');
  return { browser, platform };
}

/** `unknown` while no places are looked up. */
export async function placeOf({ device }: KnownDevice, { locate }: DeviceDeps['locator']): Promise<string> {
  const place = (await locate(device.ip)) as { readonly label?: unknown } | null | undefined;
  return typeof place?.label === 'string' ? place.label : 'unknown';
}

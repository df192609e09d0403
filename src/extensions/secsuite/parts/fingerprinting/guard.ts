// Sessions and devices: each request of a watched user is judged by the device that it comes from, before anything else is asked.
import { currentRequest, type IncomingRequest, withoutRequest } from '#kernel/request.ts';
import { cookieOf } from '#lib/http-headers.ts';
import type { Guard, Known } from '#site/hooks/guards.ts';
import { type Credential, sessionCookie } from '#site/identity/credential.ts';
import type { Session, Sessions } from '#site/identity/sessions/sessions.ts';
import type { User } from '#site/identity/users/user.ts';
import { cachedByTable } from '#site/platform/cache/records.ts';
import type { Locator } from '../../addresses/location.ts';
import { currentDevice, type Device, similarity } from '../../client/devices.ts';
import type { Settings } from '../../settings/types.ts';
import { type Devices, hashOfDevice, isTrusted } from './devices.ts';
import { deviceErrors } from './errors.ts';
import type { DeviceStatus } from './tables.ts';

interface GuardDeps {
  readonly devices: Devices;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly settings: Pick<Settings, 'of'>;
  readonly locator: Pick<Locator, 'locate'>;
}

/** `stolen`: the session goes on with quite another device. */
type Standing = DeviceStatus | 'stolen';

const minSimilarity = 50;
const maxCached = 5_000;

/** Capabilities that a device which is not confirmed does not have. */
const withheld = /^(?:secsuite_manage|edit_files|update_core|import|export|\w+_(?:users|plugins|themes))$/;

export function createDeviceGuard({ devices, sessions, settings, locator }: GuardDeps) {
  const follow = createFollow({ devices, settings, locator });
  const standings = new WeakMap<IncomingRequest, DeviceStatus>();
  const sessionOf = ({ headers }: IncomingRequest) => {
    const cookie = cookieOf(headers.cookie as string | undefined, sessionCookie);
    return cookie === undefined ? undefined : sessions.find(cookie);
  };
  const isLimited = (status: DeviceStatus | undefined): boolean =>
    devices.isRestricting() && (status === undefined || !isTrusted({ status }));
  const guard: Guard = {
    whenFailing: 'closed',
    async onCaller(incoming, known) {
      const { user } = known;
      const session = user && devices.isWatched(user) ? await sessionOf(incoming) : undefined;
      const device = currentDevice();
      // Apps with a password of their own are no devices.
      if (session === undefined || session.user.id !== user?.id || device === undefined) return undefined;
      const standing = standings.get(incoming) ?? (await withoutRequest(() => follow(session, device)));
      if (standing === 'stolen') return { problem: deviceErrors.deviceSessionEnded(), endsSession: true };
      if (standing === 'denied') return { problem: deviceErrors.deviceDenied(), endsSession: true };
      standings.set(incoming, standing);
      const isRefused = isLimited(standing) && changesSignIn(incoming, known, session.user);
      return isRefused ? { problem: deviceErrors.deviceUnconfirmed() } : undefined;
    },
  };
  return {
    guard,
    withholds(credential: Credential, capability: string): boolean {
      const incoming = currentRequest();
      if (incoming === undefined || credential.kind !== 'session' || !withheld.test(capability)) return false;
      return devices.isWatched(credential.user) && isLimited(standings.get(incoming));
    },
  };
}

/** The standing of the device that a session is used on just now. */
function createFollow({ devices, settings, locator }: Omit<GuardDeps, 'sessions'>) {
  const { store, log } = devices;
  const cached = cachedByTable(store, {
    tables: ['secsuite_devices', 'secsuite_device_sessions'],
    most: maxCached,
    load: async (key): Promise<DeviceStatus | undefined> => {
      const [session = '', hash = ''] = key.split(' ');
      const row = store.db
        .selectFrom('secsuite_device_sessions as used')
        .innerJoin('secsuite_devices as device', 'device.id', 'used.device_id')
        .select('device.status')
        .where('used.session_id', '=', Number(session))
        .where('device.hash', '=', hash);
      return (await row.executeTakeFirst())?.status;
    },
  });
  const formerOf = async ({ id }: Session): Promise<Device | undefined> => {
    const row = store.db
      .selectFrom('secsuite_device_sessions as used')
      .innerJoin('secsuite_devices as device', 'device.id', 'used.device_id')
      .select('device.device')
      .where('used.session_id', '=', id);
    const found = await row.executeTakeFirst();
    return found && (JSON.parse(found.device) as Device);
  };
  const keep = ({ id, user }: Session, device_id: number): Promise<unknown> =>
    store.write((tx) =>
      tx
        .insertInto('secsuite_device_sessions')
        .values({ session_id: id, user_id: user.id, device_id })
        .onConflict((on) => on.column('session_id').doUpdateSet({ device_id }))
        .execute(),
    );
  return async (session: Session, device: Device): Promise<Standing> => {
    const status = await cached(`${session.id} ${hashOfDevice(device)}`);
    if (status !== undefined) return status;
    const { user } = session;
    const former = await formerOf(session);
    const isAlike = former === undefined || (await similarity(device, former, locator)) >= minSimilarity;
    if (!isAlike && settings.of('fingerprinting').session_hijacking_protection) {
      log('session_destroyed', user.id);
      return 'stolen';
    }
    const { found, isNew } = await devices.see(user, device);
    if (former !== undefined) log(isNew ? 'session_switched_unknown' : 'session_switched_known', user.id, found.uuid);
    await keep(session, found.id);
    return found.status;
  };
}

/** What a user can still do on pages of their account. */
const harmless = new Set([
  'end-session',
  'end-other-sessions',
  'sign-out-everywhere',
  'revoke',
  'revoke-all',
  'resend',
]);
const accountPages =
  /^\/(?:account(?:\/.*)?|authorize-application|wp-admin\/(?:authorize-application|profile)\.php)\/?$/;

/** Whether a request would change how its user signs in. */
function changesSignIn({ method, url }: IncomingRequest, { asked, form }: Known, { id }: User): boolean {
  if (asked === undefined) {
    const isPost = method === 'POST' && accountPages.test(pathIn(url));
    return isPost && !harmless.has(typeof form?.do === 'string' ? form.do : '');
  }
  const { route = '', method: what, params } = asked;
  if (what === 'GET' || what === 'HEAD' || what === 'OPTIONS') return false;
  if (/\/application-passwords(?:\/|$)/.test(route)) return what !== 'DELETE';
  if (/\/webauthn\/(?:register-credential|credentials)(?:\/|$)/.test(route)) return true;
  const isOwn = /\/users\/me$/.test(route) || (/\/users\/\(\?P<id>[^/]*$/.test(route) && Number(params.id) === id);
  return isOwn && (params.email !== undefined || params.password !== undefined);
}

function pathIn(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

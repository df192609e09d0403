// Devices that are remembered: on them, a user is not asked for a code for 30 days. The browser keeps a token that changes at each use,
// and the database its keyed hash.
import { randomBytes } from 'node:crypto';
import { currentRequest } from '#kernel/request.ts';
import { cookieOf } from '#lib/http-headers.ts';
import { day, second } from '#lib/spans.ts';
import type { StepCookie } from '#site/identity/checks.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Clock } from '#site/platform/clock.ts';
import { type Keys, keyedHash } from '#site/platform/keys.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Locator } from '../../addresses/location.ts';
import { currentDevice, type Device, similarity } from '../../client/devices.ts';
import type { TwoFactorTables } from './tables.ts';

export interface RememberedDevice {
  readonly id: number;
  readonly device: Device;
  readonly created_at: string;
  readonly used_at: string;
}

export type RememberedDevices = ReturnType<typeof createRememberedDevices>;

interface DeviceDeps {
  readonly store: Store<TwoFactorTables>;
  readonly clock: Clock;
  /** Renewing the key of sessions ends all remembered devices as well. */
  readonly keys: Pick<Keys, 'sessions'>;
  readonly locator: Pick<Locator, 'locate'>;
}

const rememberedFor = 30 * day;
const minSimilarity = 85;
const maxDevices = 20;

const cookieName = (user: Pick<User, 'id'>): string => `site_remembered_${user.id}`;
const tokenIn = (user: Pick<User, 'id'>): string =>
  cookieOf(currentRequest()?.headers.cookie as string | undefined, cookieName(user)) ?? '';

export function createRememberedDevices({ store, clock, keys, locator }: DeviceDeps) {
  const hashOf = ({ id }: Pick<User, 'id'>, token: string): string =>
    keyedHash(keys.sessions, `two-factor device ${id} ${token}`);
  const cookieOfToken = (user: User, value: string, left: number): StepCookie => ({
    name: cookieName(user),
    value,
    seconds: Math.floor(left / second),
  });
  const renew = async (user: User, row: { readonly id: number; readonly hash: string; readonly until: string }) => {
    const token = randomBytes(32).toString('base64url');
    const used_at = instant(clock());
    // Of two requests with the same token, one goes on with a new one.
    const renewed = await store.write((tx) =>
      tx
        .updateTable('secsuite_two_factor_devices')
        .set({ hash: hashOf(user, token), used_at })
        .where('id', '=', row.id)
        .where('hash', '=', row.hash)
        .returning('id')
        .executeTakeFirst(),
    );
    return renewed && cookieOfToken(user, token, Date.parse(row.until) - clock().getTime());
  };
  return {
    /** The next cookie of the browser, if it is remembered and looks like the device that it was. */
    async recognize(user: User): Promise<StepCookie | undefined> {
      const [token, device] = [tokenIn(user), currentDevice()];
      if (token === '' || token.length > 100 || device === undefined) return undefined;
      const row = await store.db
        .selectFrom('secsuite_two_factor_devices')
        .selectAll()
        .where('user_id', '=', user.id)
        .where('hash', '=', hashOf(user, token))
        .where('until', '>', instant(clock()))
        .executeTakeFirst();
      if (row === undefined || (await similarity(device, JSON.parse(row.device), locator)) < minSimilarity)
        return undefined;
      return renew(user, row);
    },
    /** Remembers the device of the request under way. The oldest are forgotten if there are too many. */
    async remember(user: User): Promise<StepCookie | undefined> {
      const device = currentDevice();
      if (device === undefined) return undefined;
      const token = randomBytes(32).toString('base64url');
      const now = clock();
      const until = instant(new Date(now.getTime() + rememberedFor));
      await store.write(async (tx) => {
        const known = tx.selectFrom('secsuite_two_factor_devices').select('id').where('user_id', '=', user.id);
        const over = (await known.orderBy('id', 'desc').execute()).slice(maxDevices - 1).map(({ id }) => id);
        if (over.length > 0) await tx.deleteFrom('secsuite_two_factor_devices').where('id', 'in', over).execute();
        const row = { device: JSON.stringify(device), created_at: instant(now), used_at: instant(now), until };
        const values = { user_id: user.id, hash: hashOf(user, token), ...row };
        await tx.insertInto('secsuite_two_factor_devices').values(values).execute();
      });
      return cookieOfToken(user, token, rememberedFor);
    },
    ...createDeviceList({ store, clock }),
  };
}

const createDeviceList = ({ store, clock }: Pick<DeviceDeps, 'store' | 'clock'>) => ({
  /** Those that are still remembered, newest first. */
  async list(user: Pick<User, 'id'>): Promise<readonly RememberedDevice[]> {
    const all = store.db.selectFrom('secsuite_two_factor_devices').selectAll().where('user_id', '=', user.id);
    const rows = await all.where('until', '>', instant(clock())).orderBy('id', 'desc').execute();
    return rows.map(({ device, ...row }) => ({ ...row, device: JSON.parse(device) as Device }));
  },
  /** Forgets one, or all of the user. */
  forget: (user: Pick<User, 'id'>, id?: number): Promise<unknown> =>
    store.write((tx) => {
      const theirs = tx.deleteFrom('secsuite_two_factor_devices').where('user_id', '=', user.id);
      return (id === undefined ? theirs : theirs.where('id', '=', id)).execute();
    }),
  sweep: (): Promise<unknown> =>
    store.write((tx) => tx.deleteFrom('secsuite_two_factor_devices').where('until', '<=', instant(clock())).execute()),
});

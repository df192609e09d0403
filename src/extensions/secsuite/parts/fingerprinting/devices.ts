// Devices of users: how a new one is judged by those that are known, and what approving or denying one does.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { day } from '#lib/spans.ts';
import type { User } from '#site/identity/users/user.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { currentDevice, type Device, similarity } from '../../client/devices.ts';
import { createDeviceEmails } from './emails.ts';
import { deviceErrors } from './errors.ts';
import type { DeviceRow, DeviceStatus, DeviceTables } from './tables.ts';
import type { DeviceDeps, DeviceServices, KnownDevice } from './types.ts';

type Owner = Pick<User, 'id'>;
type Tx = Transaction<DeviceTables>;

export type Devices = ReturnType<typeof createDevices>;

const [autoApprovedFrom, comparedFrom] = [85, 50];
const autoApprovedAfter = 5 * day;
const forgottenAfter = 90 * day;
/** Of one user. The oldest that wait are deleted first. */
const maxDevices = 100;
const maxTries = 5;

export const isTrusted = ({ status }: { readonly status: DeviceStatus }): boolean =>
  status === 'approved' || status === 'auto-approved';
/** What can still be approved or denied. */
const open = ['auto-approved', 'pending-auto-approve', 'pending'] as const satisfies DeviceStatus[];
export const isOpen = ({ status }: { readonly status: DeviceStatus }): boolean => open.some((one) => one === status);

export const hashOfDevice = ({ ip, agent, language, dnt }: Device): string =>
  createHash('sha256')
    .update(JSON.stringify([ip, agent, language, dnt]))
    .digest('base64url');

const known = ({ device, ...row }: DeviceRow): KnownDevice => ({ ...row, device: JSON.parse(device) as Device });

/** In a write: the device is approved or denied already. */
class AlreadyFinal extends Error {}

const debugCodes = new Set(['created', 'comparison']);

export function createDevices(services: DeviceServices, deps: DeviceDeps) {
  const { clock } = services;
  const { settings, matches, isOn, center, logs } = deps;
  const store = services.store as unknown as Store<DeviceTables>;
  const emails = createDeviceEmails(services, deps);
  const log = (code: string, ...data: (string | number)[]): void =>
    logs.write({ module: 'fingerprinting', code: `${code}::${data}`, type: debugCodes.has(code) ? 'debug' : 'notice' });
  const rowsOf = ({ id }: Owner) => store.db.selectFrom('secsuite_devices').selectAll().where('user_id', '=', id);
  const list = async (user: Owner): Promise<KnownDevice[]> =>
    (await rowsOf(user).orderBy('last_seen', 'desc').orderBy('id', 'desc').execute()).map(known);
  const see = createSee({ store, clock, list, log, emails }, deps);
  const current = async (user: Owner): Promise<KnownDevice | undefined> => {
    const device = currentDevice();
    const row = device && (await rowsOf(user).where('hash', '=', hashOfDevice(device)).executeTakeFirst());
    return row && known(row);
  };
  return {
    store,
    log,
    list,
    see,
    current,
    isOn,
    /** Whether devices of this user are looked at. */
    isWatched: (user: Pick<User, 'id' | 'roles'>): boolean =>
      isOn() && matches(settings.of('fingerprinting').group, user),
    /** Whether devices that are not confirmed have fewer rights. Without the email, no user could confirm one. */
    isRestricting: (): boolean =>
      isOn() && settings.of('fingerprinting').restrict_capabilities && center.isWanted('unrecognized-login'),
    find: async (user: Owner, uuid: string): Promise<KnownDevice | undefined> => {
      const row = await rowsOf(user).where('uuid', '=', uuid).executeTakeFirst();
      return row && known(row);
    },
    /** At the end of a sign-in. Throws if the device was denied. */
    async enter(user: User): Promise<void> {
      const device = currentDevice();
      if (device === undefined) return;
      const { found } = await see(user, device);
      if (found.status !== 'denied') return;
      log('denied_fingerprint_blocked', user.id, found.uuid);
      throw deviceErrors.deviceDenied();
    },
    resend: emails.askLater,
    linkIn: emails.linkIn,
    ...createDeciding(services, { store, log, emails, accounts: deps.accounts }),
    ...createUpkeep(services, store, log),
  };
}

interface Seen {
  readonly found: KnownDevice;
  readonly isNew: boolean;
}

interface SeeParts extends Pick<DeviceServices, 'clock'> {
  readonly store: Store<DeviceTables>;
  readonly emails: ReturnType<typeof createDeviceEmails>;
  list(user: Owner): Promise<KnownDevice[]>;
  log(code: string, ...data: (string | number)[]): void;
}

const statusFor = (score: number): DeviceStatus =>
  score >= autoApprovedFrom ? 'auto-approved' : score >= comparedFrom ? 'pending-auto-approve' : 'pending';

/** The record of a device of the user, made if it is new. Two requests at once make one. */
function createSee({ store, clock, list, log, emails }: SeeParts, { locator }: DeviceDeps) {
  async function judge(device: Device, all: readonly KnownDevice[]): Promise<DeviceStatus> {
    if (all.length === 0) return 'approved';
    const scores = await Promise.all(all.filter(isTrusted).map((one) => similarity(device, one.device, locator)));
    const score = Math.max(0, ...scores);
    log('comparison', Math.round(score));
    return statusFor(score);
  }
  const touch = ({ id, uses }: KnownDevice): Promise<unknown> =>
    store.write((tx) =>
      tx
        .updateTable('secsuite_devices')
        .set({ last_seen: instant(clock()), uses: uses + 1 })
        .where('id', '=', id)
        .execute(),
    );
  /** Nothing, if another device was added since `all` was read. */
  const add = (user: User, device: Device, all: readonly KnownDevice[], status: DeviceStatus) =>
    store.write(async (tx, { lock }) => {
      await lock(`secsuite devices ${user.id}`);
      const count = await tx
        .selectFrom('secsuite_devices')
        .select((row) => row.fn.countAll<number>().as('all'))
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow();
      if (Number(count.all) !== all.length) return undefined;
      await deleteOver(tx, all);
      const now = instant(clock());
      const approved_at = status === 'approved' || status === 'auto-approved' ? now : null;
      const values = { device: JSON.stringify(device), hash: hashOfDevice(device), status, approved_at };
      const row = { uuid: randomUUID(), user_id: user.id, email: user.email, uses: 1, created_at: now, last_seen: now };
      return tx
        .insertInto('secsuite_devices')
        .values({ ...row, ...values })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  const told = (user: User, made: KnownDevice): Seen => {
    const { status, uuid } = made;
    log('created', status, user.id, uuid);
    if (isTrusted(made)) log('status', status, user.id, uuid);
    if (status === 'pending') emails.askLater(user, made);
    return { found: made, isNew: true };
  };
  return async (user: User, device: Device): Promise<Seen> => {
    const hash = hashOfDevice(device);
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const all = await list(user);
      const found = all.find((one) => one.hash === hash);
      if (found !== undefined) {
        await touch(found);
        return { found, isNew: false };
      }
      const added = await add(user, device, all, await judge(device, all));
      if (added !== undefined) return told(user, known(added));
    }
    throw deviceErrors.deviceUnconfirmed();
  };
}

async function deleteOver(tx: Tx, all: readonly KnownDevice[]): Promise<void> {
  const over = all.length - maxDevices + 1;
  const waiting = all.filter(({ status }) => status === 'pending' || status === 'pending-auto-approve');
  const ids = over > 0 ? waiting.slice(-over).map(({ id }) => id) : [];
  if (ids.length > 0) await tx.deleteFrom('secsuite_devices').where('id', 'in', ids).execute();
}

type DecidingParts = Pick<SeeParts, 'store' | 'log' | 'emails'> & Pick<DeviceDeps, 'accounts'>;

function createDeciding({ clock, identity }: DeviceServices, { store, log, emails, accounts }: DecidingParts) {
  const { users, sessions, resets, applicationPasswords } = identity;
  const claim = async (tx: Tx, { id }: KnownDevice, status: DeviceStatus): Promise<void> => {
    const values = { status, approved_at: status === 'approved' ? instant(clock()) : null };
    const set = tx
      .updateTable('secsuite_devices')
      .set(values)
      .where('id', '=', id)
      .where('status', 'in', [...open]);
    if ((await set.returning('id').executeTakeFirst()) === undefined) throw new AlreadyFinal();
  };
  /** The password nobody knows any more is replaced by means of an email, which goes where the user got emails before. */
  async function reset(user: User, one: KnownDevice): Promise<User> {
    const password = randomBytes(32).toString('base64url');
    const again = (tx: unknown) => claim(tx as Tx, one, 'denied');
    const change = (email: string | undefined) =>
      users.change(user, { password, ...(email !== undefined && { email }) }, { by: user.id, again });
    const isOther = one.email !== '' && one.email.toLowerCase() !== user.email.toLowerCase();
    if (!isOther) return change(undefined);
    // Another user may have the address by now.
    return change(one.email).catch((error) => (error instanceof Problem ? change(undefined) : Promise.reject(error)));
  }
  /** Ends what the device may have added to sign in with. True if two-factor authentication is part of it. */
  async function endSince(user: User, { created_at }: KnownDevice): Promise<boolean> {
    await accounts.passwordless.endSince(user, created_at);
    for (const one of await applicationPasswords.list(user))
      if (one.created_at >= created_at) await applicationPasswords.revoke(user, one.uuid);
    return accounts.twoFactorFacts.endSince(user, created_at);
  }
  return {
    /** False if it was approved or denied before. */
    async approve(user: User, one: KnownDevice): Promise<boolean> {
      const isMine = await store.write((tx) => claim(tx, one, 'approved')).then(() => true, falseWhenFinal);
      if (!isMine) return false;
      log('status', 'approved', user.id, one.uuid);
      await emails.tellApproved(user, one);
      return true;
    },
    /**
     * Ends all sessions, replaces the password and restores the email address. Application passwords that were made since the device was
     * first seen are revoked, passkeys go to the trash, and two-factor authentication ends: before, so that a crash leaves none, and
     * afterwards those made meanwhile. False if it was approved or denied before.
     */
    async deny(user: User, one: KnownDevice, from: string): Promise<boolean> {
      if (!isOpen(one)) return false;
      const isFactorEnded = await endSince(user, one);
      const after = await reset(user, one).catch(falseWhenFinal);
      if (after === false) return false;
      log('status', 'denied', user.id, one.uuid);
      await sessions.endAll(after);
      const isFactorEndedToo = await endSince(after, one);
      await resets.replaced(after, from, 'device');
      // Only now, because the email address of the owner is restored.
      if (isFactorEnded || isFactorEndedToo) await accounts.twoFactorFacts.tellDenied(after);
      return true;
    },
  };
}

function falseWhenFinal(error: unknown): false {
  if (error instanceof AlreadyFinal) return false;
  throw error;
}

const createUpkeep = ({ clock }: DeviceServices, store: Store<DeviceTables>, log: SeeParts['log']) => ({
  async autoApprove(): Promise<void> {
    const now = clock();
    const approved = await store.write((tx) =>
      tx
        .updateTable('secsuite_devices')
        .set({ status: 'auto-approved', approved_at: instant(now) })
        .where('status', '=', 'pending-auto-approve')
        .where('created_at', '<=', instant(new Date(now.getTime() - autoApprovedAfter)))
        .returning(['user_id', 'uuid'])
        .execute(),
    );
    for (const { user_id, uuid } of approved) log('status', 'auto-approved', user_id, uuid);
  },
  /** Devices that wait and are not used any more, and what belonged to sessions that have ended. */
  sweep: (): Promise<unknown> =>
    store.write(async (tx) => {
      await tx
        .deleteFrom('secsuite_devices')
        .where('status', 'in', ['pending', 'pending-auto-approve'])
        .where('last_seen', '<=', instant(new Date(clock().getTime() - forgottenAfter)))
        .execute();
      const all = (tx as unknown as Transaction<{ sessions: { id: number } }>).selectFrom('sessions').select('id');
      await tx
        .deleteFrom('secsuite_device_sessions')
        .where('session_id', 'not in', all as never)
        .execute();
    }),
  forget: ({ id }: Owner): Promise<unknown> =>
    store.write(async (tx) => {
      for (const table of ['secsuite_devices', 'secsuite_device_sessions'] as const)
        await tx.deleteFrom(table).where('user_id', '=', id).execute();
    }),
});

// The routes of devices, for their owner, from a device that is confirmed.
import { type Caller, isNobody } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Locator } from '../../addresses/location.ts';
import { rdate } from '../../base.ts';
import { type Devices, isTrusted } from './devices.ts';
import { namesOf, placeOf } from './emails.ts';
import { deviceErrors } from './errors.ts';
import { statuses } from './tables.ts';
import type { KnownDevice } from './types.ts';

export interface DeviceUse {
  readonly devices: Devices;
  readonly locator: Pick<Locator, 'locate'>;
}

const ownerOf = (caller: Caller): User => credentialOf(caller)!.user;

async function demandConfirmed({ devices }: DeviceUse, user: User): Promise<void> {
  const current = await devices.current(user);
  if (current === undefined || !isTrusted(current)) throw deviceErrors.deviceUnconfirmed();
}

async function shown(one: KnownDevice, { locator }: DeviceUse) {
  const { uuid, status, uses, device, created_at, last_seen, approved_at } = one;
  return {
    uuid,
    status,
    created_at: rdate(created_at),
    last_seen: rdate(last_seen),
    approved_at: approved_at === null ? null : rdate(approved_at),
    ip: device.ip,
    location: await placeOf(one, locator),
    ...namesOf(one),
    uses,
  };
}

export function deviceRoutes({ route, t, when, withStatus }: Toolkit<DeviceUse>): Route[] {
  const access = when((caller: Caller) => !isNobody(caller), 'Signed-in users, for their own devices.');
  const date = t.string({ format: 'date-time' });
  const record = t.object({
    uuid: t.string({ format: 'uuid' }),
    status: t.choice([...statuses]),
    created_at: date,
    last_seen: date,
    approved_at: t.nullable(date),
    ip: t.string(),
    location: t.string(),
    browser: t.string(),
    platform: t.string(),
    uses: t.integer(),
  });
  const deciding = (deed: 'approve' | 'deny', summary: string): Route =>
    route({
      method: 'POST',
      path: `trusted-devices/(?P<uuid>[\\w-]+)/${deed}`,
      summary,
      hidden: true,
      access,
      answers: { 200: record },
      handle: async ({ path: { uuid }, caller, use, request }) => {
        const user = ownerOf(caller);
        await demandConfirmed(use, user);
        const found = await use.devices.find(user, uuid);
        if (found === undefined) throw deviceErrors.deviceNotFound(uuid);
        const { devices } = use;
        const isDone = await (deed === 'approve'
          ? devices.approve(user, found)
          : devices.deny(user, found, request.address));
        if (!isDone) throw deviceErrors.deviceFinal();
        return withStatus(200, await shown((await devices.find(user, uuid)) ?? found, use));
      },
    });
  return [
    route({
      method: 'GET',
      path: 'trusted-devices',
      summary: 'List your devices',
      hidden: true,
      access,
      answers: { 200: t.list(record) },
      handle: async ({ caller, use }) => {
        const user = ownerOf(caller);
        await demandConfirmed(use, user);
        const all = await use.devices.list(user);
        return withStatus(200, await Promise.all(all.map((one) => shown(one, use))));
      },
    }),
    deciding('approve', 'Approve a device of yours'),
    deciding('deny', 'Deny a device: ends all sessions and resets the password'),
  ];
}

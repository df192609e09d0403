// What every namespace shares, put together once the store is open.
import type { AnyStore } from '#store/store.ts';
import type { Clock } from './clock.ts';
import { createEvents, type EventName, type Events } from './events.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import type { Roles } from './identity/roles.ts';
import { type Keys, openKeys } from './keys.ts';
import { createMail, type Mail } from './mail.ts';

export interface SiteServices {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly keys: Keys;
  readonly events: Events;
  readonly mail: Mail;
  readonly identity: Identity;
}

export interface ServicesOptions {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly secret: string;
  /** The data folder. */
  readonly data: string;
  readonly site: { readonly url: string; readonly title: string };
  readonly roles: Roles;
  readonly allowInsecureCredentials: boolean;
  readonly ignoreForeign: boolean;
  readonly refusalTakes: number;
  /** A listener failed. */
  report(error: unknown, name: EventName): void;
}

export async function openServices(options: ServicesOptions): Promise<SiteServices> {
  const { store, clock, secret, data, report, ...identityOptions } = options;
  const keys = await openKeys(store, secret, clock);
  const events = createEvents(report);
  const mail = createMail({ data });
  const identity = createIdentity({ store, clock, keys, events, mail, ...identityOptions });
  return { store, clock, keys, events, mail, identity };
}

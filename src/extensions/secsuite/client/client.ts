// Whose request it is, and who is always let in, put together.

import { networkInterfaces } from 'node:os';
import type { Clients, Detector } from '#site/identity/clients.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { AnyStore } from '#store/store.ts';
import type { Settings } from '../settings/types.ts';
import { type Authorised, createAuthorised } from './authorised.ts';
import { createDetector, createStray, type Stray } from './detector.ts';

/** The addresses of this machine, as they are while the site starts. */
const machineAddresses = (): string[] => [
  ...new Set([
    '127.0.0.1',
    '::1',
    ...Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
  ]),
];

export interface Client {
  readonly detector: Detector;
  readonly authorised: Authorised;
  readonly stray: Stray;
}

interface ClientDeps {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of' | 'isReady'>;
  readonly clients: Clients;
  /** IP addresses of this machine. */
  readonly machine?: readonly string[];
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

export function createClient({ machine = machineAddresses(), ...deps }: ClientDeps): Client {
  const stray = createStray(deps);
  return {
    stray,
    detector: createDetector({ ...deps, stray }),
    authorised: createAuthorised({ ...deps, machine }),
  };
}

// What the extensions of a site are looked after with.

import type { Operator } from '#lib/operator.ts';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Files } from '../files/files.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { Clock } from '../platform/clock.ts';
import type { Events } from '../platform/events.ts';
import type { BundledCard, Trial } from './packages.ts';
import type { PackageStore } from './tables.ts';

export interface ExtensionsNeeds {
  readonly store: Store<PackageStore>;
  readonly clock: Clock;
  /** Where the packages themselves are kept, for every process. */
  readonly files: Files;
  readonly outgoing: Outgoing;
  readonly operator: Pick<Operator, 'catalogue' | 'catalogueKey' | 'fileMods'>;
  /** The data folder, where this machine has its copies. */
  readonly data: string;
  readonly events: Pick<Events, 'emit'>;
  readonly bundled: readonly BundledCard[];
  /** Of the program: what a package may require. */
  readonly version: string;
  readonly trial: Trial;
  /** Once this process runs what is wanted now; rejects with `LeftOut` where it cannot run some of it. */
  followed(): Promise<void>;
  readonly log: Log;
}

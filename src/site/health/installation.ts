// What is known of a site before it is opened: where it is reached, and where it keeps what it has.
import type { Keys, Media } from '#lib/operator.ts';
import type { AnyStore } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Group } from '../platform/settings/group.ts';

export interface Installation {
  /** The public base address, without a slash at its end. */
  readonly url: string;
  /** Where it listens. */
  readonly host: string;
  /** The data folder. */
  readonly data: string;
  readonly media: Media;
  readonly mediaKeys?: Keys | undefined;
  /** The mail server. */
  readonly smtp?: string | undefined;
  /** The secret, where it was given or read already. */
  readonly secret?: string | undefined;
  readonly trustProxy: readonly string[];
  readonly avatars: boolean;
  readonly avatarBase: string;
  readonly allowInsecureCredentials: boolean;
}

/** The same, with its store open. */
export interface Stored {
  readonly installation: Installation;
  readonly store: AnyStore;
  readonly clock: Clock;
  /** Every group of settings. */
  readonly groups: readonly Group[];
}

// What comments are made from.
import type { Zone } from '#lib/wall-time.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { ContentTables } from '../tables.ts';
import type { Kinds } from '../types.ts';

export interface CommentsNeeds {
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly clock: Clock;
  readonly events: Events;
  readonly kinds: Kinds;
  readonly settings: Pick<Settings, 'read'>;
  zone(): Promise<Zone>;
  /** How long what was deleted can be brought back; 0 for not at all. */
  readonly trashDays: number;
}

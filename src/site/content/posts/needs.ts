// What the writes of records are made from.
import type { Zone } from '#lib/wall-time.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { TextFilter } from '../filter/filter.ts';
import type { MetaKeys } from '../meta.ts';
import type { ContentTables } from '../tables.ts';
import type { Kinds } from '../types.ts';
import type { CommentHooks, PostLinks, RevisionHooks, TermHooks } from './hooks.ts';
import type { Alongside } from './post.ts';

/** What settings say of a new record. */
export interface Defaults {
  readonly default_comment_status: string;
  readonly default_ping_status: string;
}

export interface WritingNeeds {
  readonly store: Store<ContentTables & TotalsTables & IdentityTables>;
  readonly clock: Clock;
  readonly events: Events;
  readonly kinds: Kinds;
  readonly metaKeys: MetaKeys;
  /** As they are now: ask each time. */
  zone(): Zone | Promise<Zone>;
  defaults(): Defaults | Promise<Defaults>;
  /** What people may write who may not write any HTML. */
  readonly filter: TextFilter;
  readonly terms: TermHooks;
  readonly revisions: RevisionHooks;
  readonly comments: CommentHooks;
  readonly permalinks: PostLinks;
  /** Delete what other nouns keep of a record, in the write that deletes it. Extensions add and remove theirs while the site runs. */
  readonly onErase: Alongside[];
  /** How many days what was deleted can be brought back; 0 for not at all. */
  readonly trashDays: number;
}

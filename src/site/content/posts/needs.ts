// What the writes of records are made from.
import type { Zone } from '#lib/wall-time.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events.ts';
import type { TotalsTables } from '../../platform/totals.ts';
import type { CommentsAlong } from '../comments/comment.ts';
import type { TextFilter } from '../filter/filter.ts';
import type { MetaKeys } from '../meta.ts';
import type { Permalinks } from '../permalinks.ts';
import type { RevisionsAlong } from '../revisions/revision.ts';
import type { ContentTables } from '../tables.ts';
import type { Terms, TermsAlong } from '../terms/term.ts';
import type { Kinds } from '../types.ts';
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
  readonly terms: TermsAlong & Pick<Terms, 'defaultCategory'>;
  readonly revisions: RevisionsAlong;
  readonly comments: CommentsAlong;
  readonly permalinks: Pick<Permalinks, 'of' | 'areNumbered'>;
  /** What takes away whatever else belongs to a record that is deleted; they come and go while the site runs. */
  readonly partings: Alongside[];
  /** How many days what was deleted can be brought back; 0 for not at all. */
  readonly trashDays: number;
}

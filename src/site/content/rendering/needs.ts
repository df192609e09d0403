// What rendering is made from.
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import type { SiteGroup } from '../../platform/settings/site.ts';
import type { Comments } from '../comments/comment.ts';
import type { MediaLibrary } from '../media/media.ts';
import type { Permalinks } from '../permalinks.ts';
import type { Posts } from '../posts/post.ts';
import type { ContentTables } from '../tables.ts';
import type { Terms } from '../terms/term.ts';
import type { Kinds } from '../types.ts';

export interface RenderingNeeds {
  readonly store: Store<ContentTables & IdentityTables>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  /** The public base address of the site. */
  readonly url: string;
  /** In hours, where no time zone is set. */
  readonly offset: number;
  /** Where the picture of a person is who has this email address; nothing where none are shown. */
  avatarOf(email: string): string | undefined;
  readonly kinds: Kinds;
  readonly posts: Posts;
  readonly terms: Terms;
  readonly comments: Comments;
  readonly media: Pick<MediaLibrary, 'files' | 'urlOf'>;
  readonly permalinks: Permalinks;
}

// What a site publishes: records of every type, what sorts them, what is said about them, the files among them.
import type { Comments } from './comments/comment.ts';
import type { MediaLibrary } from './media/media.ts';
import type { Permalinks } from './permalinks.ts';
import type { Posts } from './posts/post.ts';
import type { Rendering } from './rendering/rendering.ts';
import type { Revisions } from './revisions/revision.ts';
import type { ContentRights } from './rights.ts';
import type { Terms } from './terms/term.ts';
import type { Kinds } from './types.ts';

export interface Content {
  readonly kinds: Kinds;
  readonly rights: ContentRights;
  readonly posts: Posts;
  readonly terms: Terms;
  readonly comments: Comments;
  readonly revisions: Revisions;
  readonly media: MediaLibrary;
  readonly permalinks: Permalinks;
  readonly rendering: Rendering;
}

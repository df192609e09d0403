// A revision with what its record shows.
import type { Post } from '#site/content/posts/post.ts';
import type { Prose, Rendering } from '#site/content/rendering/rendering.ts';
import type { ContentRights } from '#site/content/rights.ts';

/** The record that a path names, for the rules. */
export interface FoundParent {
  readonly post: Post;
  readonly rights: ContentRights;
}

export interface ShownRevision {
  readonly id: number;
  readonly author: number;
  /** Nothing while the date of the record itself floats. */
  readonly date: string | null;
  readonly date_gmt: string | null;
  readonly modified: string;
  readonly modified_gmt: string;
  /** What it was; 0 where it is the record itself. */
  readonly parent: number;
  readonly of: number;
  readonly slug: string;
  readonly guid: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly rendering: Pick<Rendering, 'title'>;
  readonly prose: Prose;
  /** Its content, as HTML. */
  readonly shown: string;
  readonly preview_link?: string;
}

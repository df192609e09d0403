import type { Post } from '../posts/post.ts';

/** Text as it is stored, as HTML that a page can show. */
export interface Rendering {
  title(text: string): string;
  /** Made once for each version of a record. */
  content(post: Pick<Post, 'id' | 'version' | 'content'>): string;
  /** Its own, or the beginning of its content: so many words. */
  excerpt(post: Pick<Post, 'id' | 'version' | 'excerpt' | 'content'>, words?: number): string;
  /** As an excerpt or caption that somebody wrote. */
  caption(text: string): string;
  comment(text: string): string;
}

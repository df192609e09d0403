import type { Post } from './posts/post.ts';
import type { Term } from './terms/term.ts';

type Placed = Pick<Post, 'id' | 'type' | 'status' | 'slug' | 'date' | 'parent'>;

/** The public addresses of what the site publishes. */
export interface Permalinks {
  /** Of each record, by number: those that lie below others need to know them, so all are asked for at once. */
  of(posts: readonly Placed[]): Promise<Map<number, string>>;
  /** With a placeholder where the slug stands, also for what has no address of its own yet. */
  templates(posts: readonly Placed[]): Promise<Map<number, string>>;
  ofTerm(term: Pick<Term, 'id' | 'taxonomy' | 'slug' | 'parent'>): Promise<string>;
  ofAuthor(slug: string): string;
  /** The record behind an address of this site, in any form it answers; nothing for any other address. */
  at(url: string): Promise<Post | undefined>;
}

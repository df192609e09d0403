// A comment as somebody sees it: what is kept of it, with what its record, its links and the rules about it ask for.

import type { Comment } from '#site/content/comments/comment.ts';
import type { NoteStatus } from '#site/content/comments/notes.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Prose } from '#site/content/rendering/rendering.ts';
import type { Premises } from '#site/platform/about.ts';

export interface FoundComment extends Comment {
  readonly basis: Pick<Content, 'rights' | 'posts' | 'postPasswords'>;
  /** What it is about. */
  readonly about: Post | undefined;
}

export interface ShownComment extends FoundComment {
  readonly link: string;
  /** The path of the records it is about one of: `posts`. */
  readonly base: string;
  readonly isAnswered: boolean;
  readonly noteStatus: NoteStatus | null;
  readonly prose: Prose;
  readonly premises: Premises;
}

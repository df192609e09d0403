// A record as somebody sees it: what is kept of it, with what its record, its links and the rules about it ask for.
import type { PostPasswords } from '#site/content/post-passwords/post-passwords.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Prose, Rendering, Shown } from '#site/content/rendering/rendering.ts';
import type { History } from '#site/content/revisions/revision.ts';
import type { ContentRights } from '#site/content/rights.ts';
import type { Term } from '#site/content/terms/term.ts';
import type { ContentType, Taxonomy } from '#site/content/types.ts';

/** What records of a type are made and judged by. */
export interface Basis {
  readonly type: ContentType;
  readonly taxonomies: readonly Taxonomy[];
  readonly rights: ContentRights;
  readonly postPasswords: PostPasswords;
  readonly rendering: Pick<Rendering, 'title'>;
}

/** For the rules: nobody has looked yet. */
export interface FoundPost extends Post {
  readonly basis: Basis;
}

/** What was not asked for is not looked up, and stands here as nothing. */
export interface ShownPost extends FoundPost {
  readonly link: string;
  readonly permalinkTemplate: string;
  readonly generatedSlug: string;
  /** By the name of the taxonomy. */
  readonly terms: Readonly<Record<string, readonly Term[]>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly history: History;
  /** Whether the picture of it is there, for whoever looks. */
  readonly pictured: boolean;
  /** Whether its text is shown, although it may have a password. */
  readonly revealed: boolean;
  /** How many words an excerpt has that nobody wrote; as many as usual, without one. */
  readonly words: number | undefined;
  readonly prose: Prose;
  /** Its content. */
  readonly shown: Shown;
  /** What whoever looks may do with it, by the names that clients know. */
  readonly actions: readonly string[];
  /** The fields of extensions, by name. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The topics that its content and the added fields rest on. */
  readonly rests: readonly string[];
}

/** Whether a password closes its text to whoever looks. */
export const isHidden = ({ password, revealed }: Pick<ShownPost, 'password' | 'revealed'>): boolean =>
  password !== '' && !revealed;

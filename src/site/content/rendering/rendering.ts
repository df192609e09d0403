// Text as it is stored, as HTML that a page can show.
import type { Post } from '../posts/post.ts';
import type { Live } from './live.ts';

/** A text made of blocks, paragraphs and shortcodes. */
export interface Source {
  /** What it is remembered by: what is made of it is made again when the text is another. */
  readonly key: string;
  readonly content: string;
  /** The record that it belongs to. */
  readonly of: Post | undefined;
  /** It does not stand within the text of that record: then it may show it. */
  readonly apart?: true;
  /** The reader can edit that record, and is told of what visitors do not see in it. */
  readonly forEditor?: boolean | undefined;
}

export interface Shown {
  readonly html: string;
  /** Word of these topics may make it another, while the text stays. */
  readonly rests: readonly string[];
}

/** What needs nothing but the text and the settings. */
export interface Prose {
  /** Its own, or the beginning of its content: so many words. */
  excerpt(post: Pick<Post, 'id' | 'excerpt' | 'content'>, words?: number): string;
  /** As texts show it of other records: of a long one only the beginning. */
  brief(post: Pick<Post, 'id' | 'excerpt' | 'content'>, words: number): string;
  /** As an excerpt or caption that somebody wrote. */
  caption(text: string): string;
  comment(text: string): string;
}

export interface Rendering {
  title(text: string): string;
  /** By the settings of now. */
  prose(): Promise<Prose>;
  /** What they mention is looked up for all of them together. In their order. */
  contents(some: readonly Source[]): Promise<Shown[]>;
  /** A block that is made when it is shown, as an editor sees it in the text of this record; nothing for any other block. */
  block(name: string, attributes: Readonly<Record<string, unknown>>, of: Post | undefined): Promise<string | undefined>;
  /** What an extension makes, from now on. Returns how to take it away again. */
  also(made: Rendered): () => void;
  /** Those that extensions bring into texts. */
  readonly scripts: readonly string[];
  /** Addresses of script files that extensions load in texts. */
  readonly scriptFiles: readonly string[];
}

/** What is made when it is shown, by name. Blocks in full: `core/gallery`. */
export interface Rendered {
  readonly blocks?: Readonly<Record<string, Live>>;
  readonly shortcodes?: Readonly<Record<string, Live>>;
  /** What stands for addresses alone in their line. */
  readonly addresses?: readonly AddressShown[];
  /** Those that it brings into a text, without their tags: no page that shows texts lets in any other. */
  readonly scripts?: readonly string[];
  /** Likewise addresses of script files that texts load. */
  readonly scriptFiles?: readonly string[];
}

export interface AddressShown {
  /** Whether it may have something to show of such an address: whoever has not is not asked, and nothing rests on it. */
  knows(url: string): boolean;
  readonly rests: readonly string[];
  /** HTML by address; those that stay as they are are left out. */
  find(urls: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

// The record of a file as somebody sees it.
import type { MediaFile } from '#site/content/media/media.ts';
import type { ShownPost } from '../posts/shown-post.ts';

export interface ShownMedium extends ShownPost {
  readonly file: MediaFile;
  /** The public address of a file beside its own. */
  addressOf(name: string): string;
  /** What it is attached to, when that is there. */
  readonly attachedTo: { readonly id: number; readonly type: string; readonly base: string } | undefined;
}

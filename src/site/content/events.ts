// What content raises.
import type { Comment } from './comments/comment.ts';
import type { MediaFile } from './media/media.ts';
import type { Post } from './posts/post.ts';
import type { Term } from './terms/term.ts';

declare module '../platform/events.ts' {
  interface SiteEvents {
    'term.created': { readonly term: Term };
    'term.changed': { readonly term: Term; readonly before: Term };
    /** What was below it is now below what it was below. */
    'term.deleted': { readonly term: Term };
    /** `before`: nothing, of a new one. */
    'post.saved': { readonly post: Post; readonly before: Post | undefined };
    'post.published': { readonly post: Post; readonly before: Post | undefined };
    'post.trashed': { readonly post: Post };
    'post.restored': { readonly post: Post };
    'post.deleted': { readonly post: Post };
    /** A file is in the library: uploaded, imported or edited into a new one. Some sizes of a picture may still be missing. */
    'media.added': { readonly post: Post; readonly file: MediaFile };
    /** Copies of a picture were made, or made again. */
    'media.copied': { readonly id: number };
    /** `post`: what it is about. `isQuiet`: nobody is told of it by letter. */
    'comment.added': { readonly comment: Comment; readonly post: Post; readonly isQuiet?: true };
    'comment.changed': { readonly comment: Comment; readonly before: Comment };
    'comment.deleted': { readonly comment: Comment };
  }
}

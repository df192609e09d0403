// Whose posts are converted, and what their writes ask again.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Changing, Post } from '#site/content/posts/post.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { SiteServices } from '#site/services.ts';
import type { Galleries } from '../galleries.ts';
import { idOf } from '../gallery-content.ts';
import type { GalleryData, Values } from '../gallery-data.ts';
import type { Images } from '../images.ts';
import { convertErrors } from './errors.ts';

export interface ConvertDeps extends Pick<SiteServices, 'content' | 'identity' | 'store' | 'clock'> {
  readonly url: string;
  readonly galleries: Galleries;
  readonly data: GalleryData;
  readonly images: Images;
}

type Again = NonNullable<Doing<Post>['again']>;

export async function editable({ content }: ConvertDeps, { post_id, postId }: Values, caller: Caller): Promise<Post> {
  const id = idOf(post_id ?? postId);
  if (id === 0) throw convertErrors.invalidPostId();
  const post = await content.posts.find(id);
  if (post === undefined) throw convertErrors.postNotFound(id);
  if (!content.rights.mayEdit(caller, post)) throw kernelErrors.forbidden('change this post');
  return post;
}

/**
 * Refuses to write if the text is another by now. Only the places of galleries change, and what comes into them is either made here
 * or was in the text before, so nothing else of the text is filtered.
 */
export const unchanged = (post: Post, again?: Again): Changing => ({
  unfiltered: true,
  again: async (tx, target) => {
    await again?.(tx, target);
    if (target?.content !== post.content) throw convertErrors.postChanged(post.id);
  },
});

export function changing({ content: { rights }, identity }: ConvertDeps, caller: Caller, post: Post): Changing {
  const doing = identity.doing<Post>(credentialOf(caller), (asker, target) => {
    if (target === undefined || !rights.mayEdit(asker, target)) throw kernelErrors.forbidden('change this post');
  });
  return { ...doing, ...unchanged(post, doing.again), writer: caller.id };
}

export const trashing = ({ content: { rights }, identity }: ConvertDeps, caller: Caller): Doing<Post> =>
  identity.doing<Post>(credentialOf(caller), (asker, target) => {
    if (target === undefined || !rights.mayDelete(asker, target)) throw kernelErrors.forbidden('delete this gallery');
  });

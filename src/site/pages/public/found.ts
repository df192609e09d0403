// What everybody may see of what is kept.
import { nobody } from '#kernel/caller.ts';
import type { Post } from '../../content/posts/post.ts';
import type { Ground } from './needs.ts';

export interface Found {
  readonly post: Post;
  readonly address: string;
}

/** What everybody may see of what this path leads to. */
export async function found(
  ground: Pick<Ground, 'content' | 'url'>,
  parts: readonly string[],
): Promise<Found | undefined> {
  return foundAt(ground, `${ground.url}/${parts.join('/')}`);
}

export async function foundAt(ground: Pick<Ground, 'content'>, url: string): Promise<Found | undefined> {
  const { content } = ground;
  const post = await content.permalinks.at(url);
  if (post === undefined || !(await isOpen(ground, post))) return undefined;
  return { post, address: (await content.permalinks.of([post])).get(post.id)! };
}

export const isOpen = async ({ content }: Pick<Ground, 'content'>, post: Post): Promise<boolean> =>
  content.kinds.type(post.type)?.viewable === true && (await content.rights.mayRead(nobody, post));

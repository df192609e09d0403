// What pictures are attached to.
import { denied } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import { invalid } from '#site/identity/users/faults.ts';

const most = 1_000;

/** Those that were named, if they are there and theirs to edit: nobody else's picture comes to stand beside a text. */
export async function parentsFor(
  { posts, rights }: Pick<Content, 'posts' | 'rights'>,
  asker: Asker,
  said: number | readonly number[],
): Promise<readonly number[]> {
  const named = [said].flat();
  if (named.length > most) throw refused(`post_parent must have at most ${most} items.`);
  const ids = named.filter((id) => id !== 0);
  if (!ids.every((id) => Number.isSafeInteger(id) && id > 0)) throw unknown();
  const found = await posts.some(ids);
  for (const id of ids) refuseParent(asker, rights, found.get(id));
  return named.length === 0 ? [0] : named;
}

/** The same once more, where it is written. */
export function refuseParent(asker: Asker, rights: Content['rights'], parent: Post | undefined): void {
  if (parent === undefined || parent.type === attachment.name) throw unknown();
  if (!rights.mayEdit(asker, parent))
    throw denied('insufficient_permissions', 'You are not allowed to attach anything to that.');
}

const refused = (message: string) => invalid('post_parent', { code: 'rest_invalid_param', message });
const unknown = () => refused('post_parent must be a record that is there, and no file.');

// Why somebody may not attach a file, or change a picture.
import { denied, Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Wish } from '../posts/refusals.ts';

export interface Attaching extends Wish {
  readonly post?: number | undefined;
}

interface AttachingNeeds extends Pick<Content, 'rights'> {
  /** Inside a write, by what that sees. */
  readonly find: Content['posts']['find'];
}

export const cannotChangePicture = () =>
  denied('rest_cannot_edit_image', 'You are not allowed to make pictures out of this one.');

/** What it is to be attached to has to be theirs to edit; whether there is such a record is nobody else's concern. */
export async function attachingRefusal(
  asker: Asker,
  { rights, find }: AttachingNeeds,
  { post = 0 }: Attaching,
  before?: Pick<Post, 'parent'>,
): Promise<Problem | undefined> {
  if (post === 0 || post === before?.parent) return undefined;
  const other = await find(post);
  if (other === undefined || !rights.mayEdit(asker, other))
    return denied('rest_cannot_edit', 'You are not allowed to attach anything to that.');
  return other.type === 'attachment' ? attachedToFile() : undefined;
}

function attachedToFile(): Problem {
  const message = 'A file cannot be attached to a file.';
  return new Problem(400, 'rest_invalid_param', message, {
    params: { post: message },
    details: { post: { code: 'rest_invalid_param', message, data: null } },
  });
}

// Who may add files and change pictures; for the rest they are records like any other.
import { denied, Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { postRules, refusalOf, type Wish } from '../posts/rules.ts';
import type { FoundPost } from '../posts/shown-post.ts';

interface Attaching extends Wish {
  readonly post?: number;
}

export const cannotChangePicture = () =>
  denied('rest_cannot_edit_image', 'You are not allowed to make pictures out of this one.');

/** What it is to be attached to has to be theirs to edit; whether there is such a record is nobody else's concern. */
export async function attachingRefusal(
  asker: Asker,
  { rights, posts }: Pick<Content, 'rights' | 'posts'>,
  { post = 0 }: Attaching,
  before?: Pick<Post, 'parent'>,
): Promise<Problem | undefined> {
  if (post === 0 || post === before?.parent) return undefined;
  const other = await posts.find(post);
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

interface ByNumber {
  readonly id: number;
}

export function mediaRules(tools: Toolkit<Core>) {
  const { on } = tools;
  const find = ({ id }: ByNumber, { posts }: Core): Promise<FoundPost> => posts.get(id, attachment.name);
  const core = (_: object, use: Core): Core => use;
  const { mayList, mayView, mayDelete } = postRules(tools, attachment);
  return {
    mayList,
    mayView,
    mayDelete,

    mayAdd: on<Core, Core, object, Attaching>(core, (caller, { content }, wish) => {
      const refusal = refusalOf(caller, content.rights, attachment, wish);
      if (refusal !== undefined) return refusal;
      return wish.post ? attachingRefusal(caller, content, wish).then((one) => one ?? true) : true;
    }),

    mayEdit: on<FoundPost, Core, ByNumber, Attaching>(
      find,
      (caller, post, wish) => refusalOf(caller, post.basis.rights, attachment, wish, post) ?? true,
    ),

    mayChange: on<FoundPost, Core, ByNumber, object>(
      find,
      (caller, post) =>
        (post.basis.rights.mayEdit(caller, post) && caller.can(attachment.capabilities.create)) ||
        cannotChangePicture(),
    ),
  };
}

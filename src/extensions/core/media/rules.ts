// Who may add files and change pictures; for the rest they are records like any other.
import { attachment } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { refusalOf } from '../posts/refusals.ts';
import { postRules } from '../posts/rules.ts';
import type { FoundPost } from '../posts/shown-post.ts';
import { type Attaching, attachingRefusal, cannotChangePicture } from './refusals.ts';

interface ByNumber {
  readonly id: number;
}

const seen =
  'All visitors: files without a parent record, and files of a record that they may read. `context=edit`: accounts that may change the file.';

export function mediaRules(tools: Toolkit<Core>) {
  const { on } = tools;
  const find = ({ id }: ByNumber, { posts }: Core): Promise<FoundPost> => posts.get(id, attachment.name);
  const core = (_: object, use: Core): Core => use;
  const { mayList, mayView, mayEdit, mayDelete } = postRules(tools, attachment);
  const { create } = attachment.capabilities;
  return {
    mayList: { ...mayList, who: `${seen} The list leaves out what the caller may not see.` },
    mayView: { ...mayView, who: seen },
    mayDelete,

    mayAdd: on<Core, Core, object, Attaching>(
      core,
      (caller, { content }, wish) => {
        const refusal = refusalOf(caller, content.rights, attachment, wish);
        if (refusal !== undefined) return refusal;
        if (!wish.post) return true;
        const { rights, posts } = content;
        return attachingRefusal(caller, { rights, find: posts.find }, wish).then((one) => one ?? true);
      },
      `With \`${create}\`. With a parent record: accounts that may change that record.`,
    ),

    mayEdit: on<FoundPost, Core, ByNumber, Attaching>(
      find,
      (caller, post, wish) => refusalOf(caller, post.basis.rights, attachment, wish, post) ?? true,
      mayEdit.who,
    ),

    mayChange: on<FoundPost, Core, ByNumber, object>(
      find,
      (caller, post) =>
        (post.basis.rights.mayEdit(caller, post) && caller.can(attachment.capabilities.create)) ||
        cannotChangePicture(),
      `With \`${create}\`: accounts that may change the file.`,
    ),
  };
}

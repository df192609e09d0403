// Who may read, write and delete records.
import { denied } from '#kernel/problem.ts';
import type { Content } from '#site/content/content.ts';
import type { ContentType } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { cannotDelete, opens, refusalOf, type Wish } from './refusals.ts';
import type { FoundPost } from './shown-post.ts';

interface ByNumber {
  readonly id: number;
}

interface Looking {
  readonly context?: string;
  readonly password?: string;
}

const wrongContext = () => denied('rest_forbidden_context', 'You are not allowed to see this as its editors do.');

export function postRules({ on, Problem }: Toolkit<Core>, type: ContentType) {
  const find = ({ id }: ByNumber, { posts }: Core): Promise<FoundPost> => posts.get(id, type.name);
  const content = (_: object, core: Core): Content => core.content;
  const wrongPassword = () => new Problem(403, 'rest_post_incorrect_password', 'This is not the password.');

  return {
    mayList: on<Content, Core, object, Looking>(
      content,
      (caller, _, { context }) => context !== 'edit' || caller.can(type.capabilities.edit) || wrongContext(),
    ),

    mayAdd: on<Content, Core, object, Wish>(
      content,
      (caller, { rights }, wish) => refusalOf(caller, rights, type, wish) ?? true,
    ),

    mayView: on<FoundPost, Core, ByNumber, Looking>(find, (caller, post, { context, password = '' }) => {
      const { rights } = post.basis;
      if (context === 'edit' && !rights.mayEdit(caller, post)) return wrongContext();
      if (password !== '' && post.password !== '' && !opens(password, post)) return wrongPassword();
      return rights.mayRead(caller, post);
    }),

    mayEdit: on<FoundPost, Core, ByNumber, Wish>(
      find,
      (caller, post, wish) => refusalOf(caller, post.basis.rights, type, wish, post) ?? true,
    ),

    mayDelete: on<FoundPost, Core, ByNumber, object>(
      find,
      (caller, post) => post.basis.rights.mayDelete(caller, post) || cannotDelete(),
    ),
  };
}

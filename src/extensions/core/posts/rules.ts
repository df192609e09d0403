// Who may read, write and delete records.
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { ContentType } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { cannotDelete, cannotEdit, isClosedTo, refusalOf, type Wish } from './refusals.ts';
import type { FoundPost } from './shown-post.ts';

interface ByNumber {
  readonly id: number;
}

interface Looking {
  readonly context?: string | undefined;
  readonly password?: string | undefined;
}

export function postRules({ on }: Toolkit<Core>, type: ContentType) {
  const find = ({ id }: ByNumber, { posts }: Core): Promise<FoundPost> => posts.get(id, type.name);
  const content = (_: object, core: Core): Content => core.content;
  const c = type.capabilities;
  const readers = type.guarded
    ? `With \`${c.edit}\`: published records. Private records: also with \`${c.read_private}\`. Other records: accounts that may change them.`
    : `All visitors: published records. Private records: with \`${c.read_private}\`. Other records, and \`context=edit\`: accounts that may change them.`;
  const holders = (deed: 'edit' | 'delete'): string =>
    `Own records: with \`${c[deed]}\`, published ones also with \`${c[`${deed}_published`]}\`. Records of others: also with \`${c[`${deed}_others`]}\`, private ones also with \`${c[`${deed}_private`]}\`.`;

  return {
    mayList: on<Content, Core, object, Looking>(
      content,
      (caller, _, { context }) =>
        context !== 'edit' || caller.can(type.capabilities.edit) || contentErrors.forbiddenContext,
      `${readers} The list leaves out records that the account may not see.`,
    ),

    mayAdd: on<Content, Core, object, Wish>(
      content,
      (caller, { rights }, wish) => refusalOf(caller, rights, type, wish) ?? true,
      `With \`${c.create}\`. To publish: also with \`${c.publish}\`. To set another author: also with \`${c.edit_others}\`.`,
    ),

    mayView: on<FoundPost, Core, ByNumber, Looking>(
      find,
      async (caller, post, { context, password = '' }) => {
        const { rights, postPasswords } = post.basis;
        if (context === 'edit' && !rights.mayEdit(caller, post)) return contentErrors.forbiddenContext;
        if (password !== '' && (await isClosedTo(caller, post, password, { rights, postPasswords })))
          return coreErrors.postIncorrectPassword;
        return rights.mayRead(caller, post);
      },
      readers,
    ),

    mayEdit: on<FoundPost, Core, ByNumber, Wish>(
      find,
      (caller, post, wish) =>
        post.basis.rights.mayEdit(caller, post)
          ? (refusalOf(caller, post.basis.rights, type, wish, post) ?? true)
          : () => cannotEdit(type, post),
      `${holders('edit')} To publish: also with \`${c.publish}\`. To set another author: also with \`${c.edit_others}\`.`,
    ),

    mayDelete: on<FoundPost, Core, ByNumber, object>(
      find,
      (caller, post) => post.basis.rights.mayDelete(caller, post) || (() => cannotDelete(type, post)),
      holders('delete'),
    ),
  };
}

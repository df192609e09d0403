// Who may see, write and delete comments.
import type { Asked as How, Verdict } from '#kernel/access.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import { isNote, noteType } from '#site/content/comments/notes.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import {
  cannotDelete,
  changeRefusal,
  mayEdit,
  moderates,
  noteRefusal,
  opensPost,
  speakingRefusal,
  type Wish,
  wrongContext,
} from './refusals.ts';
import type { FoundComment } from './shown-comments.ts';

interface ByNumber {
  readonly id: number;
}

interface Looking {
  readonly context?: string;
  readonly password?: string;
}

interface Writing extends Wish {
  readonly post?: number;
}

interface Speaking {
  readonly content: Content;
  readonly isNote: boolean;
}

interface Asked extends Looking {
  readonly post?: number | readonly number[];
  readonly author?: number | readonly number[];
  readonly author_exclude?: readonly number[];
  readonly author_email?: string;
  readonly status?: string;
  readonly type?: string;
}

const isSome = (asked: number | readonly number[] | undefined): boolean =>
  typeof asked === 'number' || (asked !== undefined && asked.length > 0);

const editsAll = (caller: Caller, { rights }: Content, posts: readonly Post[]): boolean =>
  posts.length > 0 && posts.every((post) => rights.mayEdit(caller, post));

/** Filters for accounts that may edit posts. All other callers have to ask for comments as everybody sees them. */
const isForEditors = ({ author, author_exclude, author_email, status, type }: Asked): boolean =>
  isSome(author) || isSome(author_exclude) || author_email !== undefined || status !== 'approve' || type !== 'comment';

/** Read from where the value of an argument would be: the index tells of no such argument. */
const typeSent = (asked: How | undefined): unknown => asked?.json?.type ?? asked?.form?.type ?? asked?.query.type;

const keepers = 'with `moderate_comments`, or accounts that may change the record of the comment.';

export function commentRules({ on }: Toolkit<Core>) {
  const find = ({ id }: ByNumber, { comments }: Core): Promise<FoundComment> => comments.get(id);
  const content = (_: object, core: Core): Content => core.content;

  return {
    mayList: on<Content, Core, object, Asked>(
      content,
      listVerdict,
      'All visitors: approved comments on records that they may read. Filters by author, email, status or type: with `edit_posts`. `context=edit`: with `moderate_comments`. Notes: accounts that may change the record.',
    ),

    mayAdd: on<Speaking, Core, object, Writing>(
      (_, core, asked) => ({ content: core.content, isNote: typeSent(asked) === noteType }),
      async (caller, { content, isNote }, wish) => {
        const post = await content.posts.find(typeof wish.post === 'number' ? wish.post : 0);
        const refusal = isNote
          ? noteRefusal(caller, content, wish, post)
          : await speakingRefusal(caller, content, wish, post);
        return refusal ?? true;
      },
      'Signed-in users who may read the record, if it is open to comments; visitors too, if `anonymous_rest_comments` is on. For another author or with a status: with `moderate_comments`. Notes: accounts that may change the record.',
    ),

    mayView: on<FoundComment, Core, ByNumber, Looking>(
      find,
      async (caller, comment, { context, password }) => {
        const { about, basis } = comment;
        if (mayEdit(caller, about, basis.rights)) return true;
        if (context === 'edit') return wrongContext();
        const isOwn = caller.id !== 0 && caller.id === comment.user_id;
        if ((comment.status !== 'approved' || isNote(comment)) && !isOwn) return coreErrors.cannotRead();
        return about === undefined || (await opensPost(caller, about, basis, password)) || coreErrors.cannotReadPost();
      },
      `All visitors: approved comments on records that they may read. Signed-in users: their own comments. Other comments, and \`context=edit\`: ${keepers}`,
    ),

    mayEdit: on<FoundComment, Core, ByNumber, Writing>(
      find,
      async (caller, comment, wish) => {
        const { about: now, basis } = comment;
        const isMoved = wish.post !== undefined && wish.post !== comment.post_id;
        const then = isMoved ? await basis.posts.find(wish.post!) : now;
        return changeRefusal(caller, basis, wish, comment, { now, then }) ?? true;
      },
      `Changing and approving: ${keepers} For another author: with \`moderate_comments\`.`,
    ),

    mayDelete: on<FoundComment, Core, ByNumber, object>(
      find,
      (caller, { about, basis }) => mayEdit(caller, about, basis.rights) || cannotDelete(),
      `Deleting: ${keepers}`,
    ),
  };
}

async function listVerdict(caller: Caller, content: Content, asked: Asked): Promise<Verdict> {
  const ids = [asked.post ?? []].flat();
  const posts = [...(await content.posts.some(ids)).values()];
  const password = posts.length === 1 ? asked.password : undefined;
  for (const post of posts) if (!(await opensPost(caller, post, content, password))) return coreErrors.cannotReadPost();
  if (moderates(caller)) return true;
  if (asked.type === noteType && editsAll(caller, content, posts)) return true;
  if (ids.includes(0)) return coreErrors.cannotRead();
  return filterRefusal(caller, asked) ?? true;
}

function filterRefusal(caller: Caller, asked: Asked): Problem | undefined {
  if (asked.context === 'edit') return wrongContext();
  // Arguments are settled all together: when one is invalid, none is known, so no filter is judged.
  const isKnown = Object.keys(asked).length > 0;
  return isKnown && !caller.can('edit_posts') && isForEditors(asked) ? coreErrors.forbiddenParam() : undefined;
}

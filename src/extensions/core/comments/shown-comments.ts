// Comments with what their records show, for whoever looks: for a whole page of them at once.
import { type SqlBool, sql } from 'kysely';
import { type Caller, isNobody } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Comment, CommentSaid, WantedComments } from '#site/content/comments/comment.ts';
import { type NoteStatus, noteType } from '#site/content/comments/notes.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import { findPost } from '#site/content/posts/rows.ts';
import type { Prose } from '#site/content/rendering/rendering.ts';
import type { Writing } from '#site/content/tables.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { AboutNow, Premises } from '#site/platform/about.ts';
import { coreErrors } from '../errors.ts';
import { strippedRefusal, unfilteredHtml } from '../posts/refusals.ts';
import {
  cannotDelete,
  changeRefusal,
  mayEdit,
  moderates,
  noteRefusal,
  readsPost,
  speakingRefusal,
} from './refusals.ts';

export type ShownComments = ReturnType<typeof createShownComments>;

/** Where a request comes from. */
interface Client {
  readonly address: string;
  readonly agent: string;
}

export function createShownComments(content: Content, { doing }: Pick<Identity, 'doing'>, about: AboutNow) {
  const { comments, posts, rights, unseen, permalinks, kinds, rendering } = content;
  const { speaking, changing, deleting } = createJudges(content, doing);

  const shown = async (several: readonly Comment[]): Promise<ShownComment[]> => {
    if (several.length === 0) return [];
    const [premises, prose, found, answered, noteStatuses] = await Promise.all([
      about(),
      rendering.prose(),
      posts.some(several.map(({ post_id }) => post_id)),
      comments.answered(several.map(({ id }) => id)),
      comments.noteStatuses(several),
    ]);
    const links = await permalinks.of([...found.values()]);
    return several.map((comment) => {
      const post = found.get(comment.post_id);
      return {
        ...comment,
        basis: content,
        about: post,
        link: `${links.get(comment.post_id) ?? premises.url}#comment-${comment.id}`,
        base: kinds.type(post?.type ?? '')?.base ?? '',
        isAnswered: answered.has(comment.id),
        noteStatus: noteStatuses.get(comment.id) ?? null,
        premises,
        prose,
      };
    });
  };
  const shownOne = async (comment: Comment): Promise<ShownComment> => (await shown([comment]))[0]!;

  const howOf = (caller: Caller) => ({ unfiltered: caller.can(unfilteredHtml), trusted: moderates(caller) });

  return {
    /** For the rules; nobody has looked yet. */
    async get(id: number): Promise<FoundComment> {
      const comment = await comments.get(id);
      return { ...comment, basis: content, about: await posts.find(comment.post_id) };
    },

    shown: (comment: Comment): Promise<ShownComment> => shownOne(comment),

    /** Without what is about records that they may not read. Of records named in the request, `mayList` has asked that. */
    async list(wanted: WantedComments, caller: Caller, password?: string) {
      const { items, total } = await comments.list({ ...wanted, ...narrowedFor(caller, wanted, unseen) });
      const all = await shown(items);
      const known = wanted.posts?.length === 1 ? password : undefined;
      const may = await Promise.all(all.map((comment) => mayRead(caller, comment, rights, known)));
      return { total, items: all.filter((_, at) => may[at]) };
    },

    async add(said: CommentSaid & { readonly post: number }, caller: Caller, client: Client): Promise<ShownComment> {
      const how = howOf(caller);
      if (!how.trusted) refuseOtherAddress(said, client);
      return shownOne(await comments.add(said, { ...speaking(caller, said), ...how, ...client, speaker: caller.id }));
    },

    async change(comment: Comment, said: CommentSaid, caller: Caller): Promise<ShownComment> {
      return shownOne(await comments.change(comment, said, { ...changing(caller, said), ...howOf(caller) }));
    },

    async trash(comment: Comment, caller: Caller): Promise<ShownComment> {
      return shownOne(await comments.trash(comment, deleting(caller)));
    },

    /** As it was while it was there. */
    async erase(comment: Comment, caller: Caller): Promise<ShownComment> {
      const before = await shownOne(comment);
      await comments.erase(comment, deleting(caller));
      return before;
    },

    mayEdit: (caller: Caller, { about: post }: ShownComment): boolean => mayEdit(caller, post, rights),
  };
}

function refuseOtherAddress({ author_ip }: CommentSaid, { address }: Client): void {
  if (author_ip && author_ip !== address) throw coreErrors.commentInvalidAuthorIp();
}

/** The rules are asked again in the write, when the record and the rights of the caller may have changed. */
function createJudges(content: Content, doing: Identity['doing']) {
  /** Somebody without an account is nobody in the write as well. */
  const speaking = (caller: Caller, said: CommentSaid) => {
    const judge = async (asker: Asker, post: Post | undefined): Promise<void> => {
      const refusal =
        (said.type === noteType
          ? noteRefusal(asker, content, said, post)
          : await speakingRefusal(asker, content, said, post)) ?? strippedRefusal(asker, caller.can(unfilteredHtml));
      if (refusal !== undefined) throw refusal;
    };
    if (!isNobody(caller)) return doing<Post>(credentialOf(caller), judge);
    return { again: (_: unknown, post: Post | undefined) => judge(caller, post) };
  };

  const changing = (caller: Caller, said: CommentSaid) =>
    doing<Comment, Writing>(credentialOf(caller), async (asker, comment, tx) => {
      if (comment === undefined) return;
      const now = await findPost(tx, comment.post_id);
      const then = said.post === undefined ? now : await findPost(tx, said.post);
      const refusal =
        changeRefusal(asker, content, said, comment, { now, then }) ??
        strippedRefusal(asker, caller.can(unfilteredHtml));
      if (refusal !== undefined) throw refusal;
    });

  const deleting = (caller: Caller) =>
    doing<Comment, Writing>(credentialOf(caller), async (asker, comment, tx) => {
      if (comment === undefined) return;
      if (!mayEdit(asker, await findPost(tx, comment.post_id), content.rights)) throw cannotDelete();
    });

  return { speaking, changing, deleting };
}

async function mayRead(
  caller: Caller,
  { about: post, status, user_id, type }: ShownComment,
  rights: Content['rights'],
  password: string | undefined,
): Promise<boolean> {
  if (mayEdit(caller, post, rights)) return true;
  const isShown = (status === 'approved' && type !== noteType) || (!isNobody(caller) && user_id === caller.id);
  return isShown && post !== undefined && readsPost(caller, post, rights, password);
}

/** The comments that this caller may read, and the columns of them that they may search. */
function narrowedFor(
  caller: Caller,
  { posts: named, statuses, email, type = noteType }: WantedComments,
  unseen: Content['unseen'],
): Partial<WantedComments> {
  if (moderates(caller)) return { searchAddresses: true };
  const notPosts = named === undefined ? unseen.discussions(caller) : undefined;
  const isForAll = email === undefined && type !== noteType && statuses.every((status) => status === 'approved');
  return { notPosts, also: isForAll ? undefined : ownOrEditable(caller, email !== undefined, unseen) };
}

/** With comments that everybody sees, unless the request names what only editors see of them. */
const ownOrEditable = (caller: Caller, isEditorsOnly: boolean, unseen: Content['unseen']) =>
  sql<SqlBool>`((comments.user_id = ${caller.id} and comments.user_id <> 0)
    ${isEditorsOnly ? sql`` : sql`or (comments.status = 'approved' and comments.type <> ${noteType})`}
    or exists (select 1 from posts as held where held.id = comments.post_id and ${unseen.isEditable(caller, 'held')}))`;

export interface FoundComment extends Comment {
  readonly basis: Pick<Content, 'rights' | 'posts' | 'postPasswords'>;
  /** What it is about. */
  readonly about: Post | undefined;
}

export interface ShownComment extends FoundComment {
  readonly link: string;
  /** The path of the records it is about one of: `posts`. */
  readonly base: string;
  readonly isAnswered: boolean;
  readonly noteStatus: NoteStatus | null;
  readonly prose: Prose;
  readonly premises: Premises;
}

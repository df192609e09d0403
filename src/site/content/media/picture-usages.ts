// The posts that show a picture: each is rewritten once, in a write of its own, so that it has one revision of the change.

import { sql } from 'kysely';
import { type Problem, raise } from '#kernel/problem.ts';
import { contains } from '#store/contains.ts';
import type { Store } from '#store/store.ts';
import type { Post, Posts } from '../posts/post.ts';
import type { ContentTables, Writing } from '../tables.ts';
import { attachment, type Kinds } from '../types.ts';
import type { MediaLibrary } from './media.ts';
import { markedPictures, rewriteImages } from './rewrite-images.ts';

export interface UsageFilter {
  /** Empty for all public types but media. */
  readonly types: readonly string[];
  /** Empty for all posts. */
  readonly posts: readonly number[];
  /** How many posts are read at a time. */
  readonly perLoop: number;
}

/** On whose behalf posts are written. */
export interface Author {
  readonly by: number;
  /** Throws when that is not allowed any more. */
  again(tx: Writing): Promise<void>;
}

type PostText = Pick<Post, 'id' | 'type' | 'content'>;

const maxPosts = 1_000;
const maxTries = 3;

const left = ['trash', 'auto-draft'];

export type Usages = ReturnType<typeof createUsages>;

interface UsagesDeps {
  readonly store: Pick<Store<ContentTables>, 'db'>;
  readonly content: { readonly posts: Posts; readonly media: MediaLibrary; readonly kinds: Kinds };
  /** For a post that was changed again and again at the same moments. */
  changedMeanwhile(post: number): Problem;
}

export function createUsages({ store, content, changedMeanwhile }: UsagesDeps) {
  const { posts, media, kinds } = content;

  const typesOf = (types: readonly string[]): string[] => {
    const known = kinds.types.filter(({ name, viewable }) => viewable && name !== attachment.name);
    return known.map(({ name }) => name).filter((name) => types.length === 0 || types.includes(name));
  };

  const marked = (text: string, after: number, { types, posts: ids, perLoop }: UsageFilter): Promise<PostText[]> => {
    const names = typesOf(types);
    if (names.length === 0) return Promise.resolve([]);
    const query = store.db
      .selectFrom('posts')
      .select(['id', 'type', 'content'])
      .where('id', '>', after)
      .where('type', 'in', names)
      .where('status', 'not in', left)
      .where(contains(sql.ref('posts.content'), text))
      .orderBy('id')
      .limit(perLoop);
    return (ids.length === 0 ? query : query.where('id', 'in', ids)).execute();
  };

  const rewritten = async (text: string, only: ReadonlySet<number> | undefined): Promise<string> => {
    const files = await media.files([...markedPictures(text)].filter((id) => only?.has(id) ?? true));
    return rewriteImages(text, { pictureOf: (id) => files.get(id), urlOf: media.urlOf });
  };

  /** Once: answers undefined where the post was changed since it was read. */
  const tryRewrite = async (post: PostText, only: ReadonlySet<number> | undefined, author: Author) => {
    const next = await rewritten(post.content, only);
    if (next === post.content) return false;
    let isOther = false;
    const again = async (tx: Writing, target: Post | undefined): Promise<void> => {
      await author.again(tx);
      isOther = target?.content !== post.content;
      if (isOther) throw changedMeanwhile(post.id);
    };
    const how = { by: author.by, writer: author.by, unfiltered: true, keepsModified: true, again } as const;
    return posts.change(post as Post, { content: next }, how).then(
      () => true,
      (error) => (isOther ? undefined : raise(error)),
    );
  };

  /** Rewrites the pictures of one post, or `only` these. Another write at the same moment is not lost: the post is read again. */
  const rewrite = async (found: PostText, only: ReadonlySet<number> | undefined, author: Author): Promise<boolean> => {
    let post: PostText | undefined = found;
    for (let tries = 0; tries < maxTries && post !== undefined; tries++) {
      const isChanged = await tryRewrite(post, only, author);
      if (isChanged !== undefined) return isChanged;
      post = await posts.find(found.id);
    }
    if (post === undefined) return false;
    throw changedMeanwhile(found.id);
  };

  return {
    update: (id: number, filter: UsageFilter, author: Author, goOn: () => Promise<void>): Promise<number> =>
      updateUsages({ marked, rewrite }, { id, filter, author }, goOn),

    /** The next posts with pictures of the library, by ascending id. */
    next: (after: number, perLoop: number) => marked('wp-image-', after, { types: [], posts: [], perLoop }),

    rewrite,
  };
}

interface UsageDeps {
  marked(text: string, after: number, filter: UsageFilter): Promise<PostText[]>;
  rewrite(post: PostText, only: ReadonlySet<number>, author: Author): Promise<boolean>;
}

interface UsageUpdate {
  readonly id: number;
  readonly filter: UsageFilter;
  readonly author: Author;
}

/** Rewrites every post that shows this picture. What fails does not keep the others from it; the first failure is thrown. */
async function updateUsages(
  { marked, rewrite }: UsageDeps,
  { id, filter, author }: UsageUpdate,
  goOn: () => Promise<void>,
) {
  let after = 0;
  let changed = 0;
  const faults: unknown[] = [];
  for (let read = 0; read < maxPosts; ) {
    const perLoop = Math.min(filter.perLoop, maxPosts - read);
    const found = await marked(`wp-image-${id}`, after, { ...filter, perLoop });
    for (const post of found) {
      const isChanged = await rewrite(post, new Set([id]), author).catch((error) => void faults.push(error));
      if (isChanged) changed += 1;
    }
    if (found.length < perLoop) break;
    read += found.length;
    after = found.at(-1)!.id;
    await goOn();
  }
  if (faults.length > 0) throw faults[0];
  return changed;
}

// What a site publishes: records of every type, what sorts them, what is said about them, the files among them.
import type { Spool } from '#kernel/upload.ts';
import { type Addresses, structureOf, usualAddresses } from '#lib/permalink.ts';
import type { Zone } from '#lib/wall-time.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import type { Files } from '../files/files.ts';
import { avatarsOf } from '../identity/users/avatars.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Premises } from '../platform/about.ts';
import { createToldRecords, type ToldRecords } from '../platform/cache/records.ts';
import type { Clock } from '../platform/clock.ts';
import type { Events } from '../platform/events.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import type { Settings } from '../platform/settings/settings.ts';
import type { SiteGroup } from '../platform/settings/site.ts';
import { type AddedValues, createAddedValues } from './added.ts';
import { type Archives, createArchives } from './archives.ts';
import { type Authors, createAuthors } from './authors/authors.ts';
import type { Comments } from './comments/comment.ts';
import { createComments } from './comments/comments.ts';
import { emptyCommentsTrash } from './comments/emptying.ts';
import { commentHooks } from './comments/post-hooks.ts';
import { createThreads, type Threads } from './comments/threads.ts';
import { createTextFilter } from './filter/filter.ts';
import { createMedia } from './media/library.ts';
import type { MediaLibrary } from './media/media.ts';
import type { PicturesOptions } from './media/picture.ts';
import { releaseFiles } from './media/reserved-paths.ts';
import { createMetaKeys, type MetaKeys, type MetaValues, metaOf } from './meta.ts';
import { createPermalinks, type Permalinks } from './permalinks.ts';
import { createPostPasswords, type PostPasswords } from './post-passwords/post-passwords.ts';
import { emptyTrash } from './posts/emptying.ts';
import type { WritingNeeds } from './posts/needs.ts';
import type { Posts } from './posts/post.ts';
import { createPosts } from './posts/posts.ts';
import { publishWhenDue } from './posts/publishing.ts';
import { createRendering } from './rendering/create.ts';
import type { Rendering } from './rendering/rendering.ts';
import type { Revisions } from './revisions/revision.ts';
import { createRevisionHooks, createRevisions } from './revisions/revisions.ts';
import { type ContentRights, createContentRights } from './rights.ts';
import { toldPosts } from './tables.ts';
import { termHooks } from './terms/post-hooks.ts';
import type { Terms } from './terms/term.ts';
import { createTerms } from './terms/terms.ts';
import { createKinds, type Kinds } from './types.ts';
import { createUnseen, type Unseen } from './unseen.ts';

export interface Content {
  readonly kinds: Kinds;
  readonly metaKeys: MetaKeys;
  readonly rights: ContentRights;
  /** Which records lists leave out, and do not count. */
  readonly unseen: Unseen;
  readonly posts: Posts;
  readonly postPasswords: PostPasswords;
  readonly terms: Terms;
  readonly revisions: Revisions;
  readonly comments: Comments;
  readonly threads: Threads;
  readonly media: MediaLibrary;
  readonly authors: Authors;
  readonly permalinks: Permalinks;
  readonly archives: Archives;
  readonly rendering: Rendering;
  /** Of the fields that extensions add. */
  readonly added: AddedValues;
  /** Records as anybody gets them. */
  readonly told: ToldRecords;
  /** By which clock the site goes now. */
  zone(): Promise<Zone>;
  /** What writes of records are made from: for whoever brings some from elsewhere. */
  readonly writing: WritingNeeds;
  /** What is kept of these records beside their fields. */
  metaOf(posts: readonly number[]): Promise<Map<number, MetaValues>>;
}

/** What a site says of its content once and for all. */
export interface ContentOptions {
  /** The public address of the uploads, without a slash at its end. */
  readonly uploads: string;
  /** As everywhere, where nobody says so. */
  readonly addresses?: Addresses;
  /** In hours from UTC, where no time zone is set. */
  readonly offset: number;
  /** How long what was deleted can be brought back; 0 for not at all. */
  readonly trashDays: number;
  /** How many earlier states of a record are kept; `Infinity` for all of them. */
  readonly revisionsKept: number;
  readonly pictures?: PicturesOptions;
}

interface ContentNeeds extends ContentOptions {
  readonly store: AnyStore;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly events: Events;
  readonly jobs: Jobs;
  readonly files: Files;
  /** Where what is worked on lies aside. */
  readonly spool: Spool;
  readonly rateLimits: RateLimits;
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  /** The public base address of the site. */
  readonly url: string;
  /** Where pictures of people are. */
  readonly site: Pick<Premises, 'avatars' | 'avatarBase'>;
}

export function createContent(needs: ContentNeeds): Content {
  const { store, url, uploads, settings, siteGroup, offset, jobs } = needs;
  const addresses = needs.addresses ?? usualAddresses;
  const kinds = createKinds([], structureOf(addresses.post)?.isLikePages);
  const metaKeys = createMetaKeys();
  const now = async () => settings.read(siteGroup);
  const zone = async (): Promise<Zone> => ({ timezone: (await now()).timezone, offset });
  const frontPage = async () => {
    const { show_on_front, page_on_front } = await now();
    return show_on_front === 'page' ? page_on_front : 0;
  };
  const filter = createTextFilter(uploads);
  const permalinks = createPermalinks({ db: store.db, kinds, url, frontPage, addresses });
  const terms = createTerms({ ...needs, kinds });
  const writing = {
    ...needs,
    kinds,
    metaKeys,
    zone,
    defaults: now,
    filter,
    terms: { ...terms, ...termHooks },
    revisions: createRevisionHooks(metaKeys, needs.revisionsKept),
    comments: commentHooks,
    permalinks,
    onErase: [releaseFiles],
  };
  publishWhenDue(writing, jobs);
  emptyTrash(writing, jobs);
  emptyCommentsTrash(needs, jobs);
  const posts = createPosts(writing);
  const comments = createComments({ ...needs, kinds, zone });
  const media = createMedia({ ...needs, posts, zone });
  const rights = createContentRights(kinds, (id) => posts.find(id));
  const avatarOf = (email: string) => avatarsOf(email, needs.site)[48];
  return {
    kinds,
    metaKeys,
    rights,
    unseen: createUnseen(kinds, rights),
    posts,
    postPasswords: createPostPasswords(needs),
    terms,
    revisions: createRevisions({ ...needs, metaKeys, zone, filter }),
    comments,
    threads: createThreads(store.db),
    media,
    authors: createAuthors({ store, kinds }),
    permalinks,
    archives: createArchives({ db: store.db, permalinks, addresses, url }),
    rendering: createRendering({ ...needs, kinds, posts, terms, comments, media, permalinks, avatarOf }),
    added: createAddedValues(needs),
    told: createToldRecords(store, toldPosts),
    zone,
    writing,
    metaOf: store.gathered((posts) => metaOf(store.db, posts)),
  };
}

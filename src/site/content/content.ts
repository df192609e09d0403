// What a site publishes: records of every type, what sorts them, what is said about them, the files among them.
import type { Config } from '#config/config.ts';
import type { Face } from '#kernel/faces.ts';
import type { Spool } from '#kernel/upload.ts';
import { structureOf } from '#lib/permalink.ts';
import type { Zone } from '#lib/wall-time.ts';
import type { Files } from '../files/files.ts';
import { avatarsOf } from '../identity/users/user.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createToldRecords } from '../platform/cache/records.ts';
import type { Events } from '../platform/events.ts';
import type { Platform } from '../platform/open.ts';
import { createArchives } from './archives.ts';
import { createAuthors } from './authors/authors.ts';
import { createComments } from './comments/comments.ts';
import { commentHooks } from './comments/post-hooks.ts';
import { createThreads } from './comments/threads.ts';
import { createAddedValues } from './extending.ts';
import { createTextFilter } from './filter/filter.ts';
import { createMedia } from './media/library.ts';
import { releaseFiles } from './media/reserved-paths.ts';
import { createMetaKeys, metaOf } from './meta.ts';
import { createPermalinks } from './permalinks.ts';
import { createPostPasswords } from './post-passwords/post-passwords.ts';
import { createPosts } from './posts/posts.ts';
import { createRendering } from './rendering/create.ts';
import { createRevisionHooks, createRevisions } from './revisions/revisions.ts';
import { createContentRights, createUnseen } from './rights.ts';
import { toldPosts } from './tables.ts';
import { termHooks } from './terms/post-hooks.ts';
import { createTerms } from './terms/terms.ts';
import { type ContentType, createKinds } from './types.ts';

/** What the operator says of content once and for all. */
export interface ContentOptions {
  readonly config: Config;
  /** How long the copies of one picture may take together, in milliseconds. */
  readonly picturesTake?: (() => number) | undefined;
  /** Content types that extensions bring. */
  readonly types?: readonly ContentType[] | undefined;
}

export interface ContentNeeds extends Platform {
  readonly jobs: Jobs;
  readonly files: Files;
  /** Where what is worked on lies aside. */
  readonly spool: Spool;
}

export type Content = ReturnType<typeof createContent>;

function siteReads({
  settings,
  siteGroup,
  offset,
}: Pick<Platform, 'settings' | 'siteGroup'> & { readonly offset: number }) {
  const now = async () => settings.read(siteGroup);
  return {
    now,
    zone: async (): Promise<Zone> => ({ timezone: (await now()).timezone, offset }),
    async frontPage() {
      const { show_on_front, page_on_front } = await now();
      return show_on_front === 'page' ? page_on_front : 0;
    },
  };
}

/** Types of extensions have pages while their extension is active. Their records stay known while it is off. */
function createSiteKinds(types: readonly ContentType[] = [], structure: string) {
  const active = new Set<readonly ContentType[]>();
  const own = types.map((type) => ({
    ...type,
    get viewable() {
      return type.viewable && active.values().some((some) => some.some(({ name }) => name === type.name));
    },
  }));
  return {
    kinds: createKinds(own, structureOf(structure)?.isLikePages),
    /** Returns how to take that back. */
    activateTypes(some: readonly ContentType[]): () => void {
      const activation = [...some];
      active.add(activation);
      return () => void active.delete(activation);
    },
  };
}

export function createContent(platform: ContentNeeds, { config, picturesTake, types }: ContentOptions) {
  const { url, addresses, trashDays, revisions, imageSizes: sizes } = config;
  const offset = config.deployment.settings.gmt_offset;
  const uploads = `${url}/${config.uploadsPath}`;
  const needs = { ...platform, url, uploads, offset, trashDays };
  const { store, site } = needs;
  const { kinds, activateTypes } = createSiteKinds(types, addresses.post);
  const metaKeys = createMetaKeys();
  const { now, zone, frontPage } = siteReads(needs);
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
    revisions: createRevisionHooks(metaKeys, revisions),
    comments: commentHooks,
    permalinks,
    onErase: [releaseFiles],
  };
  const posts = createPosts(writing);
  const comments = createComments({ ...needs, kinds, zone });
  const media = createMedia({ ...needs, posts, zone, sizes, pictures: { patience: picturesTake } });
  const rights = createContentRights(kinds, (id) => posts.find(id));
  const avatarOf = (email: string) => avatarsOf(email, site)[48];
  return {
    kinds,
    activateTypes,
    metaKeys,
    rights,
    /** Which records lists leave out, and do not count. */
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
    /** Of the fields that extensions add. */
    added: createAddedValues(needs),
    /** Records as anybody gets them. */
    told: createToldRecords(store, toldPosts),
    /** By which clock the site goes now. */
    zone,
    /** What writes of records are made from: for whoever brings some from elsewhere. */
    writing,
    /** What is kept of these records beside their fields. */
    metaOf: store.gathered((posts) => metaOf(store.db, posts)),
  };
}

/** What has changed is made ready at once, where records like it are read: whoever looks next finds it. */
interface Needs {
  readonly events: Events;
  readonly content: Pick<Content, 'told' | 'kinds'>;
  /** Has the answer made that anybody gets at this path, spelled neutrally. */
  ready(face: Face, path: string): void;
}

export function tellAhead({ events, content: { told, kinds }, ready }: Needs): void {
  events.on('post.saved', ({ post: { id, type, status } }) => {
    const faces = status === 'publish' ? told.facesOf(type) : [];
    for (const face of faces) ready(face, `/core/v2/${kinds.type(type)!.base}/${id}`);
  });
}

// The rules: which media items have thumbnails, one regeneration at a time for each, and what else it does.

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { contentErrors } from '#site/content/errors.ts';
import { isSizable } from '#site/content/media/file-kinds.ts';
import type { MediaFile, RegenerateOptions } from '#site/content/media/media.ts';
import { Malformed, OutOfTime } from '#site/content/media/picture-errors.ts';
import { type Author, createUsages, type UsageFilter } from '#site/content/media/picture-usages.ts';
import { originalDimensions } from '#site/content/media/regenerate.ts';
import { originalPath } from '#site/content/media/store-file.ts';
import type { Post, Posts } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';
import type { Store } from '#store/store.ts';
import { type AttachmentInfo, attachmentInfo, pdf } from './attachment-info.ts';
import { thumbnailErrors } from './errors.ts';
import type { ThumbnailTables } from './tables.ts';

export type ThumbnailDeps = Pick<Services, 'store' | 'clock' | 'content' | 'site' | 'settings' | 'siteGroup'>;

export interface Regeneration extends RegenerateOptions {
  /** Which posts are rewritten; without it, none. */
  readonly usages?: UsageFilter | undefined;
  /** The run over many pictures that this is a part of. */
  readonly run?: string | undefined;
}

export type Thumbnails = ReturnType<typeof createThumbnails>;

interface CheckedAttachment {
  readonly post: Post;
  readonly file: MediaFile;
  /** For refusals: which media item it is. */
  readonly details: Readonly<Record<string, unknown>>;
}

export function createThumbnails(deps: ThumbnailDeps) {
  const { content, site } = deps;
  const { media, posts } = content;
  const icons = createSiteIcons(deps);
  const usages = createUsages({ ...deps, changedMeanwhile: thumbnailErrors.changedMeanwhile });
  const info = { media, url: site.url };

  const check = async (id: string, mayBePdf: boolean): Promise<CheckedAttachment> => {
    const post = await attachmentOf(posts, id);
    const details = { attachment: { ID: post.id, post_title: post.title, post_mime_type: post.mime_type } };
    if (await icons.isOne(post.id)) throw thumbnailErrors.isSiteIcon().with(details);
    const file = (await media.files([post.id])).get(post.id);
    // A text has no original picture, even if its file is there: clients are used to that answer.
    if (file === undefined || post.mime_type.startsWith('text/'))
      throw thumbnailErrors.fileNotFound().with({ fullsizepath: false, ...details });
    const path = originalPath(file);
    if (!(await media.existing([path])).has(path))
      throw thumbnailErrors.fileNotFound().with({ fullsizepath: path, ...details });
    if (!isSizable(post.mime_type) && !(mayBePdf && post.mime_type === pdf))
      throw thumbnailErrors.noEditor().with(details);
    return { post, file, details };
  };

  return {
    icons,
    usages,

    async info(id: string): Promise<AttachmentInfo> {
      const { post, file, details } = await check(id, true);
      if (post.mime_type !== pdf && file.width === null) throw thumbnailErrors.noMetadata().with(details);
      const original = originalDimensions(file) ?? (post.mime_type === pdf ? undefined : await media.measure(file));
      return attachmentInfo(info, post, file, original);
    },

    async regenerate(
      id: string,
      { usages: filter, run, ...options }: Regeneration,
      author: Author,
    ): Promise<AttachmentInfo> {
      const { post, details } = await check(id, false);
      const refusal = () => thumbnailErrors.inProgress().with(details);
      return media.locks.hold({ id: post.id, token: run ?? randomUUID(), refusal }, async (goOn) => {
        const doing = { by: author.by, again: author.again };
        const { file } = await media.regenerate(post, options, doing).catch(refusalOf(details));
        await goOn();
        if (filter !== undefined) await usages.update(post.id, filter, author, goOn);
        return attachmentInfo(info, post, file);
      });
    },

    async featured(page: number, perPage: number) {
      const { items, total } = await listFeatured(deps.store, page, perPage);
      if (total > 0 && page > Math.ceil(total / perPage)) throw contentErrors.postInvalidPageNumber();
      return { items, total };
    },
  };
}

async function attachmentOf(posts: Pick<Posts, 'find'>, id: string): Promise<Post> {
  const number = Number(id);
  const post = Number.isSafeInteger(number) ? await posts.find(number) : undefined;
  if (post === undefined) throw thumbnailErrors.doesNotExist(id);
  if (post.type !== attachment.name) throw thumbnailErrors.notAttachment(id);
  return post;
}

const refusalOf =
  (details: Readonly<Record<string, unknown>>) =>
  (error: unknown): never => {
    if (error instanceof Malformed) throw contentErrors.invalidImage().with(details, { cause: error });
    if (error instanceof OutOfTime) throw thumbnailErrors.timeout().with(details, { cause: error });
    throw error instanceof Problem ? error.with(details) : error;
  };

/** Distinct pictures that posts are featured with, by the first post that has each. */
async function listFeatured({ db }: ThumbnailDeps['store'], page: number, perPage: number) {
  const used = db
    .selectFrom('posts')
    .innerJoin('posts as picture', 'picture.id', 'posts.featured_media')
    .where(sql<boolean>`posts.featured_media > 0`)
    .where('picture.type', '=', attachment.name);
  const items = used
    .select('posts.featured_media as id')
    .groupBy('posts.featured_media')
    .orderBy((of) => of.fn.min('posts.id'))
    .limit(perPage)
    .offset((page - 1) * perPage);
  const count = used.select((of) => of.fn.count<number>('posts.featured_media').distinct().as('pictures'));
  const { pictures } = await count.executeTakeFirstOrThrow();
  return { items: await items.execute(), total: Number(pictures) };
}

/** The mark by which imported pictures say that they were cut for the icon of a site. */
const contextKey = '_wp_attachment_context';

/** Which pictures are or were the icon of the site. */
function createSiteIcons({ store: shared, settings, siteGroup }: ThumbnailDeps) {
  const store: Store<ThumbnailTables> = shared;
  const isMarked = sql<boolean>`(
    exists (select 1 from thumbnail_site_icons as icon where icon.attachment = posts.id)
    or exists (select 1 from settings where group_name = ${siteGroup.name} and name = 'site_icon'
      and value = cast(posts.id as text))
    or exists (select 1 from post_meta as context where context.post_id = posts.id
      and context.key = ${contextKey} and context.value = ${'"site-icon"'}))`;

  return {
    /** A condition on `posts`. */
    isMarked,
    async isOne(id: number): Promise<boolean> {
      if ((await settings.read(siteGroup)).site_icon === id) return true;
      const row = await shared.db
        .selectFrom('posts')
        .select('id')
        .where('id', '=', id)
        .where(isMarked)
        .executeTakeFirst();
      return row !== undefined;
    },
    /** Keeps in mind what the icon was before it was changed. */
    async remember(id: unknown): Promise<void> {
      if (typeof id !== 'number' || id < 1) return;
      await store.write((tx) =>
        tx
          .insertInto('thumbnail_site_icons')
          .columns(['attachment'])
          .expression(sql`select id as attachment from posts where id = ${id} and type = ${attachment.name}`)
          .onConflict((on) => on.column('attachment').doNothing())
          .execute(),
      );
    },
  };
}

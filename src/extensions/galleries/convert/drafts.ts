// Galleries as they are to be made of blocks and shortcodes, with pictures of other sites fetched.
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import type { Post } from '#site/content/posts/post.ts';
import { listed } from '#site/content/rendering/shortcodes/listed.ts';
import { attachment } from '#site/content/types.ts';
import type { Values } from '../gallery-data.ts';
import {
  type BlockSource,
  type GallerySource,
  gallerySourcesIn,
  imagesOf,
  type ShortcodeSource,
  type SourceImage,
} from './gallery-sources.ts';
import type { ConvertDeps } from './rights.ts';

const maxFetches = 50;
/** More stay as they are until the post is converted again. */
const maxGalleries = 200;

/** A gallery to be made of a block or a shortcode. */
export interface Draft {
  readonly config: Values;
  readonly items: readonly Values[];
}

interface Picture {
  readonly record: Post;
  readonly file: string;
}

/** Pictures of the media library that this account may see. */
export async function picturesOf(
  { content: { posts, media, rights } }: ConvertDeps,
  ids: readonly number[],
  caller: Caller,
): Promise<Map<number, Picture>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  const [records, files] = await Promise.all([posts.some(wanted), media.files(wanted)]);
  const found = new Map<number, Picture>();
  for (const [id, record] of records) {
    const file = files.get(id)?.file;
    const isPicture = record.type === attachment.name && record.mime_type.startsWith('image/');
    if (isPicture && file !== undefined && (await rights.mayRead(caller, record))) found.set(id, { record, file });
  }
  return found;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is empty is not sent, so that the media item says it. */
export const itemOf = (id: number, said: Values, { record, file }: Picture): Values => ({
  id,
  title: textOf(said.title) || record.title || file.replace(/^.*\//, ''),
  ...(textOf(said.alt) !== '' && { alt: said.alt }),
  ...(textOf(said.caption) !== '' && { caption: said.caption }),
  ...(textOf(said.link) !== '' && { link: said.link }),
  ...(said.link_new_window === 1 && { link_new_window: 1 }),
});

export const columnsFrom = (value: unknown): number => {
  const columns = value === undefined || value === null || value === '' ? Number.NaN : Number(value);
  return Number.isInteger(columns) && columns >= 0 ? columns : 3;
};

/** Takes back what was made for a conversion that failed. */
export async function eraseAll({ content: { posts, media } }: ConvertDeps, ids: readonly number[], { id: by }: Caller) {
  for (const id of ids) {
    const post = await posts.find(id);
    if (post !== undefined) await (post.type === attachment.name ? media : posts).erase(post, { by });
  }
}

interface Asking {
  readonly caller: Caller;
  /** Names the conversion, so that the next one finds what it made if it is broken off. */
  readonly work: string;
  /** Media items that were made of pictures of other sites. */
  readonly fetched: number[];
}

/** By its source. Shortcodes that say the same share one gallery. */
export async function draftsOf(deps: ConvertDeps, post: Post, asking: Asking): Promise<Map<GallerySource, Draft>> {
  const drafts = new Map<GallerySource, Draft>();
  const made = new Set<Draft>();
  const alike = new Map<string, Draft | undefined>();
  for (const source of gallerySourcesIn(post.content)) {
    if (made.size >= maxGalleries) break;
    let draft: Draft | undefined;
    if (source.kind === 'block') draft = await draftOfBlock(deps, source, post, asking);
    else {
      const key = JSON.stringify(
        Object.entries(source.attributes).toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );
      if (!alike.has(key)) alike.set(key, await draftOfShortcode(deps, source, post, asking.caller));
      draft = alike.get(key);
    }
    if (draft === undefined) continue;
    drafts.set(source, draft);
    made.add(draft);
  }
  return drafts;
}

/** The pictures that the shortcode shows, in its order. */
async function draftOfShortcode(
  deps: ConvertDeps,
  { attributes }: ShortcodeSource,
  post: Post,
  caller: Caller,
): Promise<Draft | undefined> {
  const { content, store } = deps;
  const shown = await listed({ ...content, store }, 'image', { attributes, of: post });
  const pictures = await picturesOf(
    deps,
    shown.map(({ id }) => id),
    caller,
  );
  const items = shown.flatMap(({ id }) => {
    const picture = pictures.get(id);
    return picture === undefined ? [] : [itemOf(id, {}, picture)];
  });
  const isRandom = textOf(attributes.orderby).trim().toLowerCase() === 'rand';
  const config = {
    columns: columnsFrom(attributes.columns),
    image_size: attributes.size ?? 'thumbnail',
    ...(isRandom && { sort_order: '1' }),
  };
  return items.length === 0 ? undefined : { config, items };
}

/** Nothing if one of its pictures cannot be had: then the block stays as it is. */
async function draftOfBlock(
  deps: ConvertDeps,
  source: BlockSource,
  post: Post,
  { caller, fetched, work }: Asking,
): Promise<Draft | undefined> {
  const { images, caption } = imagesOf(source);
  const pictures = await picturesOf(
    deps,
    images.map(({ id }) => id),
    caller,
  );
  const { linkTarget, columns, sizeSlug } = source.attributes;
  const before = fetched.length;
  const items: Values[] = [];
  for (const image of images) {
    const found = pictures.has(image.id) ? image.id : await otherPicture(deps, image, post, { caller, fetched, work });
    if (found === undefined) {
      await eraseAll(deps, fetched.splice(before), caller);
      return undefined;
    }
    if (found === 0) continue;
    const picture = pictures.get(found) ?? (await picturesOf(deps, [found], caller)).get(found);
    const said = { ...image, link_new_window: linkTarget === '_blank' ? 1 : 0 };
    if (picture !== undefined) items.push(itemOf(found, said, picture));
  }
  const config = {
    columns: columnsFrom(columns),
    image_size: sizeSlug ?? 'large',
    ...(caption !== '' && { description: caption, display_description: 'below' }),
  };
  return items.length === 0 ? undefined : { config, items };
}

/** A picture that is not named by its id: 0 for one that was deleted, nothing for one that cannot be had. */
async function otherPicture(
  { content: { media }, galleries, images, url }: ConvertDeps,
  { id, src, alt }: SourceImage,
  post: Post,
  { caller, fetched, work }: Asking,
): Promise<number | undefined> {
  const address = URL.parse(src, url);
  if (address === null || src === '') return id > 0 ? 0 : undefined;
  if (address.origin === new URL(url).origin) return (await media.at(address.href))?.id ?? (id > 0 ? 0 : undefined);
  if (fetched.length >= maxFetches) return undefined;
  try {
    // It is seen by the accounts that see the post.
    const upload = { gallery: post.id, by: caller.id, doing: galleries.uploadingAs(caller), unusedOf: work };
    const made = await images.attachmentOf({ src: address.href, alt }, upload);
    fetched.push(made);
    return made;
  } catch (error) {
    const isRefused = error instanceof Problem && (error.status === 'denied' || leaves.has(error.status));
    if (!isRefused) throw error;
    return undefined;
  }
}

/** A picture that is refused with these stays where it is: it is unsafe, missing, too large or not a picture, or arrives too late. */
const leaves = new Set([400, 403, 413, 415, 502, 504]);

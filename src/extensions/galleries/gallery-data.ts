// `gallery_data` and `album_data` of records: as they are shown, and what a client sends as the text that is stored.
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import { galleryErrors } from './errors.ts';
import { type Config, type Kind, settleConfig } from './gallery-config.ts';
import {
  albumIn,
  type Cover,
  coverOf,
  fileLink,
  galleryIn,
  type Item,
  idOf,
  itemOf,
  maxGalleries,
  maxItems,
  type Stored,
  withAlbum,
  withGallery,
} from './gallery-content.ts';
import { galleryType } from './types.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface SentGallery {
  readonly config?: Values | undefined;
  readonly items?: readonly Values[] | undefined;
}

export interface SentAlbum {
  readonly config?: Values | undefined;
  readonly galleries?: readonly Values[] | undefined;
}

type DataDeps = Pick<Content, 'posts' | 'media' | 'rights'>;

export type GalleryData = ReturnType<typeof createGalleryData>;

export function createGalleryData(deps: DataDeps) {
  return {
    gallery: (ids: readonly number[]) => readGalleries(deps, ids),
    album: (ids: readonly number[]) => readAlbums(deps, ids),

    /** The text of a gallery with what was sent; what was not sent stays. */
    async galleryText(text: string, sent: SentGallery, asker: Asker): Promise<string> {
      const before = galleryIn(text);
      const entries =
        sent.items === undefined ? before.entries : await itemsOf(deps, sent.items, before.entries, asker);
      return withGallery(text, { config: mergedConfig('gallery', before, sent.config), entries });
    },

    async albumText(text: string, sent: SentAlbum): Promise<string> {
      const before = albumIn(text);
      const entries =
        sent.galleries === undefined ? before.entries : await coversOf(deps, sent.galleries, before.entries);
      return withAlbum(text, { config: mergedConfig('album', before, sent.config), entries });
    },
  };
}

const mergedConfig = (kind: Kind, before: Stored<unknown>, sent: Values | undefined): Config => ({
  ...before.config,
  ...settleConfig(kind, sent),
});

async function urlsOf({ media }: DataDeps, ids: readonly number[]): Promise<Map<number, string>> {
  const files = await media.files([...new Set(ids)].filter((id) => id > 0));
  return new Map([...files].map(([id, { file }]) => [id, media.urlOf(file)]));
}

async function readGalleries(deps: DataDeps, ids: readonly number[]) {
  const records = await deps.posts.some(ids);
  const all = [...records.values()].map((post) => ({ id: post.id, ...galleryIn(post.content) }));
  const urls = await urlsOf(
    deps,
    all.flatMap(({ entries }) => entries.map(({ id }) => id)),
  );
  return new Map(
    all.map(({ id, config, entries }) => {
      const items = entries.flatMap((item) => {
        const src = urls.get(item.id);
        return src === undefined ? [] : [{ ...item, src, link: item.link === fileLink ? src : item.link }];
      });
      return [id, { id, config, items }];
    }),
  );
}

async function readAlbums(deps: DataDeps, ids: readonly number[]) {
  const records = await deps.posts.some(ids);
  const all = [...records.values()].map((post) => ({ id: post.id, ...albumIn(post.content) }));
  const covers = all.flatMap(({ entries }) => entries);
  const galleries = await deps.posts.some([...new Set(covers.map(({ id }) => id))]);
  const urls = await urlsOf(
    deps,
    covers.map(({ cover_image_id }) => cover_image_id),
  );
  return new Map(
    all.map(({ id, config, entries }) => {
      const shown = entries
        .filter((cover) => galleries.get(cover.id)?.type === galleryType.name)
        .map((cover) => ({ ...cover, cover_image_url: urls.get(cover.cover_image_id) ?? cover.cover_image_url }));
      return [id, { id, config, galleries: shown }];
    }),
  );
}

const sentOnly = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Each once, in the order in which they were sent. */
function inOrder<Entry extends { readonly id: number }>(entries: readonly (Entry | undefined)[]): Entry[] {
  const all = new Map<number, Entry>();
  for (const entry of entries) if (entry !== undefined && !all.has(entry.id)) all.set(entry.id, entry);
  return [...all.values()];
}

/** An item that is there already keeps what is not sent of it. */
async function itemsOf(
  deps: DataDeps,
  sent: readonly Values[],
  before: readonly Item[],
  asker: Asker,
): Promise<Item[]> {
  if (sent.length > maxItems) throw galleryErrors.tooManyItems(maxItems);
  const known = new Map(before.map((item) => [item.id, item]));
  const ids = sent.map(({ id }) => idOf(id));
  const named = ids.filter((id) => id > 0);
  const [records, files] = await Promise.all([
    deps.posts.some(named.filter((id) => !known.has(id))),
    deps.media.files(named),
  ]);
  const itemFrom = async (values: Values, id: number): Promise<Item | undefined> => {
    const file = files.get(id);
    const item = known.get(id);
    // Of a picture that was deleted meanwhile, clients send the item back.
    if (item !== undefined && file === undefined) return undefined;
    const usual = item ?? (await newItem(deps, { id, record: records.get(id), file, asker }));
    const isOwnFile = values.link === deps.media.urlOf(file!.file);
    return itemOf({ ...usual, ...sentOnly(values), ...(isOwnFile && { link: fileLink }), id });
  };
  const items: (Item | undefined)[] = [];
  for (const [at, values] of sent.entries()) items.push(await itemFrom(values, ids[at]!));
  return inOrder(items);
}

interface NewItem {
  readonly id: number;
  readonly record: Post | undefined;
  readonly file: MediaFile | undefined;
  readonly asker: Asker;
}

/** A new item says what its media item says. */
async function newItem({ rights }: DataDeps, { id, record, file, asker }: NewItem): Promise<Partial<Item>> {
  const isPicture = record?.type === attachment.name && record.mime_type.startsWith('image/');
  if (!isPicture || file === undefined || !(await rights.mayRead(asker, record)))
    throw galleryErrors.invalidParam(`\`items\` must be pictures of the media library; ${id} is not one.`);
  return { title: record.title, alt: file.alt_text, caption: record.excerpt, link: fileLink };
}

async function coversOf({ posts }: DataDeps, sent: readonly Values[], before: readonly Cover[]): Promise<Cover[]> {
  if (sent.length > maxGalleries) throw galleryErrors.tooManyGalleries(maxGalleries);
  const known = new Map(before.map((cover) => [cover.id, cover]));
  const ids = sent.map(({ id }) => idOf(id));
  const records = await posts.some(ids.filter((id) => id > 0));
  const coverFrom = (values: Values, id: number): Cover | undefined => {
    const record = records.get(id);
    const cover = known.get(id);
    if (cover !== undefined && record === undefined) return undefined;
    if (record?.type !== galleryType.name) throw galleryErrors.unknownGallery(id);
    return coverOf({ title: record.title, ...cover, ...sentOnly(values), id });
  };
  return inOrder(sent.map((values, at) => coverFrom(values, ids[at]!)));
}

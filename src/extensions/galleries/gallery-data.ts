// `gallery_data` and `album_data` of records: as they are shown, and what a client sends as the text that is stored.
import { kernelErrors } from '#kernel/errors.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';
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

type DataDeps = Pick<Content, 'posts' | 'media' | 'rights'> & Pick<Services, 'store'>;

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

    async albumText(text: string, sent: SentAlbum, asker: Asker): Promise<string> {
      const before = albumIn(text);
      const entries =
        sent.galleries === undefined ? before.entries : await coversOf(deps, sent.galleries, before.entries, asker);
      return withAlbum(text, { config: mergedConfig('album', before, sent.config), entries });
    },
  };
}

const mergedConfig = (kind: Kind, before: Stored<unknown>, sent: Values | undefined): Config => ({
  ...before.config,
  ...settleConfig(kind, sent),
});

type PictureRecord = Pick<Post, 'id' | 'status' | 'parent' | 'author' | 'date'>;
type Db = Pick<Services['store'], 'db'>['db'];

/** Of one statement. */
const maxIds = 500;

async function rowsOf<Row extends { readonly id: number }>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<Map<number, Row>> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  const rows = new Map<number, Row>();
  for (let at = 0; at < wanted.length; at += maxIds)
    for (const row of await read(wanted.slice(at, at + maxIds))) rows.set(row.id, row);
  return rows;
}

/** Pictures that everybody may see in a gallery or an album. */
export async function openPictures(db: Db, ids: readonly number[]) {
  const records = await rowsOf(ids, (some) =>
    db.selectFrom('posts').select(['id', 'status', 'parent', 'author', 'date']).where('id', 'in', some).execute(),
  );
  const parents = [...records.values()].map(({ parent }) => parent);
  const hosts = await rowsOf(parents, (some) =>
    db.selectFrom('posts').select(['id', 'status', 'password']).where('id', 'in', some).execute(),
  );
  return {
    records,
    /** Not one that is attached to other content that is not public. */
    openIn(shownIn: number, id: number): PictureRecord | undefined {
      const record = records.get(id);
      const host = record?.parent === shownIn ? undefined : hosts.get(record?.parent ?? 0);
      const isOpen = host === undefined || (host.status === 'publish' && host.password === '');
      return isOpen && record?.status === 'inherit' ? record : undefined;
    },
  };
}

/** The URLs of pictures, of those alone that the readers of the record may know: the text can name any picture. */
async function shownUrls({ store, media }: DataDeps, ids: readonly number[]) {
  const [pictures, files] = await Promise.all([openPictures(store.db, ids), media.files([...new Set(ids)])]);
  return {
    isThere: (id: number): boolean => files.has(id),
    urlIn({ id: shownIn, status, author }: Post, id: number): string | undefined {
      const isOwn = status !== 'publish' && pictures.records.get(id)?.author === author;
      const file = isOwn || pictures.openIn(shownIn, id) ? files.get(id)?.file : undefined;
      return file && media.urlOf(file);
    },
  };
}

async function readGalleries(deps: DataDeps, ids: readonly number[]) {
  const records = await deps.posts.some(ids);
  const all = [...records.values()].map((post) => ({ post, ...galleryIn(post.content) }));
  const urls = await shownUrls(
    deps,
    all.flatMap(({ entries }) => entries.map(({ id }) => id)),
  );
  return new Map(
    all.map(({ post, config, entries }) => {
      const items = entries
        .filter(({ id }) => urls.isThere(id))
        .map((item) => {
          const src = urls.urlIn(post, item.id);
          return { ...item, src: src ?? '', link: item.link === fileLink ? (src ?? fileLink) : item.link };
        });
      return [post.id, { id: post.id, config, items }];
    }),
  );
}

async function readAlbums(deps: DataDeps, ids: readonly number[]) {
  const records = await deps.posts.some(ids);
  const all = [...records.values()].map((post) => ({ post, ...albumIn(post.content) }));
  const covers = all.flatMap(({ entries }) => entries);
  const galleries = await rowsOf(
    covers.map(({ id }) => id),
    (some) => deps.store.db.selectFrom('posts').select(['id', 'type']).where('id', 'in', some).execute(),
  );
  const urls = await shownUrls(
    deps,
    covers.map(({ cover_image_id }) => cover_image_id),
  );
  return new Map(
    all.map(({ post, config, entries }) => {
      const shown = entries
        .filter((cover) => galleries.get(cover.id)?.type === galleryType.name)
        .map((cover) => ({
          ...cover,
          cover_image_url: urls.urlIn(post, cover.cover_image_id) ?? cover.cover_image_url,
        }));
      return [post.id, { id: post.id, config, galleries: shown }];
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

const isPicture = (record: Post | undefined): record is Post =>
  record?.type === attachment.name && record.mime_type.startsWith('image/');

/** A new item says what its media item says. */
async function newItem({ rights }: DataDeps, { id, record, file, asker }: NewItem): Promise<Partial<Item>> {
  if (file === undefined || !isPicture(record) || !(await rights.mayRead(asker, record)))
    throw kernelErrors.invalidParam(`\`items\` must be pictures of the media library; ${id} is not one.`);
  return { title: record.title, alt: file.alt_text, caption: record.excerpt, link: fileLink };
}

/** Galleries and pictures that the album does not name yet must be visible to this account. */
async function coversOf(
  { posts, rights }: DataDeps,
  sent: readonly Values[],
  before: readonly Cover[],
  asker: Asker,
): Promise<Cover[]> {
  if (sent.length > maxGalleries) throw galleryErrors.tooManyGalleries(maxGalleries);
  const known = new Map(before.map((cover) => [cover.id, cover]));
  const images = new Set(before.map(({ cover_image_id }) => cover_image_id));
  const ids = sent.map(({ id }) => idOf(id));
  const newImages = sent.map((values) => coverOf(values).cover_image_id).filter((id) => !images.has(id));
  const records = await posts.some([...new Set([...ids, ...newImages])].filter((id) => id > 0));
  for (const id of newImages) {
    const record = records.get(id);
    if (id > 0 && !(isPicture(record) && (await rights.mayRead(asker, record))))
      throw kernelErrors.invalidParam(`\`cover_image_id\` must be a picture of the media library; ${id} is not one.`);
  }
  const coverFrom = async (values: Values, id: number): Promise<Cover | undefined> => {
    const record = records.get(id);
    const cover = known.get(id);
    if (cover !== undefined && record === undefined) return undefined;
    const isGallery = record?.type === galleryType.name;
    if (!isGallery || (cover === undefined && !(await rights.mayRead(asker, record))))
      throw galleryErrors.unknownGallery(id);
    return coverOf({ title: record.title, ...cover, ...sentOnly(values), id });
  };
  const covers: (Cover | undefined)[] = [];
  for (const [at, values] of sent.entries()) covers.push(await coverFrom(values, ids[at]!));
  return inOrder(covers);
}

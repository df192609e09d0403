// The folder gallery: the pictures of folders as a list, in texts and for whoever puts one into a text.
import { sql } from 'kysely';
import { escapeHtml } from '#lib/html.ts';
import { meaning } from '#lib/html-tokens.ts';
import type { Content } from '#site/content/content.ts';
import { filterComment } from '#site/content/filter/filter.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import { backgroundOf, type Sized, sizedOf, sourcesOf } from '#site/content/media/sources.ts';
import type { Post } from '#site/content/posts/post.ts';
import { somePosts } from '#site/content/posts/rows.ts';
import { type Live, live } from '#site/content/rendering/live.ts';
import { mediaTopic } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { amongIds } from './queries.ts';
import type { Tables } from './tables.ts';

const maxImages = 500;
const maxColumns = 8;
const maxPixels = 2_000;

const sortColumns = {
  date: 'posts.date',
  modified: 'posts.modified',
  title: 'posts.title_key',
  author: 'posts.author',
  file_name: 'media.file',
} as const;
export const sortNames = ['date', 'modified', 'title', 'author', 'file_name'] as const;
export const layouts = ['flex', 'grid', 'masonry'] as const;
export const linkTargets = ['none', 'media', 'attachment'] as const;

export interface GalleryOptions {
  readonly folders: readonly number[];
  readonly hasCaption: boolean;
  readonly hasLightbox: boolean;
  readonly columns: number;
  readonly isCropped: boolean;
  readonly linkTo: (typeof linkTargets)[number];
  readonly sortBy: (typeof sortNames)[number];
  readonly sortType: 'ASC' | 'DESC';
  readonly layout: (typeof layouts)[number];
  readonly space: number;
  readonly minWidth: number;
  readonly classes: readonly string[];
  readonly captions: Readonly<Record<string, string>>;
  readonly removed: readonly number[];
}

type Attributes = Readonly<Record<string, unknown>>;

const wholeIn = (value: unknown, [lowest, highest]: readonly [number, number], usual: number): number => {
  const number = Number(value);
  return value === undefined || value === null || !Number.isInteger(number)
    ? usual
    : Math.min(Math.max(number, lowest), highest);
};
const choiceIn = <const T extends string>(value: unknown, all: readonly T[], usual: T): T =>
  all.find((one) => one === value) ?? usual;
const idsIn = (value: unknown): number[] =>
  [value ?? []]
    .flat()
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
    .slice(0, maxImages);

/** Attributes as somebody wrote them: what does not fit is as if it were not there. */
export function galleryOptions(attributes: Attributes): GalleryOptions {
  const captions = Object.entries(Object(attributes.captions)).filter(([, text]) => typeof text === 'string');
  return {
    folders: idsIn(attributes.selectedFolder),
    hasCaption: attributes.hasCaption === true,
    hasLightbox: attributes.hasLightbox === true,
    columns: wholeIn(attributes.columns, [1, maxColumns], 3),
    isCropped: attributes.isCropped !== false,
    linkTo: choiceIn(attributes.linkTo, linkTargets, 'none'),
    sortBy: choiceIn(attributes.sortBy, sortNames, 'date'),
    sortType: choiceIn(attributes.sortType, ['DESC', 'ASC'], 'DESC'),
    layout: choiceIn(attributes.layout, layouts, 'flex'),
    space: wholeIn(attributes.spaceAroundImage, [0, maxPixels], 0),
    minWidth: wholeIn(attributes.imgMinWidth, [0, maxPixels], 0),
    classes: String(attributes.className ?? '')
      .split(/\s+/)
      .filter((name) => /^[\w-]{1,60}$/.test(name))
      .slice(0, 10),
    captions: Object.fromEntries(captions) as Record<string, string>,
    removed: idsIn(attributes.imagesRemoved),
  };
}

interface GalleryImage {
  readonly id: number;
  readonly alt: string;
  readonly caption: string;
  readonly shown: Sized & { readonly src: string; readonly label: string };
  readonly url: string;
  readonly page: string;
  readonly style: string | undefined;
  readonly srcset: string | undefined;
  readonly sizes: string | undefined;
}

export interface FoundImages {
  readonly images: readonly GalleryImage[];
  /** No file lies in the folders. */
  readonly isEmpty: boolean;
}

interface GalleryDeps {
  readonly store: Store<Tables>;
  readonly content: Pick<Content, 'media' | 'permalinks'>;
}

export type FolderGallery = ReturnType<typeof createFolderGallery>;

export function createFolderGallery({ store, content: { media, permalinks } }: GalleryDeps) {
  const { db } = store;
  const find = async (options: GalleryOptions): Promise<FoundImages> => {
    if (options.folders.length === 0) return { images: [], isEmpty: true };
    const ids = await imagesIn(store, options);
    if (ids.length === 0) return { images: [], isEmpty: !(await isAnyFileIn(store, options.folders)) };
    const [posts, files] = await Promise.all([somePosts(db, ids), media.files(ids)]);
    const links = await permalinks.of([...posts.values()]);
    const images = ids.flatMap((id): GalleryImage[] => {
      const [post, file] = [posts.get(id), files.get(id)];
      if (post === undefined || file === undefined) return [];
      return [imageOf(post, file, { urlOf: media.urlOf, page: links.get(id) })];
    });
    return { images, isEmpty: false };
  };
  return {
    find,
    html: async (options: GalleryOptions): Promise<string> => galleryHtml(options, await find(options)),
    /** In texts. All visitors see the same of it, whoever wrote the text. */
    block: live<FoundImages>({
      rests: ['media_folder_items', 'posts', mediaTopic],
      reads: ['selectedFolder', 'sortBy', 'sortType', 'imagesRemoved'],
      find: ({ attributes }) => find(galleryOptions(attributes)),
      write: ({ attributes }, found) => galleryHtml(galleryOptions(attributes), found),
    }) as Live,
  };
}

type GalleryStore = GalleryDeps['store'];

const filesIn = ({ db, engine }: GalleryStore, folders: readonly number[]) =>
  db
    .selectFrom('media_folder_items')
    .select('attachment_id')
    .where(amongIds(engine, 'folder_id', folders));

const isAnyFileIn = async (store: GalleryStore, folders: readonly number[]): Promise<boolean> =>
  (await filesIn(store, folders).limit(1).executeTakeFirst()) !== undefined;

async function imagesIn(
  store: GalleryStore,
  { folders, removed, sortBy, sortType }: GalleryOptions,
): Promise<number[]> {
  const order = sortType === 'ASC' ? 'asc' : 'desc';
  const images = store.db
    .selectFrom('posts')
    .innerJoin('media', 'media.post_id', 'posts.id')
    .select('posts.id')
    .where('posts.id', 'in', filesIn(store, folders))
    .where('posts.type', '=', 'attachment')
    .where('posts.status', '=', 'inherit')
    .where('posts.mime_type', 'like', 'image/%')
    .where(isReadable)
    .orderBy(sortColumns[sortBy], order)
    .orderBy('posts.id', order)
    .limit(maxImages);
  const rows = await (removed.length === 0 ? images : images.where('posts.id', 'not in', removed)).execute();
  return rows.map(({ id }) => id);
}

interface Addresses {
  urlOf(file: string): string;
  readonly page: string | undefined;
}

/** In its large size, or as it is where there is none. */
function imageOf(post: Post, file: MediaFile, { urlOf, page }: Addresses): GalleryImage {
  const all = sizedOf(file);
  const labels = [...Object.keys(file.sizes), 'full'];
  const large = labels.indexOf('large');
  const at = large < 0 ? labels.length - 1 : large;
  const shown = all[at] ?? { file: file.file, width: 0, height: 0 };
  const sources = shown.width > 0 ? sourcesOf(file, shown, urlOf) : undefined;
  return {
    id: post.id,
    alt: file.alt_text === '' ? post.title : file.alt_text,
    caption: post.excerpt,
    shown: { ...shown, src: urlOf(shown.file), label: labels[at]! },
    url: urlOf(file.file),
    page: page ?? urlOf(file.file),
    style: backgroundOf(file),
    srcset: sources?.srcset,
    sizes: sources?.sizes,
  };
}

/** Everybody sees it: it is attached to nothing, or to what is published. */
const isReadable = sql<boolean>`not exists (
  select 1 from posts as host where host.id = posts.parent and (host.status <> 'publish' or host.password <> ''))`;

function galleryHtml(options: GalleryOptions, { images, isEmpty }: FoundImages): string {
  if (options.folders.length === 0 || isEmpty) return '';
  const classes = [
    'wp-block-media-folders-gallery',
    `layout-${options.layout}`,
    `columns-${options.columns}`,
    ...(options.isCropped ? ['is-cropped'] : []),
    ...(options.hasLightbox ? ['has-lightbox'] : []),
    ...options.classes,
  ];
  const style = `--columns:${options.columns};--space:${options.space}px;--min-width:${options.minWidth}px`;
  const items = images.map((image) => `<li>${figure(image, options)}</li>`).join('');
  const notice = '<li class="no-images">There are no images in this folder.</li>';
  return `<ul class="${classes.join(' ')}" style="${style}">${items || notice}</ul>`;
}

function figure(image: GalleryImage, options: GalleryOptions): string {
  const { shown, style, srcset, sizes } = image;
  const img = [
    '<img',
    ...(shown.width > 0 ? [`loading="lazy" width="${shown.width}" height="${shown.height}"`] : []),
    `decoding="async" src="${escapeHtml(shown.src)}" class="wp-image-${image.id} size-${shown.label}"`,
    `alt="${escapeHtml(meaning(image.alt))}"`,
    ...(style === undefined ? [] : [`style="${escapeHtml(style)}"`]),
    ...(srcset === undefined ? [] : [`srcset="${escapeHtml(srcset)}" sizes="${escapeHtml(sizes ?? '')}"`]),
    '/>',
  ].join(' ');
  const target = { none: undefined, media: image.url, attachment: image.page }[options.linkTo];
  const linked = target === undefined ? img : `<a href="${escapeHtml(target)}">${img}</a>`;
  const caption = options.hasCaption ? filterComment(options.captions[image.id] ?? image.caption).trim() : '';
  return `<figure>${linked}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

// How galleries and albums are shown: on their own pages, and in other texts by a block or a shortcode.
import { escapeHtml } from '#lib/html.ts';
import type { Content } from '#site/content/content.ts';
import { inFolderOf, type MediaFile } from '#site/content/media/media.ts';
import { backgroundOf, type Sizable, sizedOf, sourcesOf } from '#site/content/media/sources.ts';
import type { Post } from '#site/content/posts/post.ts';
import { type Live, live, type Page, type Placed } from '#site/content/rendering/live.ts';
import type { Rendered } from '#site/content/rendering/rendering.ts';
import { mediaTopic } from '#site/content/tables.ts';
import type { Config } from './gallery-config.ts';
import { albumIn, fileLink, galleryIn, type Item, idOf } from './gallery-content.ts';
import { albumType, galleryType } from './types.ts';

type Deps = Pick<Content, 'posts' | 'media' | 'permalinks'> & { readonly url: string };

interface FoundItem extends Pick<Item, 'id' | 'title' | 'alt' | 'caption' | 'link' | 'link_new_window' | 'thumb'> {
  readonly file: Sizable;
  readonly color: string | undefined;
  readonly date: string;
}

/** Data alone: what was found is compared by what it says. */
interface FoundGallery {
  readonly id: number;
  readonly link: string;
  readonly title: string;
  readonly config: Config;
  readonly items: readonly FoundItem[];
  /** A password closes it. */
  readonly isClosed: boolean;
}

interface FoundCover {
  readonly id: number;
  readonly title: string;
  readonly caption: string;
  readonly alt: string;
  readonly link: string;
  readonly opensWindow: boolean;
  readonly count: number;
  readonly image: Pick<FoundItem, 'file' | 'color'> | undefined;
  readonly imageUrl: string;
}

interface FoundAlbum {
  readonly id: number;
  readonly config: Config;
  readonly covers: readonly FoundCover[];
}

export const lightboxPath = '/gallery-lightbox.js';

export type GalleryRendering = ReturnType<typeof createGalleryRendering>;

export function createGalleryRendering(deps: Deps) {
  const { url } = deps;
  const script = `${url}${lightboxPath}`;
  const view = { urlOf: deps.media.urlOf, script };
  const rests = ['posts', mediaTopic];

  const findNamed = async (type: string, attributes: Placed['attributes'], key: string): Promise<Post | undefined> => {
    const id = idOf(attributes[key] ?? attributes.id);
    const slug = typeof attributes.slug === 'string' && /^[\w%-]{1,200}$/.test(attributes.slug) ? attributes.slug : '';
    const post =
      id > 0 ? await deps.posts.find(id) : slug ? await deps.permalinks.at(`${url}/${type}/${slug}/`) : undefined;
    return post?.type === type && post.status === 'publish' ? post : undefined;
  };

  const embeddedGallery = (key: string): Live =>
    live<FoundGallery | undefined>({
      rests,
      reads: [key, 'id', 'slug'],
      find: async ({ attributes }) => {
        const post = await findNamed(galleryType.name, attributes, key);
        return post && findGallery(deps, post);
      },
      write: ({ attributes, page }, found) =>
        found === undefined ? '' : galleryHtml(overridden(found, attributes), page, view),
    });

  const embeddedAlbum: Live = live<FoundAlbum | undefined>({
    rests,
    reads: ['id', 'slug'],
    find: async ({ attributes }) => {
      const post = await findNamed(albumType.name, attributes, 'id');
      return post && post.password === '' ? findAlbum(deps, post) : undefined;
    },
    write: ({ page }, found) => (found === undefined ? '' : albumHtml(found, page, view)),
  });

  return {
    script,
    rendered: {
      blocks: {
        'gallery/items': live<FoundGallery | undefined>({
          rests,
          reads: [],
          // The password of its own page is asked for by the page.
          find: async ({ of }) =>
            of?.type === galleryType.name ? { ...(await findGallery(deps, of)), isClosed: false } : undefined,
          write: ({ page }, found) => (found === undefined ? '' : galleryHtml(found, page, view)),
        }),
        'gallery/album': live<FoundAlbum | undefined>({
          rests,
          reads: [],
          find: async ({ of }) => (of?.type === albumType.name ? findAlbum(deps, of) : undefined),
          write: ({ page }, found) => (found === undefined ? '' : albumHtml(found, page, view)),
        }),
        'gallery/embed': embeddedGallery('galleryId'),
      },
      shortcodes: { 'site-gallery': embeddedGallery('id'), 'site-album': embeddedAlbum },
      scriptFiles: [script],
    } satisfies Rendered,
  };
}

/** The block may show fewer columns, no lightbox, and have classes of its own. */
function overridden(found: FoundGallery, { columns, lightbox, className }: Placed['attributes']): FoundGallery {
  const number = Number(columns);
  const classes = String(className ?? '')
    .split(/\s+/)
    .filter((name) => /^[\w-]{1,60}$/.test(name))
    .slice(0, 10);
  return {
    ...found,
    config: {
      ...found.config,
      ...(columns !== undefined && Number.isInteger(number) && { columns: Math.min(Math.max(number, 0), 6) }),
      ...(lightbox !== undefined && { lightbox_enabled: [false, 0, '0', 'false'].includes(lightbox as never) ? 0 : 1 }),
      classes: [...(found.config.classes as readonly string[]), ...classes],
    },
  };
}

// What is found.

async function findGallery({ posts, media, permalinks }: Deps, post: Post): Promise<FoundGallery> {
  const { config, entries } = galleryIn(post.content);
  const links = await permalinks.of([post]);
  const about = { id: post.id, link: links.get(post.id)!, title: post.title, config };
  if (post.password !== '') return { ...about, items: [], isClosed: true };
  return {
    ...about,
    items: sorted(await findItems({ posts, media }, entries, post.id), config, post.id),
    isClosed: false,
  };
}

async function findItems(
  { posts, media }: Pick<Deps, 'posts' | 'media'>,
  entries: readonly Item[],
  gallery: number,
): Promise<FoundItem[]> {
  const active = entries.filter(({ status }) => status === 'active');
  const ids = active.map(({ id }) => id);
  const [records, files] = await Promise.all([posts.some(ids), media.files(ids)]);
  const hosts = [...new Set([...records.values()].map(({ parent }) => parent))].filter(
    (id) => id > 0 && id !== gallery,
  );
  const above = await posts.some(hosts);
  /** A picture that is attached to what is not published is not shown elsewhere. */
  const isOpen = ({ parent, status }: Post): boolean => {
    const host = above.get(parent);
    return status === 'inherit' && (host === undefined || (host.status === 'publish' && host.password === ''));
  };
  return active.flatMap(({ status: _, ...item }): FoundItem[] => {
    const [record, file] = [records.get(item.id), files.get(item.id)];
    if (record === undefined || file?.width == null || !isOpen(record)) return [];
    return [{ ...item, ...imageOf(file), date: record.date }];
  });
}

const imageOf = (file: MediaFile) => ({
  file: {
    file: file.file,
    width: file.width,
    height: file.height,
    sizes: Object.fromEntries(
      Object.entries(file.sizes).map(([label, { file: name, width, height, filesize, mime_type }]) => [
        label,
        { file: name, width, height, filesize, mime_type },
      ]),
    ),
  },
  color: backgroundOf(file),
});

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A gallery in random order keeps the order it was dealt, so that it can be cached. */
const dealt = (id: number, gallery: number): number => ((id * 2_654_435_761) ^ (gallery * 40_503)) >>> 0;

function sorted(items: readonly FoundItem[], config: Config, gallery: number): readonly FoundItem[] {
  const by = config.sort_order;
  if (config.random === 1 || by === '1')
    return items.toSorted((one, other) => dealt(one.id, gallery) - dealt(other.id, gallery));
  const read: Readonly<Record<string, (item: FoundItem) => string>> = {
    title: ({ title }) => title,
    caption: ({ caption }) => caption,
    alt: ({ alt }) => alt,
    date: ({ date }) => date,
    src: ({ file }) => file.file,
    link: ({ link, file }) => (link === fileLink ? file.file : link),
  };
  const key = read[String(by)];
  if (key === undefined) return items;
  const way = config.sorting_direction === 'DESC' ? -1 : 1;
  return items.toSorted((one, other) => way * collator.compare(key(one), key(other)));
}

async function findAlbum(deps: Deps, post: Post): Promise<FoundAlbum> {
  const { config, entries } = albumIn(post.content);
  const galleries = await deps.posts.some(entries.map(({ id }) => id));
  const shown = entries.filter(({ id }) => {
    const gallery = galleries.get(id);
    return gallery?.type === galleryType.name && gallery.status === 'publish';
  });
  const links = await deps.permalinks.of(shown.map(({ id }) => galleries.get(id)!));
  const covers = await Promise.all(
    shown.map(async (cover): Promise<FoundCover> => {
      const gallery = galleries.get(cover.id)!;
      const items =
        gallery.password === '' ? galleryIn(gallery.content).entries.filter(({ status }) => status === 'active') : [];
      const first = cover.cover_image_id || items[0]?.id;
      const face = { id: first ?? 0, status: 'active' as const };
      const [image] = first ? await findItems(deps, [{ ...emptyItem, ...face }], cover.id) : [];
      return {
        id: cover.id,
        title: cover.link_title_gallery === 1 || cover.title === '' ? gallery.title : cover.title,
        caption: cover.caption,
        alt: cover.alt,
        link: links.get(cover.id)!,
        opensWindow: cover.link_new_window === 1,
        count: items.length,
        image: image && { file: image.file, color: image.color },
        imageUrl: cover.cover_image_url,
      };
    }),
  );
  return { id: post.id, config, covers: sortedCovers(covers, config) };
}

const emptyItem = { title: '', alt: '', caption: '', link: '', link_new_window: 0, thumb: '' } as const;

function sortedCovers(covers: readonly FoundCover[], { sorting }: Config): readonly FoundCover[] {
  if (sorting === '1') return covers.toSorted((one, other) => dealt(one.id, 0) - dealt(other.id, 0));
  if (sorting !== 'title' && sorting !== 'caption' && sorting !== 'alt') return covers;
  return covers.toSorted((one, other) => collator.compare(one[sorting], other[sorting]));
}

// How it is written.

interface View {
  urlOf(file: string): string;
  readonly script: string;
}

const eager = 2;

type Attributes = readonly (readonly [name: string, value: string | number | undefined])[];

const tag = (name: string, attributes: Attributes): string =>
  `<${name}${attributes.map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeHtml(String(value))}"`)).join('')}>`;

const numberOf = (config: Config, key: string): number => Number(config[key]);
const columnsOf = (config: Config): number => numberOf(config, 'columns');

/** Which file is shown: the crop of this size, the registered size that is named, or the smallest that is wide enough. */
function shownOf({ file }: Pick<FoundItem, 'file'>, config: Config) {
  const all = sizedOf(file);
  const labels = Object.keys(file.sizes);
  const [width, height] = [numberOf(config, 'crop_width'), numberOf(config, 'crop_height')];
  const crop = labels.indexOf(cropLabel({ width, height, align: String(config.crop_position), retina: false }));
  const named = labels.indexOf(String(config.image_size));
  const whole = all.at(-1)!;
  if (config.image_size === 'full') return whole;
  if (named >= 0) return all[named]!;
  if (config.crop === 1 && crop >= 0) return all[crop]!;
  const alike = all.filter(
    (one) => Math.abs(one.width * whole.height - one.height * whole.width) <= whole.width + whole.height,
  );
  return alike.toSorted((one, other) => one.width - other.width).find((one) => one.width >= width) ?? whole;
}

export const cropLabel = (crop: {
  readonly width: number;
  readonly height: number;
  readonly align: string;
  readonly retina: boolean;
}): string => `crop_${crop.width}x${crop.height}_${crop.align}${crop.retina ? '@2x' : ''}`;

function imageHtml(
  image: Pick<FoundItem, 'file' | 'color'> & { id: number; alt: string },
  config: Config,
  page: Page,
  view: View,
) {
  const shown = shownOf(image, config);
  const sources = sourcesOf(image.file, shown, view.urlOf);
  const columns = columnsOf(config) || 3;
  const isLazy = page.next('gallery-image') > eager && config.lazy_loading === 1;
  const img = tag('img', [
    ['src', view.urlOf(shown.file)],
    ['srcset', sources?.srcset],
    ['sizes', sources && `(max-width: 600px) 100vw, (max-width: 1024px) 50vw, ${Math.ceil(100 / columns)}vw`],
    ['width', shown.width],
    ['height', shown.height],
    ['alt', image.alt],
    ['loading', isLazy ? 'lazy' : 'eager'],
    ['decoding', 'async'],
    ['class', `wp-image-${image.id}`],
    ['style', image.color],
  ]);
  return { img, ratio: shown.width / shown.height };
}

const layoutOf = (config: Config): string => {
  if (columnsOf(config) === 0) return 'justified';
  return config.isotope === 1 ? 'masonry' : 'columns';
};

function opening(id: string, config: Config, layout: string, more = ''): string {
  const columns = columnsOf(config);
  const classes = [
    'gallery',
    `gallery-layout-${layout}`,
    `gallery-columns-${columns}`,
    `gallery-theme-${config.gallery_theme}`,
    ...(layout === 'justified' ? [`gallery-last-${config.justified_last_row}`] : []),
    ...(more === '' ? [] : [more]),
    ...(config.classes as readonly string[]),
  ];
  const style = [
    `--gallery-columns:${columns || 1}`,
    `--gallery-gutter:${config.gutter}px`,
    `--gallery-margin:${config.margin}px`,
    ...(layout === 'justified'
      ? [
          `--gallery-row:${config.justified_row_height}px`,
          `--gallery-row-small:${config.mobile_justified_row_height}px`,
        ]
      : []),
  ];
  return tag('div', [
    ['id', id],
    ['class', classes.join(' ')],
    ['style', style.join(';')],
    ['role', 'list'],
    ['dir', config.rtl === 1 ? 'rtl' : undefined],
  ]);
}

function around(html: string, config: Config, place: unknown): string {
  const description = String(config.description ?? '');
  if (description === '' || place === '0') return html;
  const block = `<div class="gallery-description">${description}</div>`;
  return place === 'below' ? html + block : block + html;
}

function galleryHtml({ id, link, title, config, items, isClosed }: FoundGallery, page: Page, view: View): string {
  if (isClosed)
    return `<p class="gallery-closed"><a href="${escapeHtml(link)}">${escapeHtml(title || 'Gallery')}</a>: enter the password there to see the pictures.</p>`;
  const element = page.unique(`gallery-${id}`);
  const figures = items.map((item, at) => itemHtml(item, { id, config, number: at + 1, page, view }));
  const hasLightbox = config.lightbox_enabled === 1 && items.length > 0;
  const isFirst = hasLightbox && page.next('gallery-lightbox') === 1;
  const html = `${opening(element, config, layoutOf(config))}${figures.join('')}</div>`;
  return `${around(html, config, config.display_description)}${isFirst ? scriptTag(view.script) : ''}`;
}

export const scriptTag = (url: string): string => `<script defer src="${escapeHtml(url)}"></script>`;

interface ItemView {
  readonly id: number;
  readonly config: Config;
  readonly number: number;
  readonly page: Page;
  readonly view: View;
}

function itemHtml(item: FoundItem, { id, config, number, page, view }: ItemView): string {
  const { img, ratio } = imageHtml(item, config, page, view);
  const file = view.urlOf(largeOf(item, config));
  const isOwnLink = item.link !== '' && item.link !== fileLink && config.gallery_link_enabled === 1;
  const opensLightbox = config.lightbox_enabled === 1 && !isOwnLink;
  const href = isOwnLink
    ? item.link
    : opensLightbox || (config.gallery_link_enabled === 1 && item.link !== '')
      ? file
      : undefined;
  const anchor = tag('a', [
    ['href', href],
    ['data-lightbox', opensLightbox ? id : undefined],
    ['data-caption', opensLightbox ? captionOf(item, config) || undefined : undefined],
    ['aria-label', item.alt === '' ? item.title || `Picture ${number}` : undefined],
    ['target', item.link_new_window === 1 && !opensLightbox ? '_blank' : undefined],
    ['rel', item.link_new_window === 1 && !opensLightbox ? 'noopener' : undefined],
  ]);
  const caption = [
    ...(config.additional_copy_title === 1 && item.title !== '' ? [`<strong>${escapeHtml(item.title)}</strong>`] : []),
    ...(item.caption === '' ? [] : [item.caption]),
  ].join(' ');
  const style = `--gallery-ratio:${ratio.toFixed(4)}`;
  return `<figure class="gallery-item" role="listitem" style="${style}">${href === undefined ? img : `${anchor}${img}</a>`}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>`;
}

/** What the lightbox opens. */
function largeOf({ file }: FoundItem, { lightbox_image_size: label }: Config): string {
  const copy = Object.hasOwn(file.sizes, String(label)) ? file.sizes[String(label)] : undefined;
  return copy === undefined ? file.file : inFolderOf(file.file, copy.file);
}

const captionOf = ({ title, caption }: FoundItem, { lightbox_title_caption: shown }: Config): string =>
  shown === 'caption' ? caption.replace(/<[^>]*>/g, '') : title;

function albumHtml({ id, config, covers }: FoundAlbum, page: Page, view: View): string {
  const element = page.unique(`album-${id}`);
  const figures = covers.map((cover) => coverHtml(cover, config, page, view)).join('');
  const html = `${opening(element, { ...config, columns: columnsOf(config) || 3 }, 'columns', 'gallery-album')}${figures}</div>`;
  return around(
    html,
    config,
    config.description_position === '0' ? config.display_description : config.description_position,
  );
}

function coverHtml(cover: FoundCover, config: Config, page: Page, view: View): string {
  const { image } = cover;
  const img =
    image === undefined
      ? cover.imageUrl === ''
        ? ''
        : tag('img', [
            ['src', cover.imageUrl],
            ['alt', cover.alt],
            ['loading', 'lazy'],
            ['width', numberOf(config, 'crop_width')],
            ['height', numberOf(config, 'crop_height')],
          ])
      : imageHtml({ ...image, id: cover.id, alt: cover.alt }, config, page, view).img.replace(
          / class="wp-image-\d+"/,
          '',
        );
  const isTitled = config.display_titles !== '0';
  const anchor = tag('a', [
    ['href', cover.link],
    ['aria-label', cover.alt === '' && !isTitled ? cover.title || 'Gallery' : undefined],
    ['target', cover.opensWindow ? '_blank' : undefined],
    ['rel', cover.opensWindow ? 'noopener' : undefined],
  ]);
  const title = isTitled ? `<strong class="gallery-title">${escapeHtml(cover.title || 'Gallery')}</strong>` : '';
  const under = [
    ...(config.display_captions === 1 && cover.caption !== '' ? [cover.caption] : []),
    ...(config.display_image_count === 1 ? [`${cover.count} ${cover.count === 1 ? 'picture' : 'pictures'}`] : []),
  ].join(' ');
  const inside = config.display_titles === 'above' ? title + img : img + title;
  return `<figure class="gallery-item" role="listitem">${anchor}${inside}</a>${under === '' ? '' : `<figcaption>${under}</figcaption>`}</figure>`;
}

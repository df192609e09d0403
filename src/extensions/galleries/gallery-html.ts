// The HTML of galleries and albums.
import { escapeHtml } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { inFolderOf } from '#site/content/media/media.ts';
import { newerSourcesOf, type Sizable, sizedOf, sourcesOf } from '#site/content/media/sources.ts';
import type { Page } from '#site/content/rendering/live.ts';
import type { Config } from './gallery-config.ts';
import { fileLink, type Item } from './gallery-content.ts';

export interface FoundItem
  extends Pick<Item, 'id' | 'title' | 'alt' | 'caption' | 'link' | 'link_new_window' | 'thumb'> {
  readonly file: Sizable;
  readonly color: string | undefined;
  readonly date: string;
}

/** Data alone: what was found is compared by what it says. */
export interface FoundGallery {
  readonly id: number;
  readonly link: string;
  readonly title: string;
  readonly config: Config;
  readonly items: readonly FoundItem[];
  /** A password closes it. */
  readonly isClosed: boolean;
}

export interface FoundCover {
  readonly id: number;
  readonly title: string;
  readonly caption: string;
  readonly alt: string;
  readonly link: string;
  readonly opensWindow: boolean;
  readonly count: number;
  readonly image: Pick<FoundItem, 'id' | 'file' | 'color'> | undefined;
  readonly imageUrl: string;
}

export interface FoundAlbum {
  readonly id: number;
  readonly config: Config;
  readonly covers: readonly FoundCover[];
}

interface View {
  urlOf(file: string): string;
  readonly script: string;
}

const eager = 2;

/** Rows change while a gallery arrives, so styles hide it until this is there. */
const end = '<span class="gallery-end" hidden></span>';

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
  const sizes = sources && `(max-width: 600px) 100vw, (max-width: 1024px) 50vw, ${Math.ceil(100 / columns)}vw`;
  const newer = newerSourcesOf(image.file, shown, view.urlOf).map(({ type, srcset }) =>
    tag('source', [
      ['type', type],
      ['srcset', srcset],
      ['sizes', sizes],
    ]),
  );
  const img = tag('img', [
    ['src', view.urlOf(shown.file)],
    ['srcset', sources?.srcset],
    ['sizes', sizes],
    ['width', shown.width],
    ['height', shown.height],
    ['alt', image.alt],
    ['loading', isLazy ? 'lazy' : 'eager'],
    ['decoding', 'async'],
    ['class', `wp-image-${image.id}`],
    ['style', image.color],
  ]);
  const ratio = shown.width / shown.height;
  return { img: newer.length === 0 ? img : `<picture>${newer.join('')}${img}</picture>`, ratio };
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
    ...lightboxSettings.map((key) => [`data-${key.replace('_', '-')}`, config[key] === 0 ? 0 : undefined] as const),
  ]);
}

/** What the script of the lightbox reads. All are on, unless the element says otherwise. */
const lightboxSettings = ['loop', 'arrows', 'mobile_lightbox'] as const;

function around(html: string, config: Config, place: unknown): string {
  const description = String(config.description ?? '');
  if (description === '' || place === '0') return html;
  const block = `<div class="gallery-description">${description}</div>`;
  return place === 'below' ? html + block : block + html;
}

export function galleryHtml(
  { id, link, title, config, items, isClosed }: FoundGallery,
  page: Page,
  view: View,
): string {
  if (isClosed)
    return `<p class="gallery-closed"><a href="${escapeHtml(link)}">${escapeHtml(title || 'Gallery')}</a>: enter the password there to see the pictures.</p>`;
  const element = page.unique(`gallery-${id}`);
  const figures = items.map((item, at) => itemHtml(item, { id, config, number: at + 1, page, view }));
  const hasLightbox = config.lightbox_enabled === 1 && items.length > 0;
  const isFirst = hasLightbox && page.next('gallery-lightbox') === 1;
  const html = `${opening(element, config, layoutOf(config))}${figures.join('')}${end}</div>`;
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
  const { href, opensLightbox } = targetOf(item, config, view);
  const opensWindow = item.link_new_window === 1 && !opensLightbox;
  const anchor = tag('a', [
    ['href', href],
    ['data-lightbox', opensLightbox ? id : undefined],
    ['data-caption', opensLightbox ? captionOf(item, config) || undefined : undefined],
    ['aria-label', item.alt === '' ? item.title || `Picture ${number}` : undefined],
    ...windowOf(opensWindow),
  ]);
  const isTitled = config.additional_copy_title === 1 && item.title !== '';
  const caption = [isTitled ? `<strong>${escapeHtml(item.title)}</strong>` : '', item.caption]
    .filter(Boolean)
    .join(' ');
  const style = `--gallery-ratio:${ratio.toFixed(4)}`;
  return `<figure class="gallery-item" role="listitem" style="${style}">${href === undefined ? img : `${anchor}${img}</a>`}${captionHtml(caption)}</figure>`;
}

const windowOf = (isNew: boolean): Attributes => [
  ['target', isNew ? '_blank' : undefined],
  ['rel', isNew ? 'noopener' : undefined],
];

/** Not a `figcaption`: a figure that is an item of a list may not have one. */
const captionHtml = (caption: string): string =>
  caption === '' ? '' : `<div class="gallery-caption">${caption}</div>`;

/** An item with a link of its own leads there; the others open the lightbox, or their picture. */
function targetOf(item: FoundItem, config: Config, view: View) {
  const isLinked = config.gallery_link_enabled === 1 && item.link !== '';
  if (isLinked && item.link !== fileLink) return { href: item.link, opensLightbox: false };
  const opensLightbox = config.lightbox_enabled === 1;
  return { href: opensLightbox || isLinked ? view.urlOf(largeOf(item, config)) : undefined, opensLightbox };
}

/** What the lightbox opens. */
function largeOf({ file }: FoundItem, { lightbox_image_size: label }: Config): string {
  const copy = Object.hasOwn(file.sizes, String(label)) ? file.sizes[String(label)] : undefined;
  return copy === undefined ? file.file : inFolderOf(file.file, copy.file);
}

const captionOf = ({ title, caption }: FoundItem, { lightbox_title_caption: shown }: Config): string =>
  shown === 'caption' ? readText(caption) : title;

export function albumHtml({ id, config, covers }: FoundAlbum, page: Page, view: View): string {
  const element = page.unique(`album-${id}`);
  const figures = covers.map((cover) => coverHtml(cover, config, page, view)).join('');
  const html = `${opening(element, { ...config, columns: columnsOf(config) || 3 }, 'columns', 'gallery-album')}${figures}${end}</div>`;
  return around(
    html,
    config,
    config.description_position === '0' ? config.display_description : config.description_position,
  );
}

function coverHtml(cover: FoundCover, config: Config, page: Page, view: View): string {
  const img = coverImage(cover, config, page, view);
  const isTitled = config.display_titles !== '0';
  const anchor = tag('a', [
    ['href', cover.link],
    ['aria-label', cover.alt === '' && !isTitled ? cover.title || 'Gallery' : undefined],
    ...windowOf(cover.opensWindow),
  ]);
  const title = isTitled ? `<strong class="gallery-title">${escapeHtml(cover.title || 'Gallery')}</strong>` : '';
  const count = `${cover.count} ${cover.count === 1 ? 'picture' : 'pictures'}`;
  const caption = [config.display_captions === 1 ? cover.caption : '', config.display_image_count === 1 ? count : ''];
  const inside = config.display_titles === 'above' ? title + img : img + title;
  return `<figure class="gallery-item" role="listitem">${anchor}${inside}</a>${captionHtml(caption.filter(Boolean).join(' '))}</figure>`;
}

function coverImage(cover: FoundCover, config: Config, page: Page, view: View): string {
  const { image, imageUrl, alt } = cover;
  if (image !== undefined) return imageHtml({ ...image, alt }, config, page, view).img;
  if (imageUrl === '') return '';
  return tag('img', [
    ['src', imageUrl],
    ['alt', alt],
    ['loading', 'lazy'],
    ['width', numberOf(config, 'crop_width')],
    ['height', numberOf(config, 'crop_height')],
  ]);
}

// The settings of a gallery and of an album: every key with its default, and how a value that a client sends is settled.
import { filterCaption } from '#site/content/filter/filter.ts';

export type Config = Readonly<Record<string, string | number | readonly string[]>>;

interface Key {
  readonly initial: string | number | readonly string[];
  settle(value: unknown): string | number | readonly string[] | undefined;
}

const maxText = 10_000;
const maxClasses = 20;

const number = (initial: number, lowest: number, highest: number): Key => ({
  initial,
  settle(value) {
    const isWritten = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
    const read = isWritten ? Number(value) : Number.NaN;
    return Number.isFinite(read) ? Math.min(Math.max(Math.round(read), lowest), highest) : undefined;
  },
});
const size = (initial: number) => number(initial, 1, 5_000);
const space = (initial: number) => number(initial, 0, 200);
const flag = (initial: 0 | 1): Key => ({
  initial,
  settle: (value) => {
    if ([true, 1, '1', 'true'].includes(value as never)) return 1;
    return [false, 0, '0', 'false', ''].includes(value as never) ? 0 : undefined;
  },
});
const choice = (initial: string, ...others: readonly string[]): Key => ({
  initial,
  settle: (value) => [initial, ...others].find((one) => one === String(value)),
});
/** A name, such as that of a theme or of a registered size. */
const name = (initial: string): Key => ({
  initial,
  settle: (value) => (typeof value === 'string' && /^[\w-]{1,60}$/.test(value) ? value : undefined),
});
const text = (clean: (value: string) => string = (value) => value): Key => ({
  initial: '',
  settle: (value) => (typeof value === 'string' ? clean(value.slice(0, maxText)) : undefined),
});
const classes: Key = {
  initial: [],
  settle: (value) => {
    const words = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/\s+/) : undefined;
    return words?.filter((one) => typeof one === 'string' && /^[\w-]{1,60}$/.test(one)).slice(0, maxClasses);
  },
};

export const cropPositions = ['c', 't', 'b', 'l', 'r', 'tl', 'tr', 'bl', 'br'] as const;

const galleryKeys: Readonly<Record<string, Key>> = {
  columns: number(0, 0, 6),
  justified_row_height: size(150),
  justified_last_row: choice('nojustify', 'justify', 'hide'),
  gallery_theme: name('base'),
  display_description: choice('0', 'above', 'below', '1'),
  description: text(filterCaption),
  gutter: space(10),
  margin: space(10),
  random: flag(0),
  sort_order: choice('0', '1', 'title', 'caption', 'alt', 'date', 'src', 'link'),
  sorting_direction: choice('ASC', 'DESC'),
  image_size: name('default'),
  crop: flag(0),
  crop_width: size(640),
  crop_height: size(480),
  crop_position: choice(...cropPositions),
  dimensions: flag(0),
  isotope: flag(1),
  lazy_loading: flag(1),
  lazy_loading_delay: number(500, 0, 5_000),
  additional_copy_title: flag(0),
  additional_copy_caption: flag(0),
  lightbox_enabled: flag(1),
  gallery_link_enabled: flag(1),
  lightbox_theme: name('base_dark'),
  lightbox_image_size: name('default'),
  title_display: name('float'),
  lightbox_title_caption: name('title'),
  arrows: flag(1),
  toolbar: flag(1),
  loop: flag(1),
  effect: name('fade'),
  thumbnails: flag(1),
  thumbnails_width: size(75),
  thumbnails_height: size(50),
  thumbnails_position: choice('bottom', 'top'),
  mobile: flag(1),
  mobile_width: size(320),
  mobile_height: size(240),
  mobile_lightbox: flag(1),
  mobile_thumbnails: flag(1),
  mobile_thumbnails_width: size(75),
  mobile_thumbnails_height: size(50),
  mobile_justified_row_height: size(80),
  title: text(),
  slug: text(),
  classes,
  rtl: flag(0),
};

const albumKeys: Readonly<Record<string, Key>> = {
  ...galleryKeys,
  columns: number(3, 0, 6),
  crop_width: size(960),
  crop_height: size(300),
  back: flag(0),
  back_label: text(filterCaption),
  description_position: choice('0', 'above', 'below'),
  display_titles: choice('below', 'above', '0', '1'),
  display_captions: flag(0),
  display_image_count: flag(0),
  sorting: choice('0', '1', 'title', 'caption', 'alt'),
  lightbox: flag(0),
};

export type Kind = 'gallery' | 'album';

const keysOf = (kind: Kind) => (kind === 'gallery' ? galleryKeys : albumKeys);

/** The keys that are known, with values that fit; what does not fit is left out. */
export function settleConfig(kind: Kind, sent: unknown): Config {
  if (typeof sent !== 'object' || sent === null) return {};
  const known = keysOf(kind);
  return Object.fromEntries(
    Object.entries(sent).flatMap(([key, value]) => {
      const settled = Object.hasOwn(known, key) ? known[key]!.settle(value) : undefined;
      return settled === undefined ? [] : [[key, settled]];
    }),
  );
}

/** Without the values that are defaults: only the others are stored. */
export const changedConfig = (kind: Kind, config: Config): Config =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(keysOf(kind)[key]?.initial),
    ),
  );

export const wholeConfig = (kind: Kind, changed: Config): Config => ({
  ...Object.fromEntries(Object.entries(keysOf(kind)).map(([key, { initial }]) => [key, initial])),
  ...changed,
});

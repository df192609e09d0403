// A gallery is kept in the text of its record, as blocks: so it has revisions, is found, and moves to other sites as texts do.
import { filterCaption } from '#site/content/filter/filter.ts';
import { markAlone, unmarked } from '#site/content/marks.ts';
import { attributesOf, piecesOf } from '#site/content/rendering/blocks.ts';
import { type Config, changedConfig, type Kind, settleConfig, wholeConfig } from './gallery-config.ts';

export interface Item {
  /** The media item. */
  readonly id: number;
  readonly status: 'active' | 'pending';
  readonly title: string;
  readonly alt: string;
  readonly caption: string;
  /** A URL; empty for none, and `file` for that of the full picture. */
  readonly link: string;
  readonly link_new_window: 0 | 1;
  readonly thumb: string;
}

export interface Cover {
  /** The gallery. */
  readonly id: number;
  readonly title: string;
  readonly caption: string;
  readonly alt: string;
  readonly cover_image_id: number;
  readonly cover_image_url: string;
  readonly link_new_window: 0 | 1;
  readonly link_title_gallery: 0 | 1;
}

export interface Stored<Entry> {
  /** All keys. */
  readonly config: Config;
  readonly entries: readonly Entry[];
}

export const maxItems = 2_000;
export const maxGalleries = 500;
const maxShort = 1_000;
const maxCaption = 10_000;

type Values = Readonly<Record<string, unknown>>;

const text = (value: unknown, most = maxShort): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '').slice(0, most) : '';
const flag = (value: unknown): 0 | 1 => ([true, 1, '1', 'true'].includes(value as never) ? 1 : 0);
export const idOf = (value: unknown): number => {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : 0;
};
/** Of a page or a file, in full or from the root of the site. */
const address = (value: unknown): string => {
  const url = text(value, 2_000).trim();
  return /^(?:https?:\/\/|\/(?!\/))[^\s"<>\\]+$/i.test(url) ? url : '';
};
/** The link of an item to its own picture, without the URL that may change. */
export const fileLink = 'file';

export const itemOf = (sent: Values): Item => ({
  id: idOf(sent.id),
  status: sent.status === 'pending' ? 'pending' : 'active',
  title: text(sent.title),
  alt: text(sent.alt),
  caption: filterCaption(text(sent.caption, maxCaption)),
  link: sent.link === fileLink ? fileLink : address(sent.link),
  link_new_window: flag(sent.link_new_window),
  thumb: address(sent.thumb),
});

export const coverOf = (sent: Values): Cover => ({
  id: idOf(sent.id),
  title: text(sent.title),
  caption: filterCaption(text(sent.caption, maxCaption)),
  alt: text(sent.alt),
  // The number of a picture is called so in other blocks, too; importers know it by that name.
  cover_image_id: idOf(sent.mediaId ?? sent.cover_image_id),
  cover_image_url: address(sent.cover_image_url),
  link_new_window: flag(sent.link_new_window),
  link_title_gallery: flag(sent.link_title_gallery),
});

const containers = { gallery: 'gallery/items', album: 'gallery/album' } as const;
const parts = { gallery: 'gallery/item', album: 'gallery/cover' } as const;

function storedIn<Entry extends { readonly id: number }>(
  kind: Kind,
  content: string,
  entryOf: (sent: Values) => Entry,
): Stored<Entry> {
  const entries = new Map<number, Entry>();
  let config: Config = {};
  for (const { mark } of piecesOf(content)) {
    if (mark === undefined || mark.ends) continue;
    if (mark.name === containers[kind]) config = settleConfig(kind, attributesOf(mark));
    if (mark.name !== parts[kind]) continue;
    const entry = entryOf(attributesOf(mark));
    if (entry.id > 0 && !entries.has(entry.id)) entries.set(entry.id, entry);
  }
  return { config: wholeConfig(kind, config), entries: [...entries.values()] };
}

export const galleryIn = (content: string): Stored<Item> => storedIn('gallery', content, itemOf);
export const albumIn = (content: string): Stored<Cover> => storedIn('album', content, coverOf);

const filled = (values: object): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => value !== '' && value !== 0 && (key !== 'status' || value !== 'active'),
    ),
  );

const blockOf = (kind: Kind, config: Config, entries: readonly Values[]): string =>
  [
    `<!-- wp:${containers[kind]} ${unmarked(JSON.stringify(changedConfig(kind, config)))} -->`,
    ...entries.map((entry) => markAlone(parts[kind], entry)),
    `<!-- /wp:${containers[kind]} -->`,
  ].join('\n');

/** The text with this in the place of what it held; other text stays around it. */
function withBlock(kind: Kind, content: string, block: string): string {
  const start = content.indexOf(`<!-- wp:${containers[kind]} `);
  const closing = `<!-- /wp:${containers[kind]} -->`;
  const end = start < 0 ? -1 : content.indexOf(closing, start);
  if (start < 0) return content.trim() === '' ? block : `${content}\n\n${block}`;
  return content.slice(0, start) + block + (end < 0 ? '' : content.slice(end + closing.length));
}

export const withGallery = (content: string, { config, entries }: Stored<Item>): string =>
  withBlock('gallery', content, blockOf('gallery', config, entries.map(filled)));

export const withAlbum = (content: string, { config, entries }: Stored<Cover>): string =>
  withBlock(
    'album',
    content,
    blockOf(
      'album',
      config,
      entries.map(({ cover_image_id: mediaId, ...cover }) => filled({ ...cover, mediaId })),
    ),
  );

// Which pictures of galleries and albums are shown: on their own pages, and in other texts by a block or a shortcode.
import type { Content } from '#site/content/content.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import { backgroundOf } from '#site/content/media/sources.ts';
import type { Post } from '#site/content/posts/post.ts';
import { type Live, live, type Placed } from '#site/content/rendering/live.ts';
import type { Rendered } from '#site/content/rendering/rendering.ts';
import { mediaTopic } from '#site/content/tables.ts';
import type { Services } from '#site/extension.ts';
import type { Config } from './gallery-config.ts';
import { albumIn, fileLink, galleryIn, type Item, idOf } from './gallery-content.ts';
import { openPictures } from './gallery-data.ts';
import {
  albumHtml,
  type FoundAlbum,
  type FoundCover,
  type FoundGallery,
  type FoundItem,
  galleryHtml,
} from './gallery-html.ts';
import { albumType, galleryType } from './types.ts';

type Deps = Pick<Content, 'posts' | 'media' | 'permalinks'> & Pick<Services, 'store'> & { readonly url: string };

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
    live<FoundGallery | Missing | undefined>({
      rests,
      reads: [key, 'id', 'slug'],
      find: async ({ attributes, forEditor }) => {
        const post = await findNamed(galleryType.name, attributes, key);
        return post === undefined ? missing(forEditor, 'gallery') : findGallery(deps, post);
      },
      write: ({ attributes, page }, found) => {
        if (found === undefined) return '';
        return 'missing' in found ? missingHtml(found) : galleryHtml(overridden(found, attributes), page, view);
      },
    });

  const embeddedAlbum: Live = live<FoundAlbum | Missing | undefined>({
    rests,
    reads: ['id', 'slug'],
    find: async ({ attributes, forEditor }) => {
      const post = await findNamed(albumType.name, attributes, 'id');
      return post?.password === '' ? findAlbum(deps, post) : missing(forEditor, 'album');
    },
    write: ({ page }, found) => {
      if (found === undefined) return '';
      return 'missing' in found ? missingHtml(found) : albumHtml(found, page, view);
    },
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
            of?.type === galleryType.name ? findGallery(deps, { ...of, password: '' }) : undefined,
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

/** What stands where visitors see nothing. It does not say whether there is one that is not published. */
interface Missing {
  readonly missing: 'gallery' | 'album';
}

const missing = (forEditor: boolean | undefined, what: Missing['missing']): Missing | undefined =>
  forEditor === true ? { missing: what } : undefined;

const missingHtml = ({ missing: what }: Missing): string =>
  `<p class="gallery-missing">Visitors see nothing here: the ${what} does not exist, or is not public.</p>`;

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

async function findGallery(deps: Deps, post: Post): Promise<FoundGallery> {
  const { config, entries } = galleryIn(post.content);
  const links = await deps.permalinks.of([post]);
  const about = { id: post.id, link: links.get(post.id)!, title: post.title, config };
  if (post.password !== '') return { ...about, items: [], isClosed: true };
  return {
    ...about,
    items: sorted(await findItems(deps, entries, post.id), config, post.id),
    isClosed: false,
  };
}

async function findItems(
  { store, media }: Pick<Deps, 'store' | 'media'>,
  entries: readonly Item[],
  gallery: number,
): Promise<FoundItem[]> {
  const active = entries.filter(({ status }) => status === 'active');
  const ids = active.map(({ id }) => id);
  const [pictures, files] = await Promise.all([openPictures(store.db, ids), media.files(ids)]);
  return active.flatMap(({ status: _, ...item }): FoundItem[] => {
    const [record, file] = [pictures.openIn(gallery, item.id), files.get(item.id)];
    if (record === undefined || file?.width == null) return [];
    return [{ ...item, ...imageOf(file), date: record.date }];
  });
}

const imageOf = (file: MediaFile) => ({
  file: {
    file: file.file,
    width: file.width,
    height: file.height,
    ...(file.variants !== undefined && { variants: file.variants }),
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
  const faces = shown.map((cover) => {
    const gallery = galleries.get(cover.id)!;
    const isClosed = gallery.password !== '';
    const items = isClosed ? [] : galleryIn(gallery.content).entries.filter(({ status }) => status === 'active');
    return { cover, gallery, count: items.length, image: cover.cover_image_id || (items[0]?.id ?? 0) };
  });
  const ids = faces.map(({ image }) => image);
  const [pictures, files] = await Promise.all([openPictures(deps.store.db, ids), deps.media.files(ids)]);
  const covers = faces.map(({ cover, gallery, count, image }): FoundCover => {
    const file = pictures.openIn(cover.id, image) && files.get(image);
    return {
      id: cover.id,
      title: cover.link_title_gallery === 1 || cover.title === '' ? gallery.title : cover.title,
      caption: cover.caption,
      alt: cover.alt,
      link: links.get(cover.id)!,
      opensWindow: cover.link_new_window === 1,
      count,
      image: file?.width == null ? undefined : { id: image, ...imageOf(file) },
      imageUrl: cover.cover_image_url,
    };
  });
  return { id: post.id, config, covers: sortedCovers(covers, config) };
}

function sortedCovers(covers: readonly FoundCover[], { sorting }: Config): readonly FoundCover[] {
  if (sorting === '1') return covers.toSorted((one, other) => dealt(one.id, 0) - dealt(other.id, 0));
  if (sorting !== 'title' && sorting !== 'caption' && sorting !== 'alt') return covers;
  return covers.toSorted((one, other) => collator.compare(one[sorting], other[sorting]));
}

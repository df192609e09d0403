// Gallery blocks and `[gallery]` shortcodes become gallery records, one update a post, and can become what they were again.
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import { readText } from '#lib/html-tokens.ts';
import { momentAt } from '#lib/wall-time.ts';
import { markAlone } from '#site/content/marks.ts';
import { keepFirstMeta, keepMeta, metaOf } from '#site/content/meta.ts';
import type { Changing, Post, PostInput } from '#site/content/posts/post.ts';
import { listed } from '#site/content/rendering/shortcodes/listed.ts';
import type { Writing } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { SiteServices } from '#site/services.ts';
import { convertErrors } from './convert-errors.ts';
import type { Galleries } from './galleries.ts';
import { albumIn, idOf } from './gallery-content.ts';
import type { GalleryData, Values } from './gallery-data.ts';
import {
  type BlockSource,
  embeddedGalleriesIn,
  type GallerySource,
  gallerySourcesIn,
  imagesOf,
  type ShortcodeSource,
  type SourceImage,
  spliced,
} from './gallery-sources.ts';
import type { Images } from './images.ts';
import { albumType, galleryType } from './types.ts';

interface ConvertDeps extends Pick<SiteServices, 'content' | 'identity' | 'store' | 'clock'> {
  readonly url: string;
  readonly galleries: Galleries;
  readonly data: GalleryData;
  readonly images: Images;
}

type Again = NonNullable<Doing<Post>['again']>;

/** A gallery to be made of a block or a shortcode. */
interface Draft {
  readonly config: Values;
  readonly items: readonly Values[];
}

/** One conversion of a post, as its backup keeps it. */
interface Place {
  readonly gallery: number;
  /** The block or shortcode as it was written. */
  readonly source: string;
}

export interface Reverted {
  /** Galleries that the post no longer shows. */
  readonly galleries: readonly number[];
  /** Those of them that went to the trash. */
  readonly trashed: readonly number[];
}

const backupPrefix = 'gallery_block_bkp_';
const titleLength = 20;
const maxFetches = 50;
const maxFound = 5_000;
const pageSize = 200;
const textsAtOnce = 20;
const maxBackup = 2 ** 20;

export type Conversions = ReturnType<typeof createConversions>;

export function createConversions(deps: ConvertDeps) {
  return {
    /** One gallery that an editor is about to put in the place of its block. */
    convertGallery: (sent: Values, caller: Caller) => convertGallery(deps, sent, caller),
    convertible: (type: unknown, caller: Caller) => convertible(deps, type, caller),
    /** All galleries of a post. */
    convertPost: (sent: Values, caller: Caller) => convertPost(deps, sent, caller),

    async revert(sent: Values, caller: Caller): Promise<Reverted> {
      const post = await editable(deps, sent, caller);
      const mayTrash = (gallery: Post): boolean => deps.content.rights.mayDelete(caller, gallery);
      return revert(deps, post, { change: changing(deps, caller, post), trash: trashing(deps, caller), mayTrash });
    },

    /** For the operator, who may change every post. */
    async revertAsOperator(id: number): Promise<Reverted> {
      const post = await deps.content.posts.find(id);
      if (post === undefined) throw convertErrors.postNotFound(id);
      return revert(deps, post, { change: unchanged(post), trash: {}, mayTrash: () => true });
    },
  };
}

// Who may.

async function editable({ content }: ConvertDeps, { post_id, postId }: Values, caller: Caller): Promise<Post> {
  const id = idOf(post_id ?? postId);
  if (id === 0) throw convertErrors.invalidPostId();
  const post = await content.posts.find(id);
  if (post === undefined) throw convertErrors.postNotFound(id);
  if (!content.rights.mayEdit(caller, post)) throw kernelErrors.forbidden('change this post');
  return post;
}

/**
 * Refuses to write if the text is another by now. Only the places of galleries change, and what comes into them is either made here
 * or was in the text before, so nothing else of the text is filtered.
 */
const unchanged = (post: Post, again?: Again): Changing => ({
  unfiltered: true,
  again: async (tx, target) => {
    await again?.(tx, target);
    if (target?.content !== post.content) throw convertErrors.postChanged(post.id);
  },
});

function changing({ content: { rights }, identity }: ConvertDeps, caller: Caller, post: Post): Changing {
  const doing = identity.doing<Post>(credentialOf(caller), (asker, target) => {
    if (target === undefined || !rights.mayEdit(asker, target)) throw kernelErrors.forbidden('change this post');
  });
  return { ...doing, ...unchanged(post, doing.again), writer: caller.id };
}

const trashing = ({ content: { rights }, identity }: ConvertDeps, caller: Caller): Doing<Post> =>
  identity.doing<Post>(credentialOf(caller), (asker, target) => {
    if (target === undefined || !rights.mayDelete(asker, target)) throw kernelErrors.forbidden('delete this gallery');
  });

// New galleries.

async function titleFor({ content, clock }: ConvertDeps, post: Post): Promise<string> {
  const time = momentAt(await content.zone(), clock()).wall.replace('T', ' ');
  const title = Array.from(readText(post.title).trim()).slice(0, titleLength).join('').trim();
  return title === '' ? `Converted-${time}` : `${title}-${post.id}-Converted-${time}`;
}

interface NewGallery extends Draft {
  readonly title: string;
  readonly alongside?: Changing['alongside'];
}

async function addGallery(
  { content, galleries, data }: ConvertDeps,
  { title, config, items, alongside }: NewGallery,
  caller: Caller,
): Promise<Post> {
  const said: PostInput = {
    title,
    status: 'publish',
    content: await data.galleryText('', { config, items }, caller),
  };
  const writing = galleries.writingAs(caller, galleryType, said);
  return content.posts.add(galleryType.name, said, { ...writing, ...(alongside && { alongside }) });
}

/** Keeps what was there before, in the write that replaces it. */
async function keepBackup({ content, clock }: ConvertDeps) {
  const day = momentAt(await content.zone(), clock())
    .wall.replaceAll(/[-:]/g, '')
    .replace('T', '_');
  return async (tx: Writing, post: number, places: readonly Place[]): Promise<void> => {
    const taken = (await metaOf(tx, [post])).get(post)!;
    const first = randomInt(1_000, 10_000);
    let digits = first;
    while (Object.hasOwn(taken, `${backupPrefix}${digits}_${day}`)) digits = digits === 9_999 ? 1_000 : digits + 1;
    await keepFirstMeta(tx, post, { [`${backupPrefix}${digits}_${day}`]: places });
  };
}

interface Picture {
  readonly record: Post;
  readonly file: string;
}

/** Pictures of the media library that this account may see. */
async function picturesOf(
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

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is empty is not sent, so that the media item says it. */
const itemOf = (id: number, said: Values, { record, file }: Picture): Values => ({
  id,
  title: text(said.title) || record.title || file.replace(/^.*\//, ''),
  ...(text(said.alt) !== '' && { alt: said.alt }),
  ...(text(said.caption) !== '' && { caption: said.caption }),
  ...(text(said.link) !== '' && { link: said.link }),
  ...(said.link_new_window === 1 && { link_new_window: 1 }),
});

const columnsFrom = (value: unknown): number => {
  const columns = value === undefined || value === null || value === '' ? Number.NaN : Number(value);
  return Number.isInteger(columns) && columns >= 0 ? columns : 3;
};

async function convertGallery(deps: ConvertDeps, sent: Values, caller: Caller) {
  const post = await editable(deps, sent, caller);
  const images: readonly unknown[] = Array.isArray(sent.images) ? sent.images : [];
  if (images.length === 0) throw convertErrors.noImages();
  const said = images.map((image) => (typeof image === 'object' && image !== null ? (image as Values) : {}));
  const ids = said.map(({ id }) => idOf(id));
  const pictures = await picturesOf(deps, ids, caller);
  const isNewWindow = sent.linkTarget === '_blank' ? 1 : 0;
  const items = said.map((image, at) => {
    const picture = pictures.get(ids[at]!);
    if (picture === undefined || text(image.url) === '') throw convertErrors.invalidImageData(at);
    return itemOf(ids[at]!, { title: image.title, alt: image.alt, link_new_window: isNewWindow }, picture);
  });
  const source = text(sent.blockContent);
  if (source.length > maxBackup) throw kernelErrors.invalidParam(`\`blockContent\` has more than ${maxBackup} bytes.`);
  // It may come into the text again later, by another account.
  const safe = caller.can('unfiltered_html') ? source : deps.content.writing.filter(source, 'content');
  const columns = columnsFrom(sent.columns);
  const keep = await keepBackup(deps);
  const gallery = await addGallery(
    deps,
    {
      title: await titleFor(deps, post),
      config: { columns, image_size: sent.sizeSlug },
      items,
      alongside: async (tx, { id }) => {
        const there = await tx.selectFrom('posts').select('id').where('id', '=', post.id).executeTakeFirst();
        if (there === undefined) throw convertErrors.postNotFound(post.id);
        if (source !== '') await keep(tx, post.id, [{ gallery: id, source: safe }]);
      },
    },
    caller,
  );
  const { config } = (await deps.data.gallery([gallery.id])).get(gallery.id)!;
  return {
    gallery_id: gallery.id,
    title: gallery.title,
    columns: String(config.columns),
    margins: 'custom',
    custom_margins: Number(config.margin),
    message: 'The gallery was created.',
  };
}

// Which posts have something to convert.

async function convertible(deps: ConvertDeps, named: unknown, caller: Caller) {
  const { content } = deps;
  const name = text(named).trim();
  if (name === '') throw convertErrors.missingPostType();
  const type = content.kinds.type(name);
  if (type === undefined) throw convertErrors.unknownPostType(name);
  if (!caller.can(type.capabilities.edit)) throw kernelErrors.forbidden(`change ${type.labels.toLowerCase()}`);
  const posts: number[] = [];
  let isRefused = false;
  for await (const post of candidates(deps, name)) {
    const mayEdit = content.rights.mayEdit(caller, post);
    if (mayEdit && posts.length === maxFound) return { posts, truncated: true };
    if (mayEdit) posts.push(post.id);
    else isRefused = true;
  }
  if (posts.length > 0) return { posts };
  if (isRefused) throw kernelErrors.forbidden(`change these ${type.labels.toLowerCase()}`);
  const any = deps.store.db.selectFrom('posts').select('id').where('type', '=', name).where('status', 'not in', unlisted);
  throw (await any.limit(1).executeTakeFirst()) === undefined
    ? convertErrors.noItems(name)
    : convertErrors.noGalleries(name);
}

const unlisted = ['auto-draft', 'trash'];

/** Content of a type that has a gallery of an earlier form, by id. */
async function* candidates({ store: { db } }: ConvertDeps, type: string) {
  const mentions = sql<boolean>`(content like '%<!-- wp:gallery %' or content like '%[gallery%' or content like '%wp:core/gallery %')`;
  for (let after = 0; ; ) {
    const heads = await db
      .selectFrom('posts')
      .select(['id', 'type', 'status', 'author', 'parent', 'status_before'])
      .where('type', '=', type)
      .where('status', 'not in', unlisted)
      .where('id', '>', after)
      .where(mentions)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    for (let at = 0; at < heads.length; at += textsAtOnce) {
      const some = heads.slice(at, at + textsAtOnce);
      const ids = some.map(({ id }) => id);
      const rows = await db.selectFrom('posts').select(['id', 'content']).where('id', 'in', ids).execute();
      const texts = new Map(rows.map(({ id, content }) => [id, content]));
      for (const post of some) if (gallerySourcesIn(texts.get(post.id) ?? '').length > 0) yield post;
    }
    if (heads.length < pageSize) return;
    after = heads.at(-1)!.id;
  }
}

// A whole post.

async function convertPost(deps: ConvertDeps, sent: Values, caller: Caller) {
  const { content } = deps;
  const post = await editable(deps, sent, caller);
  const fetched: number[] = [];
  const made: number[] = [];
  try {
    const drafts = await draftsOf(deps, post, { caller, fetched });
    if (drafts.size === 0) {
      const edit_url = `${deps.url}/wp-admin/post.php?post=${post.id}&action=edit`;
      throw convertErrors.notConvertible(post.id).with({ edit_url });
    }
    const title = await titleFor(deps, post);
    const ids = new Map<Draft, number>();
    for (const draft of new Set(drafts.values())) {
      const { id } = await addGallery(deps, { ...draft, title }, caller);
      made.push(id);
      ids.set(draft, id);
    }
    const places = [...drafts].map(([source, draft]) => ({ source, gallery: ids.get(draft)! }));
    const replacements = places.map(({ source, gallery }) => ({ ...source, text: embedOf(source, gallery) }));
    const sources = places.map(({ source: { start, end }, gallery }) => ({
      gallery,
      source: post.content.slice(start, end),
    }));
    const keep = await keepBackup(deps);
    const alongside = (tx: Writing, { id }: Post): Promise<void> => keep(tx, id, sources);
    const writing = { ...changing(deps, caller, post), alongside };
    await content.posts.change(post, { content: spliced(post.content, replacements) }, writing);
  } catch (error) {
    await eraseAll(deps, [...made, ...fetched], caller);
    throw error;
  }
  const count = `${made.length} ${made.length === 1 ? 'gallery was' : 'galleries were'} created.`;
  return { success: count, galleries: made };
}

const embedOf = (source: GallerySource, id: number): string => {
  if (source.kind === 'shortcode') return `[site-gallery id="${id}"]`;
  const { className } = source.attributes;
  return markAlone('gallery/embed', { galleryId: id, ...(typeof className === 'string' && { className }) });
};

/** Takes back what was made for a conversion that failed. */
async function eraseAll({ content: { posts, media } }: ConvertDeps, ids: readonly number[], { id: by }: Caller) {
  for (const id of ids) {
    const post = await posts.find(id);
    if (post !== undefined) await (post.type === attachment.name ? media : posts).erase(post, { by });
  }
}

interface Asking {
  readonly caller: Caller;
  /** Media items that were made of pictures of other sites. */
  readonly fetched: number[];
}

/** By its source. Shortcodes that say the same share one gallery. */
async function draftsOf(deps: ConvertDeps, post: Post, asking: Asking): Promise<Map<GallerySource, Draft>> {
  const drafts = new Map<GallerySource, Draft>();
  const alike = new Map<string, Draft | undefined>();
  for (const source of gallerySourcesIn(post.content)) {
    let draft: Draft | undefined;
    if (source.kind === 'block') draft = await draftOfBlock(deps, source, post, asking);
    else {
      const key = JSON.stringify(Object.entries(source.attributes).toSorted(([one], [other]) => (one < other ? -1 : 1)));
      if (!alike.has(key)) alike.set(key, await draftOfShortcode(deps, source, post, asking.caller));
      draft = alike.get(key);
    }
    if (draft !== undefined) drafts.set(source, draft);
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
  const isRandom = text(attributes.orderby).trim().toLowerCase() === 'rand';
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
  { caller, fetched }: Asking,
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
    const found = pictures.has(image.id) ? image.id : await otherPicture(deps, image, post, { caller, fetched });
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
  { caller, fetched }: Asking,
): Promise<number | undefined> {
  const address = URL.parse(src, url);
  if (address === null || src === '') return id > 0 ? 0 : undefined;
  if (address.origin === new URL(url).origin) return (await media.at(address.href))?.id ?? (id > 0 ? 0 : undefined);
  if (fetched.length >= maxFetches) return undefined;
  try {
    // It is seen by the accounts that see the post.
    const upload = { gallery: post.id, by: caller.id, doing: galleries.uploadingAs(caller) };
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

// Back again.

interface RevertingAs {
  readonly change: Changing;
  readonly trash: Doing<Post>;
  mayTrash(gallery: Post): boolean;
}

const isPlace = (one: unknown): one is Place =>
  typeof one === 'object' &&
  one !== null &&
  idOf((one as Place).gallery) > 0 &&
  typeof (one as Place).source === 'string';

async function revert(deps: ConvertDeps, post: Post, { change, trash, mayTrash }: RevertingAs): Promise<Reverted> {
  const { content } = deps;
  const meta = (await content.metaOf([post.id])).get(post.id) ?? {};
  const backups = Object.entries(meta).flatMap(([key, value]) =>
    key.startsWith(backupPrefix) && Array.isArray(value) ? [{ key, places: value.filter(isPlace) }] : [],
  );
  const used = new Set<Place>();
  const replacements: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const byGallery = Map.groupBy(
    backups.flatMap(({ places }) => places),
    ({ gallery }) => gallery,
  );
  for (const { start, end, id } of embeddedGalleriesIn(post.content)) {
    const place = byGallery.get(id)?.find((one) => !used.has(one));
    if (place === undefined) continue;
    used.add(place);
    replacements.push({ start, end, text: place.source });
  }
  if (replacements.length === 0) throw convertErrors.nothingToRevert(post.id);
  const left = Object.fromEntries(
    backups.map(({ key, places }) => {
      const rest = places.filter((one) => !used.has(one));
      return [key, rest.length === 0 ? null : rest];
    }),
  );
  const alongside = async (tx: Writing, { id }: Post): Promise<void> => void (await keepMeta(tx, id, left));
  await content.posts.change(
    post,
    { content: spliced(post.content, replacements) },
    { ...change, alongside },
  );
  const galleries = [...new Set([...used].map(({ gallery }) => gallery))];
  return { galleries, trashed: await trashUnused(deps, galleries, { trash, mayTrash }) };
}

/** Galleries that nothing shows any more go to the trash, from where they can be restored. */
async function trashUnused(
  deps: ConvertDeps,
  galleries: readonly number[],
  { trash, mayTrash }: Pick<RevertingAs, 'trash' | 'mayTrash'>,
): Promise<number[]> {
  const { posts } = deps.content;
  const found = [...(await posts.some(galleries)).values()].filter(
    (post) => post.type === galleryType.name && post.status !== 'trash' && mayTrash(post),
  );
  const shown = found.length === 0 ? new Set() : await shownGalleries(deps, found);
  const trashed: number[] = [];
  for (const gallery of found) {
    if (shown.has(gallery.id)) continue;
    try {
      await posts.trash(gallery, trash);
      trashed.push(gallery.id);
    } catch (error) {
      // On a site without a trash the gallery stays.
      if (!(error instanceof Problem)) throw error;
    }
  }
  return trashed;
}

/** Those of these galleries that a text or an album shows. */
async function shownGalleries({ store: { db } }: ConvertDeps, galleries: readonly Post[]): Promise<Set<number>> {
  const shown = new Set<number>();
  const bySlug = new Map(galleries.map(({ slug, id }) => [slug, id]));
  const mentions = sql<boolean>`(content like '%gallery/embed%' or content like '%[site-gallery%' or type = ${albumType.name})`;
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('posts')
      .select(['id', 'type', 'content'])
      .where('id', '>', after)
      .where('status', 'not in', unlisted)
      .where(mentions)
      .orderBy('id')
      .limit(textsAtOnce)
      .execute();
    for (const { type, content } of rows) {
      for (const { id, slug } of embeddedGalleriesIn(content)) shown.add(id || (bySlug.get(slug) ?? 0));
      if (type === albumType.name) for (const { id } of albumIn(content).entries) shown.add(id);
    }
    if (rows.length < textsAtOnce) return shown;
    after = rows.at(-1)!.id;
  }
}

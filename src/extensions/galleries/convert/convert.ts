// Gallery blocks and `[gallery]` shortcodes become gallery records, one update a post, and can become what they were again.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { readText } from '#lib/html-tokens.ts';
import { momentAt } from '#lib/wall-time.ts';
import { markAlone } from '#site/content/marks.ts';
import type { Changing, Post, PostInput } from '#site/content/posts/post.ts';
import type { Writing } from '#site/content/tables.ts';
import { idOf } from '../gallery-content.ts';
import type { Values } from '../gallery-data.ts';
import { markUnused, markUsed } from '../images.ts';
import { galleryType } from '../types.ts';
import { convertible } from './convertible.ts';
import { columnsFrom, type Draft, draftsOf, eraseAll, itemOf, picturesOf, textOf } from './drafts.ts';
import { convertErrors } from './errors.ts';
import { type GallerySource, spliced } from './gallery-sources.ts';
import { keepBackup, type Reverted, revert } from './revert.ts';
import { type ConvertDeps, changing, editable, trashing, unchanged } from './rights.ts';

const titleLength = 20;
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
    if (picture === undefined || textOf(image.url) === '') throw convertErrors.invalidImageData(at);
    return itemOf(ids[at]!, { title: image.title, alt: image.alt, link_new_window: isNewWindow }, picture);
  });
  const source = textOf(sent.blockContent);
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

// A whole post.

async function convertPost(deps: ConvertDeps, sent: Values, caller: Caller) {
  const { content } = deps;
  const post = await editable(deps, sent, caller);
  const work = `convert ${post.id}`;
  await eraseAll(deps, await deps.images.unusedOf(work), caller);
  const fetched: number[] = [];
  const made: number[] = [];
  try {
    const drafts = await draftsOf(deps, post, { caller, fetched, work });
    if (drafts.size === 0) {
      const edit_url = `${deps.url}/wp-admin/post.php?post=${post.id}&action=edit`;
      throw convertErrors.notConvertible(post.id).with({ edit_url });
    }
    const title = await titleFor(deps, post);
    const ids = new Map<Draft, number>();
    for (const draft of new Set(drafts.values())) {
      const alongside: Changing['alongside'] = (tx, { id }) => markUnused(tx, id, work);
      const { id } = await addGallery(deps, { ...draft, title, alongside }, caller);
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
    const alongside = async (tx: Writing, { id }: Post): Promise<void> => {
      // Another conversion of the post at the same moment has erased what this one made.
      if (!(await markUsed(tx, [...made, ...fetched]))) throw convertErrors.postChanged(id);
      await keep(tx, id, sources);
    };
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

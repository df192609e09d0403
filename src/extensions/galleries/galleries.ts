// Galleries and albums as records show them, and as they are changed.
import type { Caller } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { SaidRecord } from '#site/content/extending.ts';
import type { Post, PostInput } from '#site/content/posts/post.ts';
import { findPost } from '#site/content/posts/rows.ts';
import { attachment } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { SiteServices } from '#site/services.ts';
import { galleryErrors } from './errors.ts';
import { settleConfig } from './gallery-config.ts';
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
import { albumType, galleryType } from './types.ts';

export type GalleryDeps = Pick<SiteServices, 'content' | 'identity'>;

export type Values = Readonly<Record<string, unknown>>;

export interface SentGallery {
  readonly config?: Values | undefined;
  readonly items?: readonly Values[] | undefined;
}

export interface SentAlbum {
  readonly config?: Values | undefined;
  readonly galleries?: readonly Values[] | undefined;
}

export type Galleries = ReturnType<typeof createGalleries>;

export function createGalleries({ content, identity }: GalleryDeps) {
  const { posts, media, rights } = content;

  const urls = async (ids: readonly number[]): Promise<Map<number, string>> =>
    new Map([...(await media.files(ids))].map(([id, { file }]) => [id, media.urlOf(file)]));

  /** A new item says what its media item says; an item that is there already keeps what is not sent. */
  const itemsOf = async (sent: readonly Values[], before: readonly Item[], asker: Asker): Promise<Item[]> => {
    if (sent.length > maxItems) throw galleryErrors.tooManyItems(maxItems);
    const known = new Map(before.map((item) => [item.id, item]));
    const ids = sent.map(({ id }) => idOf(id));
    const fresh = ids.filter((id) => !known.has(id));
    const [records, files] = await Promise.all([posts.some(fresh.filter(Boolean)), media.files(ids.filter(Boolean))]);
    const items = new Map<number, Item>();
    for (const [at, values] of sent.entries()) {
      const id = ids[at]!;
      const record = records.get(id);
      const file = files.get(id);
      if (known.has(id) && file === undefined) continue;
      const isPicture = record?.type === attachment.name && record.mime_type.startsWith('image/');
      if (!known.has(id) && (!isPicture || !(await rights.mayRead(asker, record!))))
        throw galleryErrors.invalidParam(`\`items\` must be pictures of the media library; ${id} is not one.`);
      const usual = known.get(id) ?? {
        title: record?.title,
        alt: file?.alt_text,
        caption: record?.excerpt,
        link: fileLink,
      };
      const isOwnFile = file !== undefined && values.link === media.urlOf(file.file);
      const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      if (!items.has(id)) items.set(id, itemOf({ ...usual, ...said, ...(isOwnFile && { link: fileLink }), id }));
    }
    return [...items.values()];
  };

  const coversOf = async (sent: readonly Values[], before: readonly Cover[]): Promise<Cover[]> => {
    if (sent.length > maxGalleries) throw galleryErrors.tooManyGalleries(maxGalleries);
    const known = new Map(before.map((cover) => [cover.id, cover]));
    const ids = sent.map(({ id }) => idOf(id));
    const records = await posts.some(ids.filter(Boolean));
    const covers = new Map<number, Cover>();
    for (const [at, values] of sent.entries()) {
      const id = ids[at]!;
      const record = records.get(id);
      if (known.has(id) && record === undefined) continue;
      if (record?.type !== galleryType.name) throw galleryErrors.unknownGallery(id);
      const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      const usual = known.get(id);
      const image = said.cover_image_id ?? usual?.cover_image_id;
      if (!covers.has(id))
        covers.set(id, coverOf({ title: record.title, ...usual, ...said, cover_image_id: image, id }));
    }
    return [...covers.values()];
  };

  const mergedConfig = (kind: 'gallery' | 'album', before: Stored<unknown>, sent: Values | undefined) => ({
    ...before.config,
    ...settleConfig(kind, sent),
  });

  const galleryText = async (text: string, sent: SentGallery, asker: Asker): Promise<string> => {
    const before = galleryIn(text);
    const entries = sent.items === undefined ? before.entries : await itemsOf(sent.items, before.entries, asker);
    return withGallery(text, { config: mergedConfig('gallery', before, sent.config), entries });
  };
  const albumText = async (text: string, sent: SentAlbum): Promise<string> => {
    const before = albumIn(text);
    const entries = sent.galleries === undefined ? before.entries : await coversOf(sent.galleries, before.entries);
    return withAlbum(text, { config: mergedConfig('album', before, sent.config), entries });
  };

  /** A new or changed record, on behalf of who asks; their rights are asked again in the write. */
  const save = async (type: typeof galleryType, post: Post | undefined, said: PostInput, caller: Caller) => {
    const unfiltered = caller.can('unfiltered_html');
    const doing = identity.doing<Post>(credentialOf(caller), async (asker, target, tx) => {
      const now = post === undefined ? undefined : (target ?? (await findPost(tx as never, post.id)));
      const may = now === undefined ? rights.mayCreate(asker, type) : rights.mayEdit(asker, now);
      if (!may || (unfiltered && !asker.can('unfiltered_html'))) throw galleryErrors.forbidden();
      if (said.status === 'publish' && now?.status !== 'publish' && !rights.mayPublish(asker, type))
        throw galleryErrors.forbidden('publish galleries');
    });
    const changing = { ...doing, writer: caller.id, unfiltered };
    return post === undefined ? posts.add(type.name, said, changing) : posts.change(post, said, changing);
  };

  return {
    galleryText,
    albumText,
    save,

    /** The gallery, if this account may edit it. */
    async editable(id: number, caller: Caller): Promise<Post> {
      const post = await posts.find(id);
      if (post?.type !== galleryType.name || post.status === 'trash') throw galleryErrors.galleryNotFound(id);
      if (!rights.mayEdit(caller, post)) throw galleryErrors.forbidden('change this gallery');
      return post;
    },

    async galleryData(ids: readonly number[]) {
      const records = await posts.some(ids);
      const all = [...records.values()].map((post) => ({ id: post.id, ...galleryIn(post.content) }));
      const src = await urls([...new Set(all.flatMap(({ entries }) => entries.map(({ id }) => id)))]);
      return new Map(
        all.map(({ id, config, entries }) => {
          const items = entries
            .filter((item) => src.has(item.id))
            .map((item) => ({
              ...item,
              src: src.get(item.id)!,
              link: item.link === fileLink ? src.get(item.id)! : item.link,
            }));
          return [id, { id, config, items }];
        }),
      );
    },

    async albumData(ids: readonly number[]) {
      const records = await posts.some(ids);
      const all = [...records.values()].map((post) => ({ id: post.id, ...albumIn(post.content) }));
      const galleries = await posts.some([...new Set(all.flatMap(({ entries }) => entries.map(({ id }) => id)))]);
      const src = await urls(
        [...new Set(all.flatMap(({ entries }) => entries.map((one) => one.cover_image_id)))].filter(Boolean),
      );
      return new Map(
        all.map(({ id, config, entries }) => {
          const shown = entries
            .filter((cover) => galleries.get(cover.id)?.type === galleryType.name)
            .map((cover) => ({ ...cover, cover_image_url: src.get(cover.cover_image_id) ?? cover.cover_image_url }));
          return [id, { id, config, galleries: shown }];
        }),
      );
    },

    async saidGallery(sent: SentGallery, { said, post }: SaidRecord, asker: Asker): Promise<PostInput> {
      return { content: await galleryText(said.content ?? post?.content ?? '', sent, asker) };
    },
    async saidAlbum(sent: SentAlbum, { said, post }: SaidRecord): Promise<PostInput> {
      return { content: await albumText(said.content ?? post?.content ?? '', sent) };
    },
    albumType,
  };
}

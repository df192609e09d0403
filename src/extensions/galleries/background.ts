// What `gallery-background/v1` does: galleries and albums are made, pictures put into them, and copies of pictures made by jobs.

import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { raise } from '#kernel/problem.ts';
import type { Post, PostInput } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Doing } from '#site/identity/doing.ts';
import type { Job, Queue, Work } from '#site/jobs/job.ts';
import { jobErrors } from '#site/jobs/jobs.ts';
import type { SiteServices } from '#site/services.ts';
import { type Crop, type Crops, cropsOf } from './crops.ts';
import { galleryErrors } from './errors.ts';
import type { Galleries } from './galleries.ts';
import { galleryIn, idOf, maxGalleries } from './gallery-content.ts';
import type { GalleryData, Values } from './gallery-data.ts';
import type { Images } from './images.ts';
import { albumType, galleryType } from './types.ts';

export type Position = 'before' | 'after';

export interface InsertPayload {
  readonly gallery: number;
  readonly images: readonly Values[];
  readonly position: Position;
  readonly by: number;
}

export interface CropPayload {
  readonly gallery: number;
  readonly by: number;
}

interface BackgroundDeps extends Pick<SiteServices, 'content' | 'identity' | 'jobs'> {
  readonly galleries: Galleries;
  readonly data: GalleryData;
  readonly images: Images;
  readonly crops: Crops;
  readonly inserts: Queue<InsertPayload>;
  readonly cropping: Queue<CropPayload>;
}

const maxImages = 500;
const maxTries = 5;

export type Background = ReturnType<typeof createBackground>;

const record = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {});
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a gallery or an album is made with. */
function saidOf(sent: Values, isNew: boolean): PostInput {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const [title, status, slug] = [
    text(sent.post_title ?? sent.title),
    text(sent.post_status ?? sent.status),
    text(sent.slug),
  ];
  if (status !== undefined && !['publish', 'draft', 'pending', 'private', 'future'].includes(status))
    throw kernelErrors.invalidParam('`status` must be publish, draft, pending, private or future.');
  return {
    ...(title !== undefined && { title }),
    ...((status !== undefined || isNew) && { status: status ?? 'publish' }),
    ...(slug !== undefined && { slug }),
  };
}

export function createBackground(deps: BackgroundDeps) {
  return {
    insertGallery: (sent: Values, caller: Caller) => insertGallery(deps, sent, caller),
    insertImage: (sent: Values, caller: Caller) => insertImage(deps, sent, caller),
    insertAlbum: (sent: Values, caller: Caller) => insertAlbum(deps, sent, caller),
    cropImages: (sent: Values, caller: Caller) => cropImages(deps, sent, caller),
    resizeImage: (sent: Values, caller: Caller) => resizeImage(deps, sent, caller),
    runInsert: (payload: InsertPayload, work: Work) => runInsert(deps, payload, work),
    runCrops: (payload: CropPayload, work: Work) => runCrops(deps, payload, work),

    /** The job, for the account that started it and for site administrators. */
    async job(id: string, isCancelled: boolean, caller: Caller): Promise<Job> {
      const job = await deps.jobs.find(id);
      const isTheirs = job !== undefined && (job.by === caller.id || caller.can('manage_options'));
      if (!isTheirs || !job.kind.startsWith('galleries.')) throw jobErrors.jobNotFound(id);
      if (isCancelled) await deps.jobs.cancel(id);
      return (await deps.jobs.find(id)) ?? job;
    },
  };
}

type WritingAs = Doing<Post> & { readonly writer: number };

/** Another write at the same moment is not lost: the gallery is read again. */
async function change(
  { content }: BackgroundDeps,
  id: number,
  text: (now: Post) => Promise<string>,
  writing: WritingAs,
) {
  for (let tries = 0; tries < maxTries; tries++) {
    const post = await content.posts.find(id);
    if (post?.type !== galleryType.name) throw galleryErrors.galleryNotFound(id);
    const next = await text(post);
    if (next === post.content) return;
    let isOther = false;
    const again: Doing<Post>['again'] = async (tx, target) => {
      await writing.again?.(tx, target);
      isOther = target?.content !== post.content;
      if (isOther) throw galleryErrors.changedMeanwhile(id);
    };
    const how = { ...writing, again, unfiltered: false };
    const changed = await content.posts
      .change(post, { content: next }, how)
      .catch((error) => (isOther ? undefined : raise(error)));
    if (changed !== undefined) return;
  }
  throw galleryErrors.changedMeanwhile(id);
}

interface Put {
  readonly gallery: number;
  readonly images: readonly Values[];
  readonly position: Position;
}

/** Puts these pictures into the gallery, in their order; those that are in it already stay where they are. */
const put = (deps: BackgroundDeps, { gallery, images, position }: Put, writing: WritingAs): Promise<void> =>
  change(
    deps,
    gallery,
    async (now) => {
      const before = galleryIn(now.content).entries;
      const known = new Set(before.map((item) => item.id));
      const fresh = images.filter((image) => !known.has(idOf(image.id)));
      if (fresh.length === 0) return now.content;
      const kept = before as unknown as readonly Values[];
      const items = position === 'before' ? [...fresh, ...kept] : [...kept, ...fresh];
      // Whether the account may see each of them was asked before.
      return deps.data.galleryText(now.content, { items }, { id: writing.writer, can: () => true });
    },
    writing,
  );

/** Only pictures that this account may see are taken by their number. */
async function refuseHidden(
  { content: { posts, rights } }: BackgroundDeps,
  image: Values,
  caller: Caller,
): Promise<void> {
  const id = idOf(image.id);
  if (id === 0) return;
  const post = await posts.find(id);
  if (post?.type !== attachment.name || !(await rights.mayRead(caller, post)))
    throw kernelErrors.invalidParam(`\`image.id\` must be a picture of the media library; ${id} is not one.`);
}

/** An uploaded picture was given its title already. */
const itemFrom = ({ id: known, title, alt, caption, link, status }: Values, id: number): Values => ({
  id,
  title: idOf(known) > 0 ? title : undefined,
  alt,
  caption,
  link,
  status,
});

const positionOf = (sent: Values): Position => (sent.position === 'before' ? 'before' : 'after');

async function insertGallery(deps: BackgroundDeps, sent: Values, caller: Caller) {
  const { galleries, data } = deps;
  const images = listed(sent.images).map(record);
  if (images.length > maxImages) throw galleryErrors.tooManyImages(maxImages);
  for (const image of images) await refuseHidden(deps, image, caller);
  const id = idOf(sent.id);
  const before = id > 0 ? await galleries.gallery(id, caller) : undefined;
  const about = record(sent.gallery);
  const description = typeof about.description === 'string' ? { description: about.description } : {};
  const config = { ...description, ...record(sent.config) };
  const content = await data.galleryText(before?.content ?? '', { config }, caller);
  const post = await galleries.save(galleryType, before, { ...saidOf(about, before === undefined), content }, caller);
  const payload = { gallery: post.id, images, position: positionOf(sent), by: caller.id };
  const job =
    images.length === 0 ? undefined : await deps.jobs.find(await deps.inserts.add(payload, { by: caller.id }));
  return { post, created: before === undefined, queued: images.length, job: job ?? null };
}

async function insertImage(deps: BackgroundDeps, sent: Values, caller: Caller) {
  const { galleries, data } = deps;
  const gallery = idOf(sent.gallery);
  if (gallery === 0) throw kernelErrors.invalidParam('`data.gallery` must be the ID of a gallery.');
  const post = await galleries.gallery(gallery, caller);
  const image = record(sent.image);
  await refuseHidden(deps, image, caller);
  const known = galleryIn(post.content).entries.some(({ id }) => id === idOf(image.id));
  const doing = galleries.uploadingAs(caller);
  const id = await deps.images.attachmentOf(image, { gallery, by: caller.id, doing });
  const writing = { ...galleries.writingAs(caller, galleryType, {}, post), writer: caller.id };
  if (!known) await put(deps, { gallery, images: [itemFrom(image, id)], position: positionOf(sent) }, writing);
  const { items } = (await data.gallery([gallery])).get(gallery)!;
  const item = items.find((one) => one.id === id) ?? null;
  return { created: !known, body: { gallery_id: gallery, attachment_id: id, item } };
}

const isNamed = (one: unknown): boolean => typeof one !== 'object' || one === null;

async function insertAlbum(deps: BackgroundDeps, sent: Values, caller: Caller) {
  const { galleries, data } = deps;
  const id = idOf(sent.id);
  const before = id > 0 ? await galleries.album(id, caller) : undefined;
  const wanted = listed(sent.galleries);
  if (wanted.length > maxGalleries) throw galleryErrors.tooManyGalleries(maxGalleries);
  // Nothing is written if one of the galleries does not exist or this account may not see it.
  const named = wanted.filter(isNamed).map((one) => ({ id: idOf(one) }));
  await data.albumText(before?.content ?? '', { galleries: named }, caller);
  const made: number[] = [];
  let job: Job | null = null;
  for (const one of wanted) {
    const gallery = isNamed(one) ? undefined : await insertGallery(deps, record(one), caller);
    made.push(gallery?.post.id ?? idOf(one));
    job = gallery?.job ?? job;
  }
  const covers = sent.galleries === undefined ? undefined : made.map((gallery) => ({ id: gallery }));
  const content = await data.albumText(
    before?.content ?? '',
    { config: record(sent.config), galleries: covers },
    caller,
  );
  const said = { ...saidOf(record(sent.album), before === undefined), content };
  const post = await galleries.save(albumType, before, said, caller);
  return { post, created: before === undefined, galleries: made, job };
}

async function cropImages(deps: BackgroundDeps, sent: Values, caller: Caller): Promise<Job | { total: 0 }> {
  const wanted = idOf(sent.id);
  if (wanted === 0) throw kernelErrors.invalidParam('`data.id` must be the ID of a gallery.');
  const { id, content } = await deps.galleries.gallery(wanted, caller);
  const { config, entries } = galleryIn(content);
  if (cropsOf(config).length === 0 || entries.length === 0) return { total: 0 };
  const job = await deps.cropping.add({ gallery: id, by: caller.id }, { by: caller.id, key: `gallery ${id}` });
  return (await deps.jobs.find(job))!;
}

async function resizeImage(
  { content, crops, galleries }: BackgroundDeps,
  sent: Values,
  caller: Caller,
): Promise<string> {
  const id = idOf(sent.image_id);
  const url = typeof sent.image_url === 'string' ? sent.image_url : '';
  const post = id > 0 ? await crops.picture(id) : await crops.pictureAt(url);
  if (post === undefined || !(await content.rights.mayRead(caller, post))) throw galleryErrors.foreignImage();
  if (idOf(sent.gallery_id) > 0) await galleries.gallery(idOf(sent.gallery_id), caller);
  return crops.make(post, sent.args as Crop, galleries.uploadingAs(caller));
}

// What jobs do.

/** A picture at a time; the gallery is written once, with those that could be had. */
async function runInsert(deps: BackgroundDeps, payload: InsertPayload, work: Work): Promise<void> {
  const { gallery, images, position, by } = payload;
  const doing = await deps.galleries.uploadingFor(by);
  const all = images.map((image, at) => ({ image, at }));
  await work.total(all.length);
  const made = new Map<number, number>();
  try {
    await work.each((after) => all.slice(after === undefined ? 0 : Number(after) + 1), {
      key: ({ at }) => String(at),
      do: async ({ image, at }) => {
        const id = await deps.images.attachmentOf(image, { gallery, by, doing, work: `${work.id} ${at}` });
        made.set(at, id);
      },
    });
  } finally {
    // After a restart, pictures that were uploaded before it are found again by their work.
    const earlier = await deps.images.madeFor(work.id);
    const items = all.flatMap(({ image, at }) => {
      const id = made.get(at) ?? earlier.get(at) ?? idOf(image.id);
      return id > 0 ? [itemFrom(image, id)] : [];
    });
    if (items.length > 0) await put(deps, { gallery, images: items, position }, { ...doing, writer: by });
  }
}

async function runCrops({ content, crops, galleries }: BackgroundDeps, { gallery, by }: CropPayload, work: Work) {
  const doing = await galleries.uploadingFor(by);
  const post = await content.posts.find(gallery);
  if (post === undefined) throw galleryErrors.galleryNotFound(gallery);
  const { config, entries } = galleryIn(post.content);
  const files = await content.media.files(entries.map(({ id }) => id));
  const sizes = cropsOf(config);
  const all = entries
    .filter(({ id }) => files.has(id))
    .flatMap(({ id }) => sizes.map((size, at) => ({ id, size, key: `${id} ${at}` })));
  await work.total(all.length);
  await work.each((after) => all.slice(all.findIndex(({ key }) => key === after) + 1), {
    key: ({ key }) => key,
    do: async ({ id, size }) => {
      const picture = await crops.picture(id);
      if (picture !== undefined) await crops.make(picture, size, doing);
    },
  });
}

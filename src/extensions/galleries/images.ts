// Pictures that are put into galleries: those of the media library, from a URL, or sent as a data URI.

import { randomUUID } from 'node:crypto';
import { kernelErrors } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import { contentErrors } from '#site/content/errors.ts';
import { inspectedBytes, kindOf } from '#site/content/media/file-kinds.ts';
import { keepFirstMeta } from '#site/content/meta.ts';
import type { Post } from '#site/content/posts/post.ts';
import type { Doing } from '#site/identity/doing.ts';
import { refusing, Upstream } from '#site/outgoing/outgoing.ts';
import type { SiteServices } from '#site/services.ts';
import { galleryErrors } from './errors.ts';
import { idOf } from './gallery-content.ts';
import type { Values } from './gallery-data.ts';

interface ImageDeps extends Pick<SiteServices, 'content' | 'outgoing' | 'spool' | 'store'> {
  readonly aiPictures: {
    /** A picture that was made by a prompt; nothing for any other URL. */
    at(url: string): Promise<{ readonly bytes: Uint8Array } | undefined>;
  };
}

export interface NewImage {
  readonly gallery: number;
  /** The account that uploads it. */
  readonly by: number;
  readonly doing: Doing<Post>;
  /** Names the work, where it may be done twice: the picture that was made first is found again. */
  readonly work?: string;
  /** Names the work that has no use for the picture before it ends. */
  readonly unusedOf?: string;
}

const maxFetched = 20 * 2 ** 20;
const workKey = '_gallery_work';

type Tx = Parameters<typeof keepFirstMeta>[0];

/** Marks a record that is useless if the work breaks off. */
export const markUnused = (tx: Tx, id: number, work: string): Promise<void> =>
  keepFirstMeta(tx, id, { [workKey]: `${work} ${randomUUID()}` });

/** Takes the marks away. False if one of the records is gone. */
export async function markUsed(tx: Tx, ids: readonly number[]): Promise<boolean> {
  const marks = tx.deleteFrom('post_meta').where('key', '=', workKey).where('post_id', 'in', ids);
  return Number((await marks.executeTakeFirst()).numDeletedRows) === ids.length;
}

/** By its first bytes: neither the name nor the sender is trusted. */
export function extensionOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp';
  return /^.{4}ftypavi[fs]/s.test(head) ? 'avif' : undefined;
}

const unsupportedMessage =
  'The picture is a TIFF or BMP file, which Gatehouse does not support. Save it as JPEG or PNG.';
const unsupported = new Set(['image/tiff', 'image/bmp']);
const isUnsupported = (bytes: Uint8Array): boolean =>
  unsupported.has(kindOf('picture.tiff', Buffer.from(bytes.subarray(0, inspectedBytes)))?.mime ?? '');

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 1_000) : '');

export type Images = ReturnType<typeof createImages>;

export function createImages(deps: ImageDeps) {
  const { db } = deps.store;
  const madeBefore = async (work: string): Promise<number | undefined> => {
    const made = db.selectFrom('post_meta').select('post_id').where('key', '=', workKey);
    return (await made.where('value', '=', JSON.stringify(work)).executeTakeFirst())?.post_id;
  };

  return {
    /** Media items that a job made, by the place in its list. */
    async madeFor(job: string): Promise<Map<number, number>> {
      const made = db.selectFrom('post_meta').select(['post_id', 'value']).where('key', '=', workKey);
      const rows = await made.where('value', '>=', `"${job} `).where('value', '<', `"${job}!`).execute();
      return new Map(rows.map(({ post_id, value }) => [Number(JSON.parse(value).split(' ')[1]), post_id]));
    },

    /** What this work marked before it broke off. */
    async unusedOf(work: string): Promise<number[]> {
      const marked = db.selectFrom('post_meta').select('post_id').where('key', '=', workKey);
      const rows = await marked.where('value', 'like', `"${work} %`).execute();
      return rows.map(({ post_id }) => post_id);
    },

    /** The media item; made from what `src` leads to, where there is none yet. */
    async attachmentOf(image: Values, upload: NewImage): Promise<number> {
      if (idOf(image.id) > 0) return idOf(image.id);
      const src = typeof image.src === 'string' ? image.src.trim() : '';
      if (src === '') throw kernelErrors.invalidParam('`image` must have an `id` or a `src`.');
      const before = upload.work === undefined ? undefined : await madeBefore(upload.work);
      return before ?? store(deps, image, { src, bytes: await bytesOf(deps, src) }, upload);
    },
  };
}

async function bytesOf({ outgoing, aiPictures }: ImageDeps, src: string): Promise<Uint8Array> {
  const made = await aiPictures.at(src);
  if (made !== undefined) return made.bytes;
  const [, data] = /^data:[^,]{0,200};base64,([\s\S]*)$/.exec(src) ?? [];
  if (data !== undefined) {
    if (data.length > maxFetched * 1.4) throw contentErrors.imageTooLarge();
    return Buffer.from(data, 'base64');
  }
  // A page of HTML is taken too, so that the answer says that it is not a picture.
  const purpose = { name: 'gallery image', types: ['image/', 'application/octet-stream', 'text/'], most: maxFetched };
  return outgoing
    .fetch(src, purpose)
    .then((answer) => answer.bytes())
    .catch((error) => {
      if (error instanceof Upstream && error.fault === 'size') throw contentErrors.imageTooLarge().because(error);
      return refusing(galleryErrors.fetchFailed.code)(error);
    });
}

interface Fetched {
  readonly src: string;
  readonly bytes: Uint8Array;
}

async function store(
  { content: { media }, spool }: ImageDeps,
  image: Values,
  { src, bytes }: Fetched,
  { gallery, by, doing, work, unusedOf }: NewImage,
): Promise<number> {
  const extension = extensionOf(bytes);
  if (extension === undefined) {
    const refusal = contentErrors.invalidImage();
    throw isUnsupported(bytes) ? refusal.saying(unsupportedMessage) : refusal;
  }
  const named = text(image.title) || nameIn(src) || 'picture';
  const title = named.replace(/\.(?:jpe?g|png|gif|webp|avif)$/i, '');
  const laid = await spool(once(bytes));
  let id: number | undefined;
  const alongside = async (tx: Tx, post: Post): Promise<void> => {
    id = post.id;
    if (work !== undefined) await keepFirstMeta(tx, post.id, { [workKey]: work });
    if (unusedOf !== undefined) await markUnused(tx, post.id, unusedOf);
  };
  try {
    const arrived = { name: `${title}.${extension}`, path: laid.path, size: bytes.length, inForm: false };
    const said = { title, alt_text: text(image.alt), excerpt: text(image.caption), parent: gallery };
    return (await media.add(arrived, said, { ...doing, writer: by, unfiltered: false, alongside })).id;
  } catch (error) {
    // The record is there, and only some of the smaller copies are not.
    if (id !== undefined && error instanceof Problem && error.code === 'rest_upload_unfinished') return id;
    throw refusalOf(error);
  } finally {
    await laid.release();
  }
}

/** The name of the file in a URL. */
function nameIn(src: string): string {
  if (src.startsWith('data:')) return '';
  const name = URL.parse(src)?.pathname.replace(/^.*\//, '') ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.status === 413) return contentErrors.imageTooLarge().because(error);
  return error.code.startsWith('rest_upload_') ? contentErrors.invalidImage().because(error) : error;
}

// Copies of the pictures of galleries, in the dimensions that their settings name.
import { Problem } from '#kernel/problem.ts';
import type { Content } from '#site/content/content.ts';
import { isSizable } from '#site/content/media/file-kinds.ts';
import type { MediaFile } from '#site/content/media/media.ts';
import { Malformed } from '#site/content/media/picture-errors.ts';
import { originalDimensions } from '#site/content/media/regenerate.ts';
import type { Post } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Doing } from '#site/identity/doing.ts';
import { galleryErrors } from './errors.ts';
import type { Config } from './gallery-config.ts';
import { cropLabel } from './gallery-html.ts';

/** In pixels of the page; 0 for a side that follows the other. */
export interface Crop {
  readonly width: number;
  readonly height: number;
  readonly crop: boolean;
  readonly align: string;
  readonly quality: number;
  readonly retina: boolean;
  readonly overwrite: boolean;
}

const maxCrops = 60;

const positions: Readonly<Record<string, string>> = {
  c: 'centre',
  t: 'top',
  b: 'bottom',
  l: 'left',
  r: 'right',
  tl: 'left top',
  tr: 'right top',
  bl: 'left bottom',
  br: 'right bottom',
};

const groups = {
  thumbnails: ['thumbnails_width', 'thumbnails_height'],
  mobile_thumbnails: ['mobile_thumbnails_width', 'mobile_thumbnails_height'],
  crop: ['crop_width', 'crop_height'],
  mobile: ['mobile_width', 'mobile_height'],
} as const;

/** What the settings of a gallery turn on, each in both densities. */
export function cropsOf(config: Config): Crop[] {
  const on = Object.entries(groups).filter(([name]) => config[name] === 1);
  return on.flatMap(([, [width, height]]) =>
    [false, true].map((retina) => ({
      width: Number(config[width]),
      height: Number(config[height]),
      crop: true,
      align: String(config.crop_position),
      quality: 100,
      retina,
      overwrite: false,
    })),
  );
}

type CropDeps = Pick<Content, 'media' | 'posts'>;

export type Crops = ReturnType<typeof createCrops>;

export function createCrops({ media, posts }: CropDeps) {
  const fileOf = async (post: Post): Promise<MediaFile> => {
    const file = (await media.files([post.id])).get(post.id);
    if (file === undefined || !isSizable(post.mime_type)) throw galleryErrors.invalidImage();
    return file;
  };

  return {
    async picture(id: number): Promise<Post | undefined> {
      const post = await posts.find(id);
      return post?.type === attachment.name ? post : undefined;
    },

    pictureAt: (url: string): Promise<Post | undefined> => media.at(url),

    /** The URL of the copy; that of the picture itself, where it is smaller. */
    async make(post: Post, wanted: Crop, doing: Doing<Post>): Promise<string> {
      const file = await fileOf(post);
      const whole = originalDimensions(file) ?? (await media.measure(file).catch(refuse));
      const size = sizeFor(whole, wanted);
      const density = wanted.retina ? 2 : 1;
      const [width, height] = [size.width * density, size.height * density];
      if (whole.width < width || whole.height < height) return media.urlOf(file.file);
      const label = cropLabel({ ...size, align: wanted.align, retina: wanted.retina });
      const crops = Object.keys(file.sizes).filter((name) => name.startsWith('crop_') && name !== label);
      if (crops.length >= maxCrops) throw galleryErrors.tooManyCrops(maxCrops);
      const suffix = `-${size.width}x${size.height}_${wanted.align}${wanted.retina ? '@2x' : ''}`;
      const { crop, quality, overwrite } = wanted;
      const position = positions[wanted.align] ?? 'centre';
      const copy = await media
        .crop(post, { label, suffix, width, height, crop, position, quality, overwrite }, doing)
        .catch(refuse);
      return media.urlOf(file.file.replace(/[^/]*$/, copy.file));
    },
  };
}

function refuse(error: unknown): never {
  if (error instanceof Malformed) throw galleryErrors.invalidImage().because(error);
  if (error instanceof Problem && error.code === 'rest_upload_image_too_large') throw galleryErrors.imageTooLarge();
  throw error;
}

/** A side that is 0 follows the other; without a crop the copy keeps the shape of the picture. */
function sizeFor(whole: { width: number; height: number }, { width, height, crop }: Crop) {
  const ratio = whole.width / whole.height;
  if (width === 0) return { width: Math.max(1, Math.round(height * ratio)), height };
  if (height === 0) return { width, height: Math.max(1, Math.round(width / ratio)) };
  if (crop) return { width, height };
  const scale = Math.min(width / whole.width, height / whole.height);
  return { width: Math.max(1, Math.round(whole.width * scale)), height: Math.max(1, Math.round(whole.height * scale)) };
}

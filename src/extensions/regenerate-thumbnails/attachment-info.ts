// What is known of the copies of one picture: those of the registered sizes, and those of other sizes.
import { builtInSizes, type ImageSize } from '#lib/image-sizes.ts';
import { nameOf } from '#site/content/media/copies.ts';
import { extensionOf, isPicture, isShown } from '#site/content/media/file-kinds.ts';
import { inFolderOf, type MediaFile, type MediaLibrary } from '#site/content/media/media.ts';
import { originalDimensions } from '#site/content/media/regenerate.ts';
import { type Dimensions, sizedDimensions } from '#site/content/media/sizes.ts';
import { originalPath } from '#site/content/media/store-file.ts';
import type { Post } from '#site/content/posts/post.ts';

interface RegisteredSize extends Partial<Omit<ImageSize, 'label'>> {
  readonly label: string;
  readonly filename: string | false;
  readonly fileexists: boolean;
}

interface UnregisteredSize extends Dimensions {
  readonly label: string;
  readonly filename: string;
  readonly fileexists: true;
}

export interface AttachmentInfo {
  readonly name: string;
  readonly preview: string | false;
  readonly relative_path: string;
  readonly edit_url: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly registered_sizes: readonly RegisteredSize[];
  readonly unregistered_sizes: readonly UnregisteredSize[];
}

export const pdf = 'application/pdf';

interface InfoDeps {
  readonly media: Pick<MediaLibrary, 'sizes' | 'existing' | 'urlOf'>;
  /** The public base URL of the site. */
  readonly url: string;
}

/** `original`: how large the original is, upright, if the record does not say so. */
export async function attachmentInfo(
  { media, url }: InfoDeps,
  post: Post,
  file: MediaFile,
  original = originalDimensions(file),
): Promise<AttachmentInfo> {
  const isPdf = post.mime_type === pdf;
  const sizes = registrationOrder(media.sizes).filter(({ label }) => !isPdf || pdfSizes.has(label));
  const registered = sizes.map((size) => ({
    size,
    filename: isPdf ? pdfFile(file, size) : currentName(file, size, original),
  }));
  const names = [...registered.map(({ filename }) => filename), ...Object.values(file.sizes).map((copy) => copy.file)];
  const paths = names.filter((name) => name !== false).map((name) => inFolderOf(file.file, name));
  const existing = await media.existing(paths);
  const exists = (name: string | false): boolean => name !== false && existing.has(inFolderOf(file.file, name));
  const shown = registered.map(({ size: { label, width, height, crop }, filename }) => {
    return { label, width, height, crop, filename, fileexists: exists(filename) };
  });
  const current = new Set<string | false>(registered.map(({ filename }) => filename));
  const labels = new Set(media.sizes.map(({ label }) => label));
  const full = file.sizes.full;
  return {
    name: post.title === '' ? `Attachment ${post.id}` : post.title,
    preview: previewOf(post, file, media.urlOf, exists),
    relative_path: originalPath(file),
    edit_url: `${url}/wp-admin/post.php?post=${post.id}&action=edit`,
    width: isPdf ? null : (original?.width ?? null),
    height: isPdf ? null : (original?.height ?? null),
    registered_sizes: [
      ...shown,
      ...(isPdf && full
        ? [{ ...dimensionsOf(full), label: 'full', filename: full.file, fileexists: exists(full.file) }]
        : []),
    ],
    unregistered_sizes: Object.entries(file.sizes)
      .filter(([label, copy]) => !(isPdf && label === 'full') && !current.has(copy.file) && exists(copy.file))
      .map(([label, copy]) => ({
        label: labels.has(label) ? `${label} (old)` : label,
        ...dimensionsOf(copy),
        filename: copy.file,
        fileexists: true,
      })),
  };
}

const dimensionsOf = ({ width, height }: Dimensions): Dimensions => ({ width, height });

const firstLabels = ['thumbnail', 'medium', 'medium_large', 'large'];

const placeOf = ({ label }: ImageSize): number => {
  const at = firstLabels.indexOf(label);
  return at < 0 ? firstLabels.length + builtInSizes.findIndex((size) => size.label === label) : at;
};

/** The built-in sizes as clients know their order, then those that the operator added. */
const registrationOrder = (sizes: readonly ImageSize[]): ImageSize[] => {
  const isBuiltIn = ({ label }: ImageSize): boolean => builtInSizes.some((size) => size.label === label);
  const builtIn = sizes.filter(isBuiltIn).sort((one, other) => placeOf(one) - placeOf(other));
  return [...builtIn, ...sizes.filter((size) => !isBuiltIn(size))];
};

const pdfSizes = new Set(['thumbnail', 'medium', 'large']);
const pdfFile = ({ sizes }: MediaFile, { label }: ImageSize): string | false => sizes[label]?.file ?? false;

/** The name of the file that this picture should have in this size; false for a size that would not be smaller. */
function currentName(file: MediaFile, size: ImageSize, original: Dimensions | undefined): string | false {
  const sized = original && sizedDimensions(original, size);
  if (sized === undefined) return false;
  const kept = file.sizes[size.label];
  if (kept?.width === sized.width && kept.height === sized.height) return kept.file;
  const name = originalPath(file).replace(/^.*\//, '');
  return nameOf(name.replace(/\.[^.]*$/, ''), sized, extensionOf(name));
}

function previewOf(
  { mime_type }: Post,
  file: MediaFile,
  urlOf: (path: string) => string,
  exists: (name: string) => boolean,
): string | false {
  if (mime_type !== pdf) return isPicture(mime_type) && isShown(mime_type) ? urlOf(file.file) : false;
  const full = file.sizes.full?.file;
  return full !== undefined && exists(full) ? urlOf(inFolderOf(file.file, full)) : false;
}

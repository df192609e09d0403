// The sizes of the smaller copies of a picture.
import type { ImageSize } from '#lib/image-sizes.ts';

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Larger pictures are shown by a copy that has this on its longer side. */
export const largest = 2_560;

/** What is the same but for the way it was rounded. */
const tolerance = 1;

/** How large the copy is; nothing where there is none, because the picture is no larger. Nothing is ever made larger. */
export function sizedDimensions(picture: Dimensions, size: ImageSize): Dimensions | undefined {
  if (picture.width < 1 || picture.height < 1) return undefined;
  const sized = size.crop ? cropped(picture, size) : fitted(picture, size);
  const isSmaller = sized.width < picture.width - tolerance || sized.height < picture.height - tolerance;
  return isSmaller ? sized : undefined;
}

export function fitted({ width, height }: Dimensions, size: Dimensions): Dimensions {
  const scale = Math.min(1, size.width === 0 ? 1 : size.width / width, size.height === 0 ? 1 : size.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function cropped(picture: Dimensions, size: Dimensions): Dimensions {
  const ratio = picture.width / picture.height;
  const width = size.width || Math.max(1, Math.round(size.height * ratio));
  const height = size.height || Math.max(1, Math.round(size.width / ratio));
  return { width: Math.min(width, picture.width), height: Math.min(height, picture.height) };
}

/** Which copies such a picture has, of the registered sizes. */
export const sizesOf = (picture: Dimensions, registered: readonly ImageSize[]): (ImageSize & Dimensions)[] =>
  registered.flatMap((size) => {
    const sized = sizedDimensions(picture, size);
    return sized === undefined ? [] : [{ ...size, ...sized }];
  });

// The sizes of the smaller copies of a picture.

export interface Size {
  readonly label: string;
  /** 0 where that side is left open. */
  readonly width: number;
  readonly height: number;
  readonly crop: boolean;
}

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

const fit = (label: string, width: number, height: number): Size => ({ label, width, height, crop: false });

/** In the order that records show them. */
export const sizes: readonly Size[] = [
  fit('medium', 300, 300),
  fit('large', 1024, 1024),
  { label: 'thumbnail', width: 150, height: 150, crop: true },
  fit('medium_large', 768, 0),
  fit('1536x1536', 1536, 1536),
  fit('2048x2048', 2048, 2048),
];

/** Larger pictures are shown by a copy that has this on its longer side. */
export const largest = 2_560;

/** What is the same but for the way it was rounded. */
const tolerance = 1;

/** How large the copy is; nothing where there is none, because the picture is no larger. Nothing is ever made larger. */
export function sizedDimensions(picture: Dimensions, size: Size): Dimensions | undefined {
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

/** Which copies such a picture has. */
export const sizesOf = (picture: Dimensions): (Size & Dimensions)[] =>
  sizes.flatMap((size) => {
    const sized = sizedDimensions(picture, size);
    return sized === undefined ? [] : [{ ...size, ...sized }];
  });

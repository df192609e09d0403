// The registered sizes of the smaller copies of pictures: the built-in ones, and what the operator makes of them.

export interface ImageSize {
  readonly label: string;
  /** 0 leaves that side open. */
  readonly width: number;
  readonly height: number;
  /** Whether the copy is cut to exactly this size, instead of fitting inside it. */
  readonly crop: boolean;
}

const fit = (label: string, width: number, height: number): ImageSize => ({ label, width, height, crop: false });

/** In the order that media records show them. */
export const builtInSizes: readonly ImageSize[] = [
  fit('medium', 300, 300),
  fit('large', 1024, 1024),
  { label: 'thumbnail', width: 150, height: 150, crop: true },
  fit('medium_large', 768, 0),
  fit('1536x1536', 1536, 1536),
  fit('2048x2048', 2048, 2048),
];

const maxSizes = 20;
const maxSide = 10_000;

/** `full` is the picture itself, and `scaled` the copy that stands for a very large one. */
const reservedLabels = new Set(['full', 'scaled']);

/** The built-in sizes with these changes: `card=400x250-crop,large=off`. Nothing for a text that cannot be read. */
export function parseImageSizes(text: string): readonly ImageSize[] | undefined {
  const sizes = new Map(builtInSizes.map((size) => [size.label, size]));
  const seen = new Set<string>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, label = '', off, width, height, crop] =
      /^([a-z\d][a-z\d_-]{0,49})=(?:(off)|(\d{1,5})x(\d{1,5})(-crop)?)$/.exec(entry) ?? [];
    if (label === '' || reservedLabels.has(label) || seen.has(label)) return undefined;
    seen.add(label);
    if (off !== undefined) {
      sizes.delete(label);
      continue;
    }
    const size = { label, width: Number(width), height: Number(height), crop: crop !== undefined };
    const isOpen = size.width === 0 && size.height === 0;
    if (isOpen || Math.max(size.width, size.height) > maxSide) return undefined;
    sizes.set(label, size);
  }
  return sizes.size > maxSizes ? undefined : [...sizes.values()];
}

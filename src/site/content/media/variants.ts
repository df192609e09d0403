// The same picture in newer types, beside the file that it was made from.

/** Bytes of the same picture in newer types. The name of each file is that of the picture, with `.webp` or `.avif` behind it. */
export interface Variants {
  /** Bytes of the file that they were made from: another file has other variants. */
  readonly of: number;
  readonly webp?: number;
  readonly avif?: number;
}

export const variantTypes = ['avif', 'webp'] as const;
export type VariantType = (typeof variantTypes)[number];

export type AllVariants = Readonly<Record<string, Variants>>;

/** The names of the files. */
export const variantNames = (all: AllVariants = {}): string[] =>
  Object.entries(all).flatMap(([name, one]) =>
    variantTypes.filter((type) => one[type] !== undefined).map((type) => `${name}.${type}`),
  );

/** Only those of files that satisfy a condition. */
export function variantsWhere(all: AllVariants = {}, is: (name: string) => boolean): AllVariants | undefined {
  const left = Object.entries(all).filter(([name]) => is(name));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

// Libvips can read drawings, documents and more, each through a library of its own. Here it reads only the kinds of pictures that the
// site accepts, whatever a file pretends to be.
import { createRequire } from 'node:module';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';

type Library = typeof import('sharp');

const kinds = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'];
let library: Library | undefined;

/** Loaded for the first picture: it takes 20 MB of memory, which most commands and many sites never need. */
function load(): Library {
  const sharp: Library = createRequire(import.meta.url)('sharp');
  // Each file is read once, so a cache would only cost memory.
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}`) });
  return sharp;
}

export function sharp(input: SharpInput, options: SharpOptions): Sharp {
  library ??= load();
  return library(input, options);
}

// Packages with native code. Each is loaded for its first use: together they take 25 MB of memory, which most commands never need.
import { createRequire } from 'node:module';

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

type Sharp = typeof import('sharp').default;

export const loadArgon2 = once((): typeof import('@node-rs/argon2') =>
  createRequire(import.meta.url)('@node-rs/argon2'),
);

export const loadBcrypt = once((): typeof import('@node-rs/bcrypt') =>
  createRequire(import.meta.url)('@node-rs/bcrypt'),
);

/** Libvips can read drawings, documents and more, each through a library of its own. It reads only the kinds of pictures that are named. */
export const loadSharp = once((): Sharp => {
  const sharp: Sharp = createRequire(import.meta.url)('sharp');
  // Each file is read once, so a cache would only cost memory.
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((kind) => `VipsForeignLoad${kind}`) });
  return sharp;
});

// Libvips can read drawings, documents and more, each through a library of its own. Here it reads only the kinds of pictures that the
// site accepts, whatever a file pretends to be.
import sharp from 'sharp';

// Each file is read once, so a cache would only cost memory.
sharp.cache(false);

const kinds = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}`) });

export { sharp };

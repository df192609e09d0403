// Libvips as this site uses it. It could read drawings, documents and much else besides, each by a library of its own: here it reads
// the kinds of pictures that are taken, whatever a file pretends to be.
import sharp from 'sharp';

// Every file is seen once: what libvips would remember of it is memory for nothing.
sharp.cache(false);

const kinds = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: kinds.map((kind) => `VipsForeignLoad${kind}`) });

export { sharp };

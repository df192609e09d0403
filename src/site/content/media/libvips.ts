// Here libvips reads only the kinds of pictures that the site accepts, whatever a file pretends to be.
import type { Sharp, SharpInput, SharpOptions } from 'sharp';
import { loadSharp } from '#lib/native.ts';

export const sharp = (input: SharpInput, options: SharpOptions): Sharp => loadSharp()(input, options);

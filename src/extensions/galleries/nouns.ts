// What the routes, fields and jobs of galleries use.
import type { Background } from './background.ts';
import type { Galleries } from './galleries.ts';
import type { GalleryData } from './gallery-data.ts';
import type { GalleryRendering } from './rendering.ts';

export interface GalleryNouns {
  readonly galleries: Galleries;
  readonly data: GalleryData;
  readonly background: Background;
  readonly rendering: GalleryRendering;
}

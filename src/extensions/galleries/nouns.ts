// What the routes, fields and jobs of galleries use.
import type { Queue } from '#site/jobs/job.ts';
import type { Ai } from './ai/ai.ts';
import type { AiPictures } from './ai/pictures.ts';
import type { Background } from './background.ts';
import type { Conversions } from './convert/convert.ts';
import type { Galleries } from './galleries.ts';
import type { GalleryData } from './gallery-data.ts';
import type { GalleryRendering } from './rendering.ts';

export interface GalleryNouns {
  readonly galleries: Galleries;
  readonly data: GalleryData;
  readonly background: Background;
  readonly conversions: Conversions;
  readonly ai: Ai;
  readonly aiPictures: AiPictures;
  /** Deletes pictures that have expired. */
  readonly sweeps: Queue<null>;
  readonly rendering: GalleryRendering;
}

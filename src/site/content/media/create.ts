// The files of a site, put together.

import type { Jobs } from '../../jobs/jobs.ts';
import type { Events } from '../../platform/events.ts';
import type { LibraryNeeds } from './keeping.ts';
import { createMediaLibrary } from './library.ts';
import type { MediaLibrary } from './media.ts';
import { createPictures, type PicturesOptions } from './picture.ts';
import { createPlaces } from './places.ts';
import { sweepMedia } from './sweeping.ts';

interface MediaNeeds extends Omit<LibraryNeeds, 'places' | 'pictures'> {
  readonly jobs: Jobs;
  readonly events: Events;
  readonly pictures?: PicturesOptions;
}

export function createMedia({ jobs, pictures, ...needs }: MediaNeeds): MediaLibrary {
  const places = createPlaces(needs);
  sweepMedia({ places, jobs });
  return createMediaLibrary({ ...needs, places, pictures: createPictures(pictures) });
}

// A site that makes the copies of its photographs again, one after the other.

import { createThumbnails } from '../../src/extensions/regenerate-thumbnails/thumbnails.ts';
import { booted } from '../booted.ts';
import { given, offer } from '../child.ts';
import { pictures, type ThumbnailsOptions } from '../thumbnails.ts';
import { photograph } from './scene.ts';

const { app, credentials } = await booted(given<ThumbnailsOptions>());
const origin = (await app.listen()).replace('[::1]', '127.0.0.1');
const thumbnails = createThumbnails(app.services);
const headers = { ...credentials, 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename=a.jpg' };
const ids: number[] = [];

offer(
  {
    async prepare() {
      const body = await photograph();
      for (let picture = 0; picture < pictures; picture++) {
        const answer = await fetch(`${origin}/api/core/v2/media`, { method: 'POST', headers, body: body as never });
        const text = await answer.text();
        if (answer.status !== 201) throw new Error(text);
        ids.push(JSON.parse(text).id);
      }
    },
    port: () => Number(new URL(origin).port),
    async work() {
      const begun = performance.now();
      const author = { by: 0, again: async () => {} };
      const options = { onlyMissing: false, deleteUnregistered: false };
      for (const id of ids) await thumbnails.regenerate(String(id), options, author);
      return { done: ids.length, milliseconds: performance.now() - begun };
    },
  },
  () => app.close(),
);

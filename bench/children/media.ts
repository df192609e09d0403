// A site that is sent photographs over HTTP, one after the other.

import { booted } from '../booted.ts';
import { given, offer } from '../child.ts';
import type { PicturesAsked } from '../media.ts';
import { many, photograph } from './scene.ts';

const { app, credentials } = await booted(given<PicturesAsked>());
const origin = (await app.listen()).replace('[::1]', '127.0.0.1');
const body = await photograph();
const headers = { ...credentials, 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename=a.jpg' };

offer(
  {
    async work() {
      const begun = performance.now();
      for (let picture = 0; picture < many; picture++) {
        const answer = await fetch(`${origin}/api/core/v2/media`, { method: 'POST', headers, body: body as never });
        const text = await answer.text();
        if (answer.status !== 201) throw new Error(text);
      }
      return { done: many, milliseconds: performance.now() - begun };
    },
  },
  () => app.close(),
);

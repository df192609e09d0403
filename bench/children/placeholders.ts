// A site that is asked for a hundred placeholders over HTTP, in as many parts as it takes.
import { booted } from '../booted.ts';
import { given, offer } from '../child.ts';
import type { PlaceholdersAsked } from '../placeholders.ts';

const { app, credentials } = await booted(given<PlaceholdersAsked>());
const origin = (await app.listen()).replace('[::1]', '127.0.0.1');
const headers = { ...credentials, 'content-type': 'application/json' };
let rounds = 0;

offer(
  {
    async work() {
      const begun = performance.now();
      const order = { quantity: 100, width: 1_200, height: 800, file_types: ['jpg'], seed: rounds++ };
      let part = { offset: 0, total: 0, generated: 0, is_capped: true };
      let done = 0;
      while (part.is_capped) {
        const { offset, total } = part;
        const body = JSON.stringify({ ...order, offset, total });
        const answer = await fetch(`${origin}/api/datagen/v1/attachments/generate`, { method: 'POST', headers, body });
        const told = (await answer.json()) as { message: string; data: typeof part };
        if (answer.status !== 200) throw new Error(told.message);
        part = told.data;
        done += part.generated;
      }
      return { done, milliseconds: performance.now() - begun };
    },
  },
  () => app.close(),
);

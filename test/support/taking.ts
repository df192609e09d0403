// An extension that only tests switch on: a route that takes a file and tells what came.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Entry } from '#site/extension.ts';

export const taking: Entry<null> = ({ route, t, on, anyone, when, denied, Problem }) => ({
  name: 'taking',
  nouns: () => null,
  routes: {
    'taking/v1': [
      route({
        method: 'POST',
        path: 'files',
        summary: 'Tells what came',
        upload: true,
        access: when<{ readonly word?: string }>((caller, { word }) => {
          if (!caller.can('upload_files')) return denied('rest_cannot_create', 'You may not.');
          return word !== 'forbidden' || denied('rest_cannot_edit', 'Not with this word.');
        }),
        args: {
          word: t.optional(t.string()),
          number: t.optional(t.integer()),
          fails: t.optional(t.choice(['kindly', 'badly'])),
        },
        handle: ({ args: { word, number, fails }, upload }) => {
          if (fails === 'kindly') throw new Problem(400, 'refused', 'Refused.');
          if (fails === 'badly') throw new TypeError('a fault');
          const { name, size, path, inForm } = upload!;
          const sum = createHash('md5').update(readFileSync(path)).digest('hex');
          return { name, size, inForm, sum, word, number };
        },
      }),
      route({
        method: 'POST',
        path: 'shelves/(?P<shelf>\\d+)/files',
        summary: 'Takes a file for a shelf that is not there',
        upload: true,
        access: on(() => {
          throw new Problem(404, 'no_shelf', 'There is no such shelf.');
        }, anyone),
        handle: () => null,
      }),
      route({
        method: 'POST',
        path: 'pages',
        summary: 'Takes no file',
        access: 'public',
        args: { word: t.optional(t.string()) },
        handle: ({ args, upload }) => ({ word: args.word, upload }),
      }),
    ],
  },
});

// A line as the interface shows one, and what may be said in one: the form of the page is read by it too.
import type { Toolkit } from '#site/extension.ts';

export const lineResource = ({ resource, t }: Pick<Toolkit<unknown>, 'resource' | 't'>) =>
  resource({
    name: 'guest-book-line',
    fields: {
      id: t.fixed(t.integer()),
      said_at: t.fixed(t.string({ format: 'date-time' })),
      name: t.string({ minLength: 1, maxLength: 60, description: 'By which name it is signed.' }),
      words: t.string({ minLength: 1, maxLength: 280, description: 'What is said.' }),
    },
  });

import { type Ask, type Command, json, WrongUse } from '#cli/command.ts';
import { yes } from '#cli/consent.ts';
import { envOf } from '#config/settings.ts';
import { amounts } from './amounts.ts';

export const command: Command = {
  name: 'seed',
  about: `Creates test data: categories, tags, users, pictures, posts, pages and comments. Texts and pictures are random. The command sends
no email. Each run adds more. If the site has published content, the command asks for confirmation first.

--remove deletes all test data, or with --seed the test data of one run. It keeps and lists test data that is in use:
  - records that a user has changed since, and posts with real comments
  - users who have signed in or own real content
  - pictures that a real text shows
  - the front page, the logo and the icon of the site

Give the same flags and variables as to "gatehouse serve". The place of uploaded files is read from ${envOf('media')} only.`,
  // What --media is everywhere else is told by its variable here.
  settings: { allBut: ['media'] },
  options: {
    ...amounts,
    photos: {
      meaning: `Download photographs from ${envOf('datagenPhotoBase')} instead of drawing pictures`,
    },
    seed: { value: 'text', meaning: 'The same seed creates the same data again (default: random)' },
    remove: { meaning: 'Delete test data' },
    yes,
    json,
  },
  run: (ask) => {
    const { remove } = ask.options;
    if (remove === undefined) return untilStopped(ask, async (signal) => (await making()).make(ask, signal));
    const odd = [...Object.keys(amounts), 'photos'].find((name) => ask.options[name] !== undefined);
    if (odd !== undefined) throw new WrongUse(`--remove cannot be combined with --${odd}.`);
    return untilStopped(ask, async (signal) => (await removing()).takeAway(ask, signal));
  },
};

// Loaded when somebody listens for Ctrl-C already: it takes a moment.
const making = () => import('./make.ts');
const removing = () => import('./remove.ts');

/** Ctrl-C ends the work after the part that it is at. The second one ends the process. */
async function untilStopped<T>({ note, io }: Ask, work: (signal: AbortSignal) => Promise<T>) {
  const { signal, stderr } = io;
  const stop = (): void => note(`${stderr.isTTY ? '\r\x1b[K' : ''}Stopping after this step …`);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work(signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

import { type Ask, type Command, json, WrongUse } from '#cli/command.ts';
import { yes } from '#cli/consent.ts';
import { envOf } from '#config/settings.ts';
import { amounts } from './amounts.ts';

export const command: Command = {
  name: 'seed',
  about: `Fills the site with test data, to see what it looks like and to try things with: categories, tags, users, pictures, posts, pages
and comments. Texts and pictures are drawn here and mean nothing; no letter goes to the people who are made. Another run adds more. Where
people have published something it asks first. Everything that is made is marked, so that --remove finds it again: it takes away all test
data, or with --seed what that seed made. What people made stays: so do test users by whom something real is or as whom somebody has
signed in, test posts that somebody has commented on, test pictures that a text of people shows, whatever somebody has changed since, and
what is the front page, the logo or the icon by now; each is named. A test comment that was only approved or thrown away goes; a real
post that had a test category goes on without. Say the same settings as where the site is served (its address is in what is made); only
where files are kept is told by ${envOf('media')} here.`,
  // What --media is everywhere else is told by its variable here.
  settings: { allBut: ['media'] },
  options: {
    ...amounts,
    photos: {
      meaning: `Fetch photographs for the pictures, from ${envOf('datagenPhotoBase')}; nothing else asks other sites`,
    },
    seed: { value: 'text', meaning: 'The same seed makes the same again (default: drawn)' },
    remove: { meaning: 'Take test data away' },
    yes,
    json,
  },
  run: (ask) => {
    const { remove } = ask.options;
    if (remove === undefined) return untilStopped(ask, async (signal) => (await making()).make(ask, signal));
    const odd = [...Object.keys(amounts), 'photos'].find((name) => ask.options[name] !== undefined);
    if (odd !== undefined)
      throw new WrongUse(`--remove takes all that there is, or what --seed made; it takes no --${odd}.`);
    return untilStopped(ask, async (signal) => (await removing()).takeAway(ask, signal));
  },
};

// Loaded when somebody listens for Ctrl-C already: it takes a moment.
const making = () => import('./make.ts');
const removing = () => import('./remove.ts');

/** Ctrl-C ends the work after the part that it is at. The second one ends the process. */
async function untilStopped<T>({ note, io }: Ask, work: (signal: AbortSignal) => Promise<T>) {
  const { signal, stderr } = io;
  const stop = (): void => note(`${stderr.isTTY ? '\r\x1b[K' : ''}Stopping when this part is done …`);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work(signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

import { type Ask, Failed } from '#cli/command.ts';
import { consentOf } from '#cli/consent.ts';
import { bar } from '#cli/progress.ts';
import { number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { type Counts, createRemoval, type Kept, type Removed } from '../removal.ts';
import { seedOf } from './amounts.ts';

export async function takeAway(ask: Ask, signal: AbortSignal): Promise<number> {
  const run = seedOf(ask);
  const consent = consentOf(ask);
  // The extension may be switched off: whoever is done with it need not switch it on again.
  return ask.inSite(async (services) => {
    const removal = createRemoval(services);
    const there = await removal.count(run);
    if (run !== undefined && sumOf(there) === 0)
      throw new Failed(`The site has no test data with the seed ${printable(JSON.stringify(run))}.`);
    if (sumOf(there) > 0) await consent(`Delete ${listed(there)} permanently?`);
    let line = 'Counting test data';
    const tell = ({ done, total }: { readonly done: number; readonly total: number }): void => {
      line = `Deleting ${bar(done / total)}`;
    };
    const removed = await ask.progress
      .during(() => line, removal.remove({ run, signal, tell }))
      .catch((error) => {
        throw error.name === 'AbortError' ? new Failed('Stopped. Run the same command to continue.') : error;
      });
    if (ask.options.json !== undefined) ask.out(printableJson(removed));
    else say(ask, removed);
  });
}

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, many) => sum + many, 0);

/** One, and many. */
const called: Readonly<Record<keyof Counts, readonly [string, string]>> = {
  posts: ['post, page or picture', 'posts, pages and pictures'],
  comments: ['comment', 'comments'],
  terms: ['category or tag', 'categories and tags'],
  users: ['user', 'users'],
};

/** `55 posts, pages and pictures; 100 comments; 1 user` */
const listed = (counts: Counts): string =>
  Object.entries(called)
    .map(([kind, [one, many]]) => [counts[kind as keyof Counts], one, many] as const)
    .filter(([some]) => some > 0)
    .map(([some, one, many]) => `${number(some)} ${some === 1 ? one : many}`)
    .join('; ');

function say({ out, note }: Ask, { removed, stayed, kept }: Removed): void {
  out(sumOf(removed) === 0 ? 'Nothing was deleted.' : `Deleted: ${listed(removed)}.`);
  for (const one of kept) note(printable(`Kept: ${calledIn(one)}. ${one.message}`));
  if (stayed > kept.length) note(`… and ${number(stayed - kept.length)} more.`);
}

/** `page 71, "About us"` */
const calledIn = ({ what, id, title }: Kept): string => `${what} ${id}${title === '' ? '' : `, "${title}"`}`;

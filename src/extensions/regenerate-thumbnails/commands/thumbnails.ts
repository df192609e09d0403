import { type Ask, type Command, Failed, type Family, json, type Word, WrongUse } from '#cli/command.ts';
import { bar } from '#cli/progress.ts';
import { number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import type { BulkRuns, RunOptions, RunProgress, RunResult } from '../bulk-run.ts';
import { regenerateThumbnails } from '../extension.ts';

const ids: Word = { name: 'ID', meaning: 'Ids of media items; at least 1 without --all', optional: true, many: true };

const regenerate: Command = {
  name: 'thumbnails regenerate',
  about: `Makes the smaller copies of pictures again, in all registered sizes, and their placeholders. Original files do not change.
After a stop, the same command continues after the last picture. Pictures that cannot be regenerated are skipped and listed with the
reason. Give the same flags and variables as to "gatehouse serve".`,
  words: [ids],
  options: {
    all: { meaning: 'All pictures of the media library' },
    'only-missing': { meaning: 'Keep existing copies that have the right size' },
    'update-posts': { meaning: 'Update the posts that show the pictures, each once' },
    json,
  },
  run: async (ask) => {
    const options = optionsOf(ask);
    let code = 0;
    await ask.inSite(async (_services, _config, nounsOf) => {
      code = await run(ask, options, nounsOf(regenerateThumbnails).runs);
    });
    return code;
  },
};

export const command: Family = {
  name: 'thumbnails',
  about: 'Manages the smaller copies of pictures.',
  members: [{ name: 'regenerate', summary: 'Make the smaller copies of pictures again', command: regenerate }],
};

const maxIds = 10_000;

function optionsOf({ options, lists }: Ask): RunOptions {
  const given = lists[ids.name] ?? [];
  if (options.all === undefined && given.length === 0) throw new WrongUse('Give the IDs of media items, or --all.');
  if (options.all !== undefined && given.length > 0) throw new WrongUse('Give IDs or --all, not both.');
  if (given.length > maxIds) throw new WrongUse(`Give at most ${number(maxIds)} IDs, or --all.`);
  const wrong = given.find((id) => !/^[1-9]\d{0,14}$/.test(id));
  if (wrong !== undefined) throw new WrongUse(printable(`${JSON.stringify(wrong)} is not the ID of a media item.`));
  return {
    ids: given.map(Number),
    onlyMissing: options['only-missing'] !== undefined,
    updatePosts: options['update-posts'] !== undefined,
  };
}

async function run(ask: Ask, options: RunOptions, runs: BulkRuns): Promise<number> {
  const pace = createPace();
  const work = runs.run(options, {
    resumed: (done) => ask.note(`Continuing after ${number(done)} pictures, where the last run stopped.`),
    skipped: (one) => ask.note(printable(`Skipped ${one.id}: ${one.message} (${one.code})`)),
    progress: pace.report,
  });
  const result = await ask.progress.during(pace.line, work).catch((error: unknown) => {
    ask.note('Not finished. Run the same command to continue.');
    throw error;
  });
  if (ask.options.json === undefined) ask.out(summaryOf(result, options));
  else ask.out(printableJson(result));
  if (options.ids.length > 0 && result.skipped_count > 0) return 1;
  if (result.regenerated === 0 && result.skipped_count > 0) throw new Failed('No picture could be regenerated.');
  return 0;
}

function summaryOf({ regenerated, skipped_count, posts_changed }: RunResult, { updatePosts }: RunOptions): string {
  const parts = [`Regenerated: ${number(regenerated)}`, `skipped: ${number(skipped_count)}`];
  if (updatePosts) parts.push(`posts updated: ${number(posts_changed)}`);
  return `${parts.join(', ')}.`;
}

/** How fast it goes, and how long it will take: by what this run has done. */
function createPace() {
  const since = performance.now();
  let first: RunProgress | undefined;
  let last: RunProgress | undefined;
  return {
    report(progress: RunProgress): void {
      first ??= progress;
      last = progress;
    },
    line(): string {
      if (first === undefined || last === undefined) return 'Counting pictures';
      if (last.what === 'posts') return `Updating posts: ${number(last.done)} read`;
      const share = last.total === 0 ? 1 : Math.min(1, last.done / last.total);
      const seconds = (performance.now() - since) / 1_000;
      const rate = (last.done - first.done) / seconds;
      const shown = `Regenerating ${bar(share)}, ${number(last.done)} of ${number(last.total)}`;
      if (rate <= 0) return shown;
      return `${shown}, ${rate.toFixed(1)} a second, about ${duration((last.total - last.done) / rate)} left`;
    },
  };
}

function duration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

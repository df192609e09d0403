import { type Ask, type Command, Failed, type Family, json, type Word, WrongUse } from '#cli/command.ts';
import { bar } from '#cli/progress.ts';
import { number } from '#cli/table.ts';
import { Problem } from '#kernel/problem.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { minute } from '#lib/spans.ts';
import { imageErrors } from '../errors.ts';
import { imageOptimiser } from '../extension.ts';
import { siteAuthor } from '../images.ts';
import type { MeasuredOutcome } from '../optimiser.ts';
import type { Level } from '../preset-input.ts';
import { humanBytes, percentOf } from '../records.ts';
import type { ImageOptimiser } from '../routes.ts';

const ids: Word = { name: 'ID', meaning: 'Ids of media items (default: all images)', optional: true, many: true };
const maxIds = 10_000;
/** The site may be optimizing an image after its upload. A run that was killed has it for two minutes. */
const busyTime = 3 * minute;

interface RunOptions {
  readonly ids: readonly number[];
  readonly isDry: boolean;
  readonly force: boolean;
  readonly level: Level | undefined;
}

interface RunSums {
  images: number;
  optimized: number;
  skipped: number;
  failed: number;
  size_before: number;
  size_after: number;
}

const optimize: Command = {
  name: 'images optimize',
  about: `Makes the files of images smaller, with the live settings of the image optimizer. The command skips optimized images, so you can
stop a run and continue later. Originals are kept if the setting \`backup\` is on. Give the same flags and variables as to
"gatehouse serve".`,
  words: [ids],
  options: {
    'dry-run': { meaning: 'Change nothing, and show how much space would be saved' },
    level: { meaning: '0 lossless, 1 lossy, 2 strong', value: 'N' },
    force: { meaning: 'Optimize images again that are optimized already' },
    json,
  },
  run: async (ask) => {
    const options = optionsOf(ask);
    let code = 0;
    await ask.inSite(async (_services, _config, nounsOf) => {
      code = await optimizeAll(ask, options, nounsOf(imageOptimiser));
    });
    return code;
  },
};

const restore: Command = {
  name: 'images restore',
  about: 'Restores the uploaded originals of optimized images, and makes their smaller copies again.',
  words: [{ name: 'ID', meaning: 'Ids of media items', many: true }],
  run: async (ask) => {
    const wanted = idsOf(ask);
    let failed = 0;
    await ask.inSite(async (_services, _config, nounsOf) => {
      const { optimiser } = nounsOf(imageOptimiser);
      for (const id of wanted)
        await optimiser.restore(id, siteAuthor).catch((error) => {
          if (!(error instanceof Problem)) throw error;
          ask.note(printable(`Skipped ${id}: ${error.message} (${error.code})`));
          failed += 1;
        });
    });
    ask.out(`Restored: ${number(wanted.length - failed)}, skipped: ${number(failed)}.`);
    return failed > 0 ? 1 : 0;
  },
};

export const command: Family = {
  name: 'images',
  about: 'Optimizes the files of images.',
  members: [
    { name: 'optimize', summary: 'Make image files smaller', command: optimize },
    { name: 'restore', summary: 'Restore the originals of optimized images', command: restore },
  ],
};

function idsOf({ lists }: Ask): number[] {
  const given = lists[ids.name] ?? [];
  if (given.length > maxIds) throw new WrongUse(`Give at most ${number(maxIds)} IDs, or none for all images.`);
  const wrong = given.find((id) => !/^[1-9]\d{0,14}$/.test(id));
  if (wrong !== undefined) throw new WrongUse(printable(`${JSON.stringify(wrong)} is not the ID of a media item.`));
  return [...new Set(given.map(Number))];
}

function optionsOf(ask: Ask): RunOptions {
  const { level, force, 'dry-run': dry } = ask.options;
  if (level !== undefined && !/^[012]$/.test(level)) throw new WrongUse('--level must be 0, 1 or 2.');
  return {
    ids: idsOf(ask),
    isDry: dry !== undefined,
    force: force !== undefined,
    level: level === undefined ? undefined : (Number(level) as Level),
  };
}

async function optimizeAll(ask: Ask, options: RunOptions, use: ImageOptimiser): Promise<number> {
  const total = options.ids.length > 0 ? options.ids.length : await use.images.count();
  const sums: RunSums = { images: 0, optimized: 0, skipped: 0, failed: 0, size_before: 0, size_after: 0 };
  const line = (): string => {
    const share = total === 0 ? 1 : Math.min(1, sums.images / total);
    return `Optimizing ${bar(share)}, ${number(sums.images)} of ${number(total)}, ${savedOf(sums)}`;
  };
  await ask.progress.during(line, eachImage(ask, options, use, sums)).catch((error: unknown) => {
    ask.note('Not finished. Run the same command to continue.');
    throw error;
  });
  if (ask.options.json === undefined) ask.out(summaryOf(sums, options));
  else ask.out(printableJson({ ...sums, bytes: sums.size_before - sums.size_after, percent: percentOf(sums) }));
  if (options.ids.length > 0 && sums.failed > 0) return 1;
  if (sums.failed > 0 && sums.failed === sums.images) throw new Failed('No image could be optimized.');
  return 0;
}

const savedOf = (sums: RunSums): string =>
  `${humanBytes(sums.size_before - sums.size_after)} saved (${percentOf(sums)} %)`;

function summaryOf(sums: RunSums, { isDry }: RunOptions): string {
  const counts = `${isDry ? 'Would optimize' : 'Optimized'}: ${number(sums.optimized)}, skipped: ${number(sums.skipped)}, failed: ${number(sums.failed)}.`;
  return `${counts} ${isDry ? 'It would save' : 'Saved'} ${humanBytes(sums.size_before - sums.size_after)} of ${humanBytes(sums.size_before)} (${percentOf(sums)} %).`;
}

async function eachImage(ask: Ask, options: RunOptions, use: ImageOptimiser, sums: RunSums): Promise<void> {
  const how = { options: await use.images.options(options.level), force: options.force };
  const all = options.ids.length > 0 ? options.ids : use.images.following(0);
  const busy: number[] = [];
  const add = (id: number, outcome: MeasuredOutcome): void => {
    sums.images += 1;
    if (outcome.status === 'failed') ask.note(printable(`Skipped ${id}: ${outcome.error}`));
    sums[outcome.status] += 1;
    sums.size_before += outcome.size_before;
    sums.size_after += outcome.size_after;
  };
  for await (const id of all) {
    const outcome = options.isDry
      ? await use.optimiser.estimate(id, how)
      : await use.optimiser.optimiseOne(id, how, siteAuthor);
    if (outcome.error === imageErrors.inProgress.code) busy.push(id);
    else add(id, outcome);
  }
  for (const id of busy) add(id, await use.optimiser.optimiseOne(id, how, siteAuthor, busyTime));
}

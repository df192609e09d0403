// The memory that moving in takes: as much for a large file as for a small one.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { category, comment, head, item, oldSite } from '#test/wxr.ts';
import { start } from './child.ts';
import { spread } from './measure.ts';
import { type Figure, megabytes, number } from './report.ts';

export interface MovingAsked {
  readonly data: string;
}

/** In bytes, in the order of the file: what the process has, and at times what its program holds. */
export type Taken = readonly { readonly rss: number; readonly heap?: number }[];

export const movingEnvironment = { GATEHOUSE_SECRET: 'a secret that only this bench knows of', GATEHOUSE_LOG: 'error' };

const posts = 20_000;

/** In the second tenth of the file, when everything has been used once, and in the last. */
export async function memoryOfMoving(folder: string): Promise<Figure[]> {
  const path = join(folder, 'many.xml');
  await pipeline(Readable.from(pieces()), createWriteStream(path));
  const site = start('moving.ts', { data: join(folder, 'many') } satisfies MovingAsked);
  try {
    const taken = await site.call<Taken>('move', path);
    const resident = taken.map(({ rss }) => rss);
    const held = taken.flatMap(({ heap }) => heap ?? []);
    return [grown('held', tenths(held), 1.25), grown('resident', tenths(resident), 1.5)];
  } finally {
    await site.stop();
  }
}

type Tenths = readonly [early: number, late: number];

function tenths(all: readonly number[]): Tenths {
  const tenth = (nth: number): number =>
    spread(all.slice(Math.floor((all.length * nth) / 10), Math.ceil((all.length * (nth + 1)) / 10))).median;
  return [tenth(1), tenth(9)];
}

const grown = (what: string, [early, late]: Tenths, most: number): Figure => ({
  what: `memory ${what} in the last tenth of ${number(posts)} posts and files; reference: in the second`,
  ours: megabytes(late),
  reference: megabytes(early),
  ratio: number(late / early, 2),
  wanted: `≤ ${most}`,
  holds: late / early <= most,
});

function* pieces(): Generator<string> {
  yield head;
  for (let id = 1; id <= posts; id++) yield id % 6 === 0 ? fileOf(id) : postOf(id);
  yield '</channel></rss>';
}

const dated = (id: number): string => new Date(1.3e12 + id * 6e4).toISOString();

const postOf = (id: number): string =>
  item(
    {
      title: `Post ${id}`,
      guid: `${oldSite}/?p=${id}`,
      'wp:post_id': id,
      'wp:post_name': `post-${id}`,
      'wp:post_date': dated(id),
      'content:encoded': `<p>${'A river, and a boat on it. '.repeat(20)}<a href="${oldSite}/post-${id - 1}">${id}</a></p>`,
    },
    category('post_tag', `tag-${id % 500}`, `Tag ${id % 500}`),
    comment(2 * id),
    comment(2 * id + 1, { parent: 2 * id }),
  );

/** One that is found nowhere. */
const fileOf = (id: number): string =>
  item({
    title: `File ${id}`,
    'wp:post_id': id,
    'wp:post_type': 'attachment',
    'wp:post_date': dated(id),
    'wp:attachment_url': `${oldSite}/uploads/${id}.png`,
  });

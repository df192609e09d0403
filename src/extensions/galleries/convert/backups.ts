// What stood in a post before its galleries were converted, kept beside it.
import { randomInt } from 'node:crypto';
import { momentAt } from '#lib/wall-time.ts';
import { keepFirstMeta, metaOf } from '#site/content/meta.ts';
import type { Writing } from '#site/content/tables.ts';
import type { ConvertDeps } from './rights.ts';

/** One conversion of a post, as its backup keeps it. */
export interface Place {
  readonly gallery: number;
  /** The block or shortcode as it was written. */
  readonly source: string;
}

export const backupPrefix = 'gallery_block_bkp_';

/** Keeps what was there before, in the write that replaces it. */
export async function keepBackup({ content, clock }: ConvertDeps) {
  const day = momentAt(await content.zone(), clock())
    .wall.replaceAll(/[-:]/g, '')
    .replace('T', '_');
  return async (tx: Writing, post: number, places: readonly Place[]): Promise<void> => {
    const taken = (await metaOf(tx, [post])).get(post)!;
    const first = randomInt(1_000, 10_000);
    let digits = first;
    while (Object.hasOwn(taken, `${backupPrefix}${digits}_${day}`)) digits = digits === 9_999 ? 1_000 : digits + 1;
    await keepFirstMeta(tx, post, { [`${backupPrefix}${digits}_${day}`]: places });
  };
}

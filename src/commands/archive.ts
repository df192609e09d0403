// What the commands about archives have in common.

import type { Word } from '#cli/command.ts';
import { number } from '#cli/table.ts';
import { printable } from '#lib/printable.ts';
import type { End, Manifest } from '#site/transfer/backup/format.ts';

export const file: Word = { name: 'FILE', meaning: 'The archive' };

const counted = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;

export function size(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  const [unit, each] = bytes < 1e6 ? ['kB', 1e3] : bytes < 1e9 ? ['MB', 1e6] : ['GB', 1e9];
  return `${(bytes / each).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

/** `1,204 rows and 35 files (12.5 MB)`. */
export function amount({ media }: Manifest, { rows, files, bytes }: End): string {
  const all = counted(
    rows.reduce((sum, count) => sum + count, 0),
    'row',
  );
  return media ? `${all} and ${counted(files, 'file')} (${size(bytes)})` : `${all} and no uploaded files`;
}

export const origin = ({ created_at, version }: Manifest): string =>
  printable(`of ${created_at.slice(0, 19).replace('T', ' ')} UTC, written by Gatehouse ${version}`);

/** A line that tells how far it is. */
export function meter(): { at(doing: string, rows: number, bytes: number): void; line(): string } {
  let now = { doing: 'Reading', rows: 0, bytes: 0 };
  return {
    at: (doing, rows, bytes) => {
      now = { doing, rows, bytes };
    },
    line: () => {
      if (now.bytes > 0) return `${now.doing}: ${size(now.bytes)} of files`;
      return now.rows > 0 ? `${now.doing}: ${counted(now.rows, 'row')}` : now.doing;
    },
  };
}

// How far something is, told again and again: on a terminal in one line that changes, elsewhere in a line now and then.
import { setTimeout as after } from 'node:timers/promises';
import { printable } from '#lib/printable.ts';
import type { Ask } from '../command.ts';

const looks = 200;
const plainEvery = 10_000;

/** Until there is nothing more to say. */
export async function following(look: () => Promise<string | undefined>, { note }: Pick<Ask, 'note'>): Promise<void> {
  const { isTTY } = process.stderr;
  let said = { line: '', at: performance.now() };
  try {
    for (;;) {
      const line = await look();
      if (line === undefined) return;
      const isDue = line !== said.line && (isTTY || performance.now() - said.at >= plainEvery);
      if (isDue) {
        said = { line, at: performance.now() };
        if (isTTY) process.stderr.write(`\r\x1b[K${fitting(printable(line))}`);
        else note(printable(line));
      }
      await after(looks);
    }
  } finally {
    if (isTTY && said.line !== '') process.stderr.write('\r\x1b[K');
  }
}

/** A line that breaks could not be written over. */
const fitting = (line: string): string => line.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1));

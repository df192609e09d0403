// How many files the system lets this process have open; each connection is one.
import { readFileSync } from 'node:fs';

/** Where the system does not say it (only Linux does), there is no bound to reckon with. */
export function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

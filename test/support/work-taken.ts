// For tests of what takes long.

export const most = 50;

/**
 * The least processor time of a few times, in milliseconds: what else the machine does must not count. Others that share a core make
 * the same work take up to four times as much, so that it is tried again until it takes no more than `most`.
 */
export function took(work: () => unknown, tries = 20): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < tries && least > most; time++) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** As one who looks for the slowest would write it: always the same. */
export function randomText(length: number, signs: string): string {
  let state = 1;
  const pieces: string[] = [];
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pieces.push(signs[(state >>> 0) % signs.length]!);
  }
  return pieces.join('');
}

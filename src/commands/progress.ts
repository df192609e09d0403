/** Whatever takes longer than a second says so, and for how long already. */
export async function showing<T>(doing: string | (() => string), work: Promise<T>): Promise<T> {
  const now = typeof doing === 'string' ? () => doing : doing;
  const since = performance.now();
  const { isTTY } = process.stderr;
  let shown = 0;
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - since) / 1000);
    if (!isTTY && shown > 0 && seconds - shown < 10) return;
    shown = seconds;
    process.stderr.write(isTTY ? `\r\x1b[K${now()} … ${seconds} s` : `${now()} … ${seconds} s\n`);
  }, 1000);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (isTTY && shown > 0) process.stderr.write('\r\x1b[K');
  }
}

const steps = 24;

/** How much of something is done, of 1: `[######..................] 25 %`. */
export function bar(done: number): string {
  const full = Math.floor(done * steps);
  return `[${'#'.repeat(full)}${'.'.repeat(steps - full)}] ${Math.floor(done * 100)} %`;
}

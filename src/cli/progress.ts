// Work that takes longer than a second says so, and for how long already.

export interface ProgressReporter {
  /** Reports until the work is done. */
  during<T>(doing: string | (() => string), work: Promise<T>): Promise<T>;
  /**
   * The same for work that may keep its thread busy for long: on SQLite a large database is saved by one statement. `stepOf` is the
   * same as long as the step is.
   */
  ofBusyWork(stepOf: (doing: string) => string): BusyProgress;
}

export interface BusyProgress {
  /** Called with what is done just now, as often as it changes. */
  at(doing: string): void;
  /** Reports until the work is done. */
  during<T>(work: Promise<T>): Promise<T>;
}

export const silentProgress: ProgressReporter = {
  during: (_doing, work) => work,
  ofBusyWork: () => ({ at: () => {}, during: (work) => work }),
};

interface Teller {
  /** Called every second. */
  tell(doing: string): void;
  clear(): void;
}

/** On a terminal one line is written over and over; elsewhere there is a line every ten seconds. */
export function createTeller(write: (text: string) => void, isTTY: boolean): Teller {
  const since = performance.now();
  let shown = 0;
  return {
    tell(doing) {
      const seconds = Math.round((performance.now() - since) / 1000);
      if (!isTTY && shown > 0 && seconds - shown < 10) return;
      shown = seconds;
      write(isTTY ? `\r\x1b[K${doing} … ${seconds} s` : `${doing} … ${seconds} s\n`);
    },
    clear() {
      if (isTTY && shown > 0) write('\r\x1b[K');
    },
  };
}

const steps = 24;

/** How much of something is done, of 1: `[######..................] 25 %`. */
export function bar(done: number): string {
  const full = Math.floor(done * steps);
  return `[${'#'.repeat(full)}${'.'.repeat(steps - full)}] ${Math.floor(done * 100)} %`;
}

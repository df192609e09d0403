import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

const GIVING_WAY = 10; // ms, several times as long as a waiting process needs to notice

/**
 * Turns among processes that write the same file. SQLite serves whoever comes first, so one that writes without a pause would shut
 * the others out: who waits leaves a mark beside the file, who is about to write again sees it and lets the others go first.
 */
export class Turns {
  readonly #mark: string;

  constructor(database: string) {
    this.#mark = `${database}-waiting`;
  }

  ask(): void {
    try {
      writeFileSync(this.#mark, '', { mode: 0o600 });
    } catch {
      // no room for a mark: it waits without
    }
  }

  // The mark goes first: if whoever left it is gone, it costs one pause.
  async giveWay(): Promise<void> {
    if (!existsSync(this.#mark)) return;
    rmSync(this.#mark, { force: true });
    await after(GIVING_WAY);
  }
}

// Answers that somebody asked for since they were made are made again right after what they tell has changed: the next who asks
// finds one ready. So no more is made ahead than was asked for, however much is written.
import { setTimeout as pause } from 'node:timers/promises';

/** After one change; the others are made when somebody asks. */
const mostAtOnce = 8;

/** In milliseconds: whoever wrote has their answer first. */
const moment = 1;

/** Has the answers of these addresses made, the last of them first. */
export type MakeReady = (urls: readonly string[]) => void;

export interface Ahead {
  readonly ready: MakeReady;
  /** Once all that is to be made is made. */
  settled(): Promise<void>;
  /** Begins nothing any more, and waits for what is under way. */
  stop(): Promise<void>;
}

export function createAhead(make: (url: string) => Promise<void>): Ahead {
  let waiting: string[] = [];
  let isStopping = false;
  let underWay: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    await pause(moment);
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) await make(url);
    underWay = undefined;
  };
  return {
    ready(urls) {
      if (isStopping || urls.length === 0) return;
      waiting = [...new Set([...waiting, ...urls])].slice(-mostAtOnce);
      underWay ??= work();
    },
    async settled() {
      await underWay;
    },
    async stop() {
      isStopping = true;
      waiting = [];
      await underWay;
    },
  };
}

// One turn after another at the queue: each writes down what ended and takes what is due, in one write.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../clock.ts';
import { type Claimed, claimIn, firstDue, type Room } from './claiming.ts';
import type { Lanes } from './lanes.ts';
import { isAway } from './reasons.ts';
import { type Ending, endIn, tallyOf } from './recording.ts';
import type { Running } from './running.ts';
import { type JobTables, queuedTopic } from './tables.ts';

export interface Needs {
  readonly store: Store<JobTables>;
  readonly clock: Clock;
  readonly log: Log;
  readonly lanes: Lanes;
  readonly running: Running;
  readonly lease: number;
  /** It was written down how these ended. */
  onEnded(endings: readonly Ending[]): void;
}

export interface Turns {
  /** Answers how many were begun. One at a time, however many ask. With an id, only this job is begun. */
  turn(id?: string): Promise<number>;
  /** When the next job is due that was not when the last turn looked. */
  readonly next: Date | undefined;
  /** Whether it is written down how everything ended that has ended. */
  readonly isWritten: boolean;
  /** No job is begun any more. */
  close(): void;
}

export function createTurns(needs: Needs): Turns {
  const { store, clock, lanes, running } = needs;
  let before: Promise<unknown> = Promise.resolve();
  let unwritten: Ending[] = [];
  let next: Date | undefined;
  let isClosed = false;

  const roomsNow = async () => {
    if (isClosed) return [];
    const now = clock();
    const first = await firstDue(store, lanes.kinds);
    next = [...first.values()].filter((at) => at > now).sort((one, other) => one.getTime() - other.getTime())[0];
    return lanes.rooms(running.claims, (kind) => (first.get(kind) ?? later) <= now);
  };
  const turn = async (id?: string): Promise<number> => {
    await nextTurn(); // what ends together is written together
    unwritten.push(...running.ended());
    const rooms = await roomsNow();
    if (unwritten.length === 0 && rooms.length === 0) return 0;
    const endings = unwritten;
    unwritten = [];
    try {
      const claimed = await written(endings, rooms, id, needs);
      needs.onEnded(endings);
      for (const claim of claimed) begin(claim, needs);
      return claimed.length;
    } catch (error) {
      unwritten = endings;
      throw error;
    }
  };
  return {
    turn(id) {
      const mine = before.then(() => turn(id));
      before = mine.catch(() => {});
      return mine;
    },
    get next() {
      return next;
    },
    get isWritten() {
      return unwritten.length === 0 && running.isCollected;
    },
    close() {
      isClosed = true;
    },
  };
}

const later = new Date(8.64e15);

function begin(claim: Claimed, { lanes, running }: Needs): void {
  const kind = lanes.get(claim.kind);
  if (kind) running.begin(claim, kind);
}

async function written(endings: readonly Ending[], rooms: readonly Room[], id: string | undefined, needs: Needs) {
  try {
    return await writtenTogether(endings, rooms, id, needs);
  } catch (error) {
    if (isAway(error) || endings.length === 0) throw error;
    // One of them cannot be written, and must not keep the others from it.
    for (const ending of endings) await writtenAlone(ending, needs);
    return writtenTogether([], rooms, id, needs);
  }
}

const writtenTogether = (
  endings: readonly Ending[],
  rooms: readonly Room[],
  id: string | undefined,
  { store, clock, lease }: Needs,
): Promise<Claimed[]> =>
  store.write(async (tx, during) => {
    const now = clock();
    await endIn(tx, endings, now);
    if (endings.some(({ claim }) => claim.alone !== null)) during.changed(queuedTopic);
    const until = new Date(now.getTime() + lease);
    return rooms.length === 0 ? [] : claimIn(tx, during, rooms, { engine: store.engine, now, until, id });
  });

/** What could not be written of it is left out, so that the job ends at all. */
async function writtenAlone(ending: Ending, needs: Needs): Promise<void> {
  try {
    await writtenTogether([ending], [], undefined, needs);
  } catch (error) {
    if (isAway(error)) throw error;
    const { claim } = ending;
    needs.log.error({ err: error, job: claim.id, kind: claim.kind }, 'How a job ended could not be written down.');
    const reason = { code: 'failed', message: 'How it ended could not be written down.' };
    await writtenTogether([{ claim, tally: tallyOf(claim), status: 'failed', reason }], [], undefined, needs);
  }
}

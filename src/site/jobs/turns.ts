// One turn after another at the queue: each writes down what ended and takes what is due, in one write.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#store/engine.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../platform/clock.ts';
import { type Firsts, firstDue, isDue, momentsOf, type Room } from './choosing.ts';
import { type Claimed, claimIn } from './claiming.ts';
import type { Lanes } from './lanes.ts';
import { isAway } from './reasons.ts';
import { type Ending, endIn, tallyOf } from './recording.ts';
import type { Running } from './running.ts';
import { type JobTables, queuedTopic } from './tables.ts';

interface Needs {
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
  /** Writes down what ended, and begins nothing. */
  write(): Promise<void>;
  /** What ended here, and of which this is not written down yet. */
  readonly unwritten: readonly Claimed[];
  /** When the next job is due that was not when the last turn looked. */
  readonly next: Date | undefined;
  /** Whether it is written down how everything ended that has ended. */
  readonly isWritten: boolean;
  /** No job is begun any more, once this resolves. */
  close(): Promise<void>;
}

export function createTurns(needs: Needs): Turns {
  const { store, clock, lanes, running } = needs;
  let before: Promise<unknown> = Promise.resolve();
  const unwritten: Ending[] = [];
  let next: Date | undefined;
  let isClosed = false;

  const look = async (): Promise<Search> => {
    if (isClosed) return nothing;
    const now = clock();
    const first = await firstDue(store, lanes.kinds);
    next = momentsOf(first)
      .filter((at) => at > now)
      .sort((one, other) => one.getTime() - other.getTime())[0];
    const isWanted = (kind: string): boolean => isDue(first.get(kind)?.free, now) || isDue(first.get(kind)?.alone, now);
    return { first, rooms: lanes.rooms(running.claims, isWanted) };
  };
  const turn = async (search: () => Search | Promise<Search>): Promise<number> => {
    await nextTurn(); // what ends together is written together
    unwritten.push(...running.ended());
    const sought = await search();
    if (unwritten.length === 0 && sought.rooms.length === 0) return 0;
    const endings = [...unwritten];
    const { claimed, counted } = await written(endings, sought, needs);
    unwritten.splice(0, endings.length);
    needs.onEnded(counted);
    for (const claim of claimed) begin(claim, needs);
    return claimed.length;
  };
  const afterOthers = <R>(work: () => Promise<R>): Promise<R> => {
    const mine = before.then(work);
    before = mine.catch(() => {});
    return mine;
  };
  return {
    turn: (id) => afterOthers(() => turn(async () => ({ ...(await look()), id }))),
    write: async () => void (await afterOthers(() => turn(() => nothing))),
    get unwritten() {
      return [...unwritten.map(({ claim }) => claim), ...running.uncollected];
    },
    get next() {
      return next;
    },
    get isWritten() {
      return unwritten.length === 0 && running.uncollected.length === 0;
    },
    async close() {
      isClosed = true;
      await before;
    },
  };
}

/** What is looked for. */
interface Search {
  readonly first: Firsts;
  readonly rooms: readonly Room[];
  readonly id?: string | undefined;
}

const nothing: Search = { first: new Map(), rooms: [] };

interface Written {
  readonly claimed: readonly Claimed[];
  /** The endings that were still ours to write. */
  readonly counted: readonly Ending[];
}

function begin(claim: Claimed, { lanes, running }: Needs): void {
  const kind = lanes.get(claim.kind);
  if (kind) running.begin(claim, kind);
}

async function written(endings: readonly Ending[], search: Search, needs: Needs): Promise<Written> {
  try {
    return await writtenTogether(endings, search, needs);
  } catch (error) {
    if (isAway(error) || endings.length === 0) throw error;
    // One of them cannot be written, and must not keep the others from it.
    const counted: Ending[] = [];
    for (const ending of endings) counted.push(...(await writtenAlone(ending, needs)));
    return { ...(await writtenTogether([], search, needs)), counted };
  }
}

const writtenTogether = (
  endings: readonly Ending[],
  { first, rooms, id }: Search,
  { store, clock, lease }: Needs,
): Promise<Written> =>
  store.write(async (tx, during) => {
    const now = clock();
    const counted = await endIn(tx, endings, now);
    if (endings.some(({ claim }) => claim.alone !== null)) during.changed(queuedTopic);
    if (rooms.length === 0) return { claimed: [], counted };
    const until = new Date(now.getTime() + lease);
    return { claimed: await claimIn(tx, during, rooms, { engine: store.engine, now, until, first, id }), counted };
  });

/** What could not be written of it is left out, so that the job ends at all. */
async function writtenAlone(ending: Ending, needs: Needs): Promise<readonly Ending[]> {
  try {
    return (await writtenTogether([ending], nothing, needs)).counted;
  } catch (error) {
    if (isAway(error)) throw error;
    const { claim } = ending;
    needs.log.error({ err: error, job: claim.id, kind: claim.kind }, 'The end of a job could not be stored.');
    const reason = { code: 'failed', message: 'The end of the job could not be stored.' };
    return (await writtenTogether([{ claim, tally: tallyOf(claim), status: 'failed', reason }], nothing, needs))
      .counted;
  }
}

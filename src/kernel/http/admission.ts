// Which requests are worked on, and which wait or are refused while the process has too much to do. Signed-in users go first; requests
// that may come from them, such as a sign-in, share the rest with visitors. At most one request is begun in a turn of the event loop, so
// that answers for which nothing has to be made (kept ones, `/healthz`) are never held up by more than the work of one turn.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf } from './connections.ts';
import { Lane, type Rank, type Waiting, WorkSlot } from './lane.ts';
import type { Limits } from './limits.ts';
import { answerReady } from './sending.ts';

/** A turn of the event loop that took longer than this had enough to do, in milliseconds. */
const longTurn = 20;
/** After a turn that was shorter than this, in milliseconds, so many requests of signed-in users are begun in the next. */
const shortTurn = 2;
const mostInTurn = 8;

/**
 * The system hands over one new connection in a turn, so a turn that brought one is followed by others, and work that is not urgent
 * waits until a turn brings none: at most for so long, in milliseconds.
 */
const forConnections = 500;

/** A client that waited no longer than this is taken to be there still, in milliseconds: to ask the system costs a call of it. */
const surelyThere = 50;

export interface Candidate {
  readonly rank: Rank;
  /** Requests with the same value take turns as one client. */
  readonly client: string;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  begin(): void;
  refuse(): void;
}

export interface AdmissionFigures {
  readonly inWork: number;
  readonly waiting: number;
  /** Requests that were never begun: there was too much to do, or their client left. */
  readonly refused: number;
  readonly left: number;
  readonly unreadBytes: number;
}

const slotKey = Symbol('slot');

/** Not by a `WeakMap`: all it holds would stay in memory until the next full garbage collection. */
interface Admitted extends IncomingMessage {
  [slotKey]?: WorkSlot;
}

export class Admission {
  readonly #lanes: Readonly<Record<Rank, Lane>>;
  /** In the order in which they are looked at. The last two change places each time. */
  #order: Lane[];
  readonly #unread = new UnreadAnswers();
  #turn: number | undefined;
  #isArmed = false;
  #hasNewConnections = false;
  #begun = 0;
  #refused = 0;
  #left = 0;

  constructor({ visitorPatience }: Pick<Limits, 'visitorPatience'>) {
    const lane = (rank: Rank) => new Lane(rank, visitorPatience);
    this.#lanes = { known: lane('known'), entering: lane('entering'), visitor: lane('visitor') };
    this.#order = Object.values(this.#lanes);
  }

  connected(): void {
    this.#hasNewConnections = true;
  }

  enter(candidate: Candidate): void {
    const { rank } = candidate;
    const lane = this.#lanes[rank];
    if (this.#unread.isFull(rank === 'known')) this.#refuse(candidate);
    else if (lane.isEmpty && lane.hasSlot(true) && !this.#isLongTurn()) this.#begin(candidate, lane);
    else this.#queue(candidate, lane);
  }

  /** Reads what is still to arrive of a request: meanwhile another one has its slot. */
  apart<T>(message: IncomingMessage, read: () => Promise<T>): Promise<T> {
    return message.complete ? read() : this.outside(message, read);
  }

  /** Waits for something that this process does not work on: meanwhile another request has the slot. */
  async outside<T>(message: IncomingMessage, wait: () => Promise<T>): Promise<T> {
    const slot = (message as Admitted)[slotKey];
    if (slot === undefined) return wait();
    slot.leave();
    try {
      return await wait();
    } finally {
      await slot.back();
    }
  }

  figures(): AdmissionFigures {
    const sum = (of: (lane: Lane) => number): number => this.#order.reduce((all, lane) => all + of(lane), 0);
    return {
      inWork: sum(({ inWork }) => inWork),
      waiting: sum(({ waiting, returning }) => waiting.size + returning.size),
      refused: this.#refused,
      left: this.#left,
      unreadBytes: this.#unread.bytes,
    };
  }

  #queue(candidate: Candidate, lane: Lane): void {
    const { client, response } = candidate;
    const since = performance.now();
    const once = (then: () => void) => () => {
      clearTimeout(patience);
      response.off('close', leave);
      lane.waiting.remove(waiting);
      then();
    };
    const waiting: Waiting = {
      client,
      // Not as part of the request that made room for it.
      begin: AsyncLocalStorage.bind(once(() => this.#beginUnlessLeft(candidate, lane, since))),
      refuse: once(() => this.#refuse(candidate)),
    };
    const leave = once(() => {
      this.#left += 1;
    });
    const patience = setTimeout(waiting.refuse, lane.bounds.patience);
    response.once('close', leave);
    lane.waiting.add(waiting);
    if (lane.waiting.size > lane.bounds.waiting) lane.waiting.takeFromLongest()?.refuse();
    this.#arm();
  }

  #refuse(candidate: Candidate): void {
    this.#refused += 1;
    candidate.refuse();
  }

  /** A connection that is not read because much waits on it does not tell that it was cut. */
  #beginUnlessLeft(candidate: Candidate, lane: Lane, since: number): void {
    const { socket } = candidate.message;
    if (performance.now() - since < surelyThere || addressOf(socket) !== undefined) {
      this.#begin(candidate, lane);
      return;
    }
    this.#left += 1;
    socket.destroy();
  }

  #begin({ message, response, begin }: Candidate, lane: Lane): void {
    const slot = new WorkSlot(lane, response, () => this.#arm());
    (message as Admitted)[slotKey] = slot;
    this.#begun = performance.now();
    const made = (): void => {
      slot.leave();
      this.#unread.add(message.socket, response);
    };
    // The answer is there, or begins to flow. Its reader may take all the time.
    for (const event of ['prefinish', 'pipe', answerReady]) response.once(event, made);
    response.once('close', () => slot.leave());
    begin();
  }

  #isLongTurn(): boolean {
    if (this.#turn !== undefined) return performance.now() - this.#turn > longTurn;
    this.#turn = performance.now();
    setImmediate(() => {
      if (!this.#isArmed) this.#turn = undefined;
    });
    return false;
  }

  /** Begins what waits, in the turns to come. */
  #arm(): void {
    if (this.#isArmed || !this.#order.some((lane) => !lane.isEmpty && lane.hasSlot(false))) return;
    this.#isArmed = true;
    this.#turn ??= performance.now();
    setImmediate(this.#tick);
  }

  readonly #tick = (): void => {
    const now = performance.now();
    const took = now - (this.#turn ?? now);
    this.#turn = now;
    const hasTime = !this.#hasNewConnections || now - this.#begun > forConnections;
    this.#hasNewConnections = false;
    const isBusy = took > longTurn;
    const [first, second, third] = this.#order as [Lane, Lane, Lane];
    const begun = (hasTime ? this.#order : [first]).find((lane) => lane.begin(isBusy));
    if (begun === second) this.#order = [first, third, second];
    if (took < shortTurn) for (let more = 1; more < mostInTurn && first.begin(isBusy); more++);
    this.#isArmed = false;
    this.#arm();
    if (!this.#isArmed) this.#turn = undefined;
  };
}

/** In bytes, of all answers together. Signed-in users are answered up to twice as many. */
const maxUnreadBytes = 32 * 1024 * 1024;
/** How long an unread answer is kept while there are too many, in milliseconds. */
const unreadPatience = 5_000;

interface Unread {
  readonly bytes: number;
  readonly since: number;
}

/** Answers that no client has read yet. They are counted because their bytes stay in memory until the client takes them. */
class UnreadAnswers {
  readonly #answers = new Map<ServerResponse, Unread>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts what is left of an answer until it is delivered. */
  add(socket: Socket, response: ServerResponse): void {
    const bytes = socket.writableLength;
    if (bytes === 0 || this.#answers.has(response)) return;
    this.#answers.set(response, { bytes, since: performance.now() });
    this.#bytes += bytes;
    response.once('close', () => this.#remove(response, bytes));
  }

  /** Whether another answer would be too much. The answers that lie longest are given up then. */
  isFull(isForKnown: boolean): boolean {
    if (this.#bytes <= maxUnreadBytes) return false;
    for (const [response, { since, bytes }] of this.#answers) {
      if (performance.now() - since < unreadPatience || this.#bytes <= maxUnreadBytes) break;
      this.#remove(response, bytes);
      response.destroy();
    }
    return this.#bytes > (isForKnown ? 2 * maxUnreadBytes : maxUnreadBytes);
  }

  #remove(response: ServerResponse, bytes: number): void {
    if (this.#answers.delete(response)) this.#bytes -= bytes;
  }
}

// Requests that a client sends before it has the answer to the one before: one is in work on each connection, and the others wait
// their turn. While many wait, nothing more is read from that connection; while few do, it is, so that one sees when the client leaves.

/** Requests that may wait on all connections together. Each takes a few kilobytes. */
const mostWaiting = 5_000;
/** Requests that may wait on one connection before nothing more is read from it. */
const mostAhead = 50;

export interface Pipelining {
  /** Begins at once where nothing is under way on this connection, else once the answers before it are delivered. */
  inTurn(message: IncomingMessage, response: ServerResponse, begin: () => void): void;
}

export function createPipelining(most = mostWaiting): Pipelining {
  const waiting = new Map<Socket, number>();
  let total = 0;
  const count = (socket: Socket, change: number): number => {
    const now = (waiting.get(socket) ?? 0) + change;
    waiting.set(socket, now);
    total += change;
    return now;
  };
  const watch = (socket: Socket): void => {
    waiting.set(socket, 0);
    socket.once('close', () => {
      total -= waiting.get(socket) ?? 0;
      waiting.delete(socket);
    });
  };
  return {
    inTurn(message, response, begin) {
      // Node gives the connection to one answer after another.
      if (response.socket !== null) return begin();
      const { socket } = message;
      if (socket.destroyed) return;
      if (total >= most) return void socket.destroy();
      if (!waiting.has(socket)) watch(socket);
      // Node reads on after each request that it has parsed: only once all that came together is parsed does a pause last.
      if (count(socket, 1) === mostAhead) process.nextTick(() => socket.pause());
      const start = AsyncLocalStorage.bind((): void => {
        if (socket.destroyed) return;
        if (count(socket, -1) >= mostAhead) socket.pause();
        begin();
      });
      // Other connections have their turn in between.
      response.once('socket', () => setImmediate(start));
    },
  };
}

// Entries on their way to where they are kept. It holds so many and no more: when more come, what is worth least is left out.
import type { LogType, NewEntry } from './entry.ts';

/** What an entry is worth, from what is left out first to what is left out last. */
const worth: readonly (readonly LogType[])[] = [
  ['debug'],
  ['process-update'],
  ['notice', 'process-start', 'process-stop'],
  ['warning'],
  ['action', 'error'],
  ['fatal', 'critical-issue'],
];
const rankOf = (type: LogType): number => worth.findIndex((some) => some.includes(type));

export interface Bounds {
  readonly entries: number;
  /** Of their texts, in letters. */
  readonly size: number;
}

/** By type, how many were left out since somebody asked last. */
export type LeftOut = Readonly<Record<string, number>>;

interface Waiting {
  readonly number: number;
  readonly entry: NewEntry;
}

export class Queue {
  readonly #bounds: Bounds;
  readonly #ranks: Rank[] = worth.map(() => new Rank());
  #leftOut: Record<string, number> = {};
  #entries = 0;
  #size = 0;
  #number = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  add(entry: NewEntry): void {
    this.addInAnyCase(entry);
    while (this.#entries > this.#bounds.entries || this.#size > this.#bounds.size) this.#leaveOut();
  }

  /** Though there is no room for it: for what is said of those that found none. */
  addInAnyCase(entry: NewEntry): void {
    this.#put({ number: this.#number++, entry });
  }

  /** The oldest of them, in their order. */
  take(most: number): Waiting[] {
    const taken: Waiting[] = [];
    while (taken.length < most) {
      const oldest = this.#oldest();
      if (oldest === undefined) break;
      taken.push(this.#from(oldest)!);
    }
    return taken;
  }

  /** What could not be kept just now goes back to its place. */
  putBack(taken: readonly Waiting[]): void {
    for (const one of taken.toReversed()) this.#put(one, 'first');
    while (this.#entries > this.#bounds.entries || this.#size > this.#bounds.size) this.#leaveOut();
  }

  /** What was left out since somebody asked last; nothing, where nothing was. */
  leftOut(): LeftOut | undefined {
    if (Object.keys(this.#leftOut).length === 0) return undefined;
    const told = this.#leftOut;
    this.#leftOut = {};
    return told;
  }

  #put(one: Waiting, where?: 'first'): void {
    const rank = this.#ranks[rankOf(one.entry.type)]!;
    if (where === 'first') rank.unshift(one);
    else rank.push(one);
    this.#entries += 1;
    this.#size += sizeOf(one.entry);
  }

  #oldest(): Rank | undefined {
    let oldest: Rank | undefined;
    for (const rank of this.#ranks)
      if (rank.first !== undefined && (oldest?.first === undefined || rank.first.number < oldest.first.number))
        oldest = rank;
    return oldest;
  }

  #from(rank: Rank): Waiting | undefined {
    const one = rank.shift();
    if (one === undefined) return undefined;
    this.#entries -= 1;
    this.#size -= sizeOf(one.entry);
    return one;
  }

  #leaveOut(): void {
    const least = this.#ranks.find(({ first }) => first !== undefined)!;
    const { type } = this.#from(least)!.entry;
    this.#leftOut[type] = (this.#leftOut[type] ?? 0) + 1;
  }
}

/** What else there is of an entry takes about so much. */
const frame = 200;
const sizeOf = ({ data, url, code }: NewEntry): number => data.length + url.length + code.length + frame;

/** First come, first gone; nothing moves when one goes. */
class Rank {
  #waiting: Waiting[] = [];
  #start = 0;

  get first(): Waiting | undefined {
    return this.#waiting[this.#start];
  }

  push(one: Waiting): void {
    this.#waiting.push(one);
  }

  unshift(one: Waiting): void {
    if (this.#start === 0) this.#waiting.unshift(one);
    else this.#waiting[--this.#start] = one;
  }

  shift(): Waiting | undefined {
    const one = this.#waiting[this.#start];
    if (one === undefined) return undefined;
    this.#start += 1;
    if (this.#start > 1_000 && this.#start * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#start);
      this.#start = 0;
    }
    return one;
  }
}

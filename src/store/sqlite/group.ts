import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises';
import { Unavailable } from '#lib/failures.ts';
import type { Run } from '../engine.ts';
import type { Connection } from './connection.ts';
import { isBusy, translateWrite } from './failures.ts';
import type { Turns } from './turns.ts';

const MEMBERS = 256;
const GATHERING = 20; // ms after which a group takes no further members
const PATIENCE = 5000; // ms to wait for another process that writes
const ASKING = 20; // ms of waiting after which the others are asked to give way

interface Member {
  readonly work: (run: Run) => Promise<unknown>;
  readonly patience: number;
  readonly accept: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Done {
  readonly member: Member;
  readonly value: unknown;
}

/**
 * The one writer. Writes that arrive together share one transaction, hence one wait for the disk: each runs alone, inside its own
 * savepoint, and all are acknowledged after the one COMMIT. A write that throws is undone alone.
 */
export class WriteGroup {
  readonly #writer: Connection;
  readonly #turns: Turns;
  readonly #waiting: Member[] = [];
  #turning: Promise<void> | undefined;
  #commits = 0;

  constructor(writer: Connection, turns: Turns) {
    this.#writer = writer;
    this.#turns = turns;
  }

  add<R>(work: (run: Run) => Promise<R>, patience = PATIENCE): Promise<R> {
    const asCaller = AsyncLocalStorage.snapshot(); // the turn that runs it was started by somebody else
    return new Promise<R>((resolve, reject) => {
      const accept = resolve as (value: unknown) => void;
      this.#waiting.push({ work: (run) => asCaller(work, run), patience, accept, reject });
      this.#turning ??= this.#turn();
    });
  }

  get commits(): number {
    return this.#commits;
  }

  /** Resolves when everything asked for so far is settled. */
  async settled(): Promise<void> {
    while (this.#turning) await this.#turning;
  }

  async #turn(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commitGroup();
    this.#turning = undefined; // at once, or a write that comes now would wait for a turn that is over
  }

  async #commitGroup(): Promise<void> {
    try {
      await this.#begin();
    } catch (error) {
      for (const member of this.#waiting.splice(0)) member.reject(translateWrite(error));
      return;
    }
    const done: Done[] = [];
    try {
      await this.#gather(done);
      this.#writer.do('COMMIT');
      this.#commits += 1;
    } catch (error) {
      this.#rollback();
      for (const { member } of done) member.reject(translateWrite(error));
      return;
    }
    for (const { member, value } of done) member.accept(value);
  }

  // Another process may hold the file. SQLite's own waiting would stop this whole process, so the waiting is done here.
  async #begin(): Promise<void> {
    this.#rollback(); // what could not be undone earlier
    await this.#turns.giveWay();
    const started = performance.now();
    const patience = Math.max(...this.#waiting.map((member) => member.patience));
    for (;;) {
      try {
        this.#writer.do('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const waited = performance.now() - started;
        if (!isBusy(error) || waited > patience) throw error;
        if (waited > ASKING) this.#turns.ask();
        await after(1 + 3 * Math.random());
      }
    }
  }

  /** Requests that came in while the last group was written join this one: they are given one turn of the event loop to arrive. */
  async #gather(done: Done[]): Promise<void> {
    const until = performance.now() + GATHERING;
    const open = () => done.length < MEMBERS && performance.now() < until;
    do {
      do {
        const member = this.#waiting.shift();
        if (member) await this.#join(member, done);
      } while (this.#waiting.length > 0 && open());
      await nextTurn();
    } while (this.#waiting.length > 0 && open());
  }

  async #join(member: Member, done: Done[]): Promise<void> {
    try {
      this.#writer.do('SAVEPOINT member');
      const value = await member.work(this.#run);
      this.#writer.do('RELEASE member');
      done.push({ member, value });
    } catch (error) {
      member.reject(translateWrite(error));
      // A full disk makes SQLite undo the whole transaction: then nobody's write stands.
      if (!this.#writer.inTransaction) throw error;
      this.#writer.do('ROLLBACK TO member');
      this.#writer.do('RELEASE member');
    }
  }

  // Some faults make SQLite undo the whole transaction. What came after would stand alone, each statement for itself.
  readonly #run: Run = async (query) => {
    if (!this.#writer.inTransaction) throw new Unavailable('The write failed, so nothing of it was saved.');
    try {
      return this.#writer.run(query);
    } catch (error) {
      throw translateWrite(error);
    }
  };

  // Called where a write has failed already. If undoing fails too, it is tried again before the next BEGIN.
  #rollback(): void {
    try {
      if (this.#writer.inTransaction) this.#writer.do('ROLLBACK');
    } catch {
      // the writers know already that nothing was saved
    }
  }
}

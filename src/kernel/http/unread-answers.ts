// Answers that were made and that nobody has read yet: their bytes lie in memory until the client takes them.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** In bytes, of all answers together. Signed-in users are answered up to twice as many. */
const most = 32 * 1024 * 1024;
/** How long an answer may lie while there are too many, in milliseconds. */
const patience = 5_000;

interface Unread {
  readonly bytes: number;
  readonly since: number;
}

export class UnreadAnswers {
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
    if (this.#bytes <= most) return false;
    for (const [response, { since, bytes }] of this.#answers) {
      if (performance.now() - since < patience || this.#bytes <= most) break;
      this.#remove(response, bytes);
      response.destroy();
    }
    return this.#bytes > (isForKnown ? 2 * most : most);
  }

  #remove(response: ServerResponse, bytes: number): void {
    if (this.#answers.delete(response)) this.#bytes -= bytes;
  }
}

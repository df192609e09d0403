// Work that would keep everybody waiting, done in a thread of its own: begun with the first question, ended when nobody asked for a
// while.
import { Worker } from 'node:worker_threads';
import { Unavailable } from '#lib/failures.ts';
import { FairQueue } from '#lib/fair-queue.ts';
import { type After, afterReally } from '../clock.ts';

export interface Thread<Question, Answer> {
  /** One at a time. `who`: those who ask much wait for each other, and nobody else for them. */
  ask(question: Question, who: string): Promise<Answer>;
  /** It answers nobody any more. */
  end(): Promise<void>;
}

interface Options {
  /** Run in the thread: it answers by `answering`. */
  readonly file: URL;
  /** How many may wait for their turn. */
  readonly waiting: number;
  /** How long one answer may take, in milliseconds; then the thread is given up, and the next question has a new one. */
  readonly patience: number;
  /** How long it stays without a question, in milliseconds. */
  readonly idle: number;
  /** What whoever finds no place in the line is refused with. */
  full(): Error;
  readonly after?: After;
}

export function createThread<Question, Answer>(options: Options): Thread<Question, Answer> {
  const { file, patience, idle, waiting, full, after = afterReally } = options;
  const line = new FairQueue({ together: 1, waiting, full });
  let worker: Worker | undefined;
  let isOver = false;
  let stay = () => {};

  /** Returns once it is gone. */
  const giveUp = async (): Promise<void> => {
    stay();
    const gone = worker;
    worker = undefined;
    await gone?.terminate();
  };

  /** It is told nothing of what the program was started with. One that is gone is replaced when somebody asks. */
  const begin = (): Worker => {
    const one = new Worker(file, { env: {} });
    worker = one
      .on('error', () => {})
      .on('exit', () => {
        if (worker === one) worker = undefined;
      });
    return one;
  };

  async function answerOf(question: Question): Promise<Answer> {
    if (isOver) throw new Unavailable('The site is stopping.');
    stay();
    const one = worker ?? begin();
    // While somebody waits for it, the program does not end.
    one.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const fail = (cause?: unknown) => reject(new Unavailable('The calculation failed.', { cause }));
    const exit = () => fail();
    one.once('message', resolve).once('error', fail).once('exit', exit);
    one.postMessage(question);
    const late = after(patience, () => fail(new Error('The calculation took too long.')));
    try {
      const answer = await promise;
      one.unref();
      stay = after(idle, () => void giveUp());
      return answer;
    } catch (error) {
      await giveUp();
      throw error;
    } finally {
      late();
      one.off('message', resolve).off('error', fail).off('exit', exit);
    }
  }

  return {
    ask: (question, who) => line.serve(who, () => answerOf(question)),
    async end() {
      isOver = true;
      await giveUp();
    },
  };
}

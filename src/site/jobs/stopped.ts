/** Why a job is not gone on with, though nothing went wrong: the reason of its aborted signal. */
export class Stopped extends Error {
  readonly why: 'cancelled' | 'stopping' | 'lost';

  constructor(why: Stopped['why']) {
    super(sentences[why]);
    this.name = 'Stopped';
    this.why = why;
  }
}

const sentences = {
  cancelled: 'The job was cancelled.',
  stopping: 'The site is stopping.',
  lost: 'The job is done by another process.',
} as const;

export const whyStopped = (signal: AbortSignal): Stopped['why'] | undefined =>
  signal.reason instanceof Stopped ? signal.reason.why : undefined;

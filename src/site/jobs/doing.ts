// One go at a job, from its claim to how it ended. Nothing that happens in it is thrown.
import { withoutRequest } from '#kernel/request.ts';
import { hour, minute } from '#lib/spans.ts';
import type { Log } from '#store/engine.ts';
import type { Clock } from '../platform/clock.ts';
import type { Seal } from '../platform/seal.ts';
import { sealedFor } from './adding.ts';
import type { Claimed } from './claiming.ts';
import { Hopeless, type Kind, whyStopped } from './job.ts';
import { isAway, reasonOf, unforeseen } from './reasons.ts';
import { type Ending, tallyOf } from './recording.ts';
import { type Tools, workOn } from './working.ts';

interface Go {
  readonly claim: Claimed;
  readonly kind: Kind<unknown>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly log: Log;
  readonly tools: Pick<Tools, 'record' | 'pause'>;
}

/** How it ended; nothing, when the job is no longer ours. */
export async function go(one: Go): Promise<Ending | undefined> {
  const { claim, kind, log } = one;
  const ending = await endedAnyhow(one);
  if (ending?.status !== 'failed') return ending;
  const reason = ending.reason?.message ?? 'All its items failed.';
  log.warn({ job: claim.id, kind: kind.name, reason }, 'A job failed.');
  return ending;
}

/** Whatever a kind throws, and whatever is wrong with that, ends its job and nothing else. */
async function endedAnyhow(one: Go): Promise<Ending | undefined> {
  try {
    return await ended(one);
  } catch (error) {
    reportOf(one)(error);
    return { claim: one.claim, tally: tallyOf(one.claim), status: 'failed', reason: unforeseen };
  }
}

const reportOf =
  ({ claim, kind, log }: Go) =>
  (error: unknown): void =>
    log.error({ err: error, job: claim.id, kind: kind.name }, 'A job failed with an unexpected error.');

async function ended(one: Go): Promise<Ending | undefined> {
  const { claim, kind, signal, clock, seal, tools } = one;
  const tally = tallyOf(claim);
  const report = reportOf(one);
  try {
    signal.throwIfAborted();
    const work = workOn(claim, tally, signal, { ...tools, report });
    const result = await withoutRequest(() => kind.run(payloadOf(claim, seal), work));
    const status = tally.failed > 0 && tally.done === 0 ? 'failed' : 'done';
    return { claim, tally, status, result: result ? told(result) : undefined };
  } catch (error) {
    const why = whyStopped(signal);
    if (why === 'lost') return undefined;
    if (why === 'cancelled') return { claim, tally, status: 'cancelled' };
    if (why === 'stopping') return { claim, tally, status: 'queued', unused: true };
    const reason = reasonOf(error, report);
    const again = againAt(error, claim.attempt, kind, clock());
    return again ? { claim, tally, status: 'queued', again, reason } : { claim, tally, status: 'failed', reason };
  }
}

const longestResult = 1_000_000;

function told(result: object): string | undefined {
  const text = JSON.stringify(result);
  if (text === undefined || text.length <= longestResult) return text;
  throw new Hopeless(
    `The job succeeded, but its result is not stored, because it has more than ${longestResult} characters.`,
  );
}

const payloadOf = ({ id, payload, confidential }: Claimed, seal: Seal): unknown => {
  const text = payload ?? 'null';
  return JSON.parse(confidential === 1 ? seal.open(text, sealedFor(id)) : text);
};

/** What is away comes back: it is waited for, however few attempts a kind allows for its own faults. */
const leastWhenAway = 5;
export const longestPause = 6 * hour;

const doubling = (attempt: number): number => minute * 2 ** (attempt - 1);

const pauseOf = (milliseconds: number): number => (milliseconds >= 0 ? Math.min(milliseconds, longestPause) : minute);

function againAt(error: unknown, attempt: number, { attempts = 1, pause = doubling }: Kind<unknown>, now: Date) {
  const most = isAway(error) ? Math.max(attempts, leastWhenAway) : attempts;
  if (error instanceof Hopeless || attempt >= most) return undefined;
  return new Date(now.getTime() + pauseOf(pause(attempt)));
}

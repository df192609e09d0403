// Another site is asked as a polite guest asks: one thing at a time, again after a while when it cannot answer, and not for ever.
import { Upstream } from '../../../outgoing/outgoing.ts';

export interface Pace {
  /** Lets so many milliseconds pass. */
  wait(milliseconds: number): Promise<void>;
  now(): Date;
}

const most = { tries: 6, seconds: 300 };
const passing = [408, 425, 429, 500, 502, 503, 504];

/** Does the work again while what goes wrong may pass. */
export async function patiently<R>(work: () => Promise<R>, { wait, now }: Pace, atMost = most.tries): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = tries < atMost ? pauseAfter(error, tries, now()) : undefined;
      if (seconds === undefined) throw error;
      await wait(seconds * 1000);
    }
  }
}

/** In seconds; nothing where it is no use to ask again. */
function pauseAfter(error: unknown, tries: number, now: Date): number | undefined {
  if (!(error instanceof Upstream) || !mayPass(error)) return undefined;
  const asked = error.retryAfter === undefined ? undefined : secondsUntil(error.retryAfter, now);
  const seconds = asked ?? 2 ** (tries - 1);
  return seconds <= most.seconds ? seconds : undefined;
}

/** Whether the same question may be answered another time. */
export const mayPass = ({ fault, status = 0 }: Upstream): boolean =>
  fault === 'status' ? passing.includes(status) : ['unreachable', 'late', 'broken'].includes(fault);

function secondsUntil(text: string, now: Date): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

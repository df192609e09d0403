// How a request is refused, as the interface says it and as people are told, and what ends with it.
import type { Stop } from '#kernel/http/doorkeeper.ts';
import type { PageAnswer } from '#kernel/http/page.ts';
import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import { html } from '#lib/html.ts';
import type { Refusal } from '../../hooks/guards.ts';
import type { Session, Sessions } from '../../identity/sessions/sessions.ts';
import { type HouseNow, noSession } from '../door.ts';
import { alert } from '../forms.ts';
import { page, redirect } from '../layout.ts';

export interface Refusing {
  stopOf(knock: Knock, refusal: Refusal): Stop;
  /** The answer is thrown. */
  throwing(knock: Knock, refusal: Refusal | undefined): Promise<void>;
}

interface Needs {
  readonly houseNow: HouseNow;
  readonly sessions: Pick<Sessions, 'end'>;
  sessionOf(knock: Knock): Promise<Session | undefined>;
  /** What was to be done with it failed. */
  report(error: unknown, request: string): void;
}

const unstored = { 'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private' };

export function createRefusing({ houseNow, sessions, sessionOf, report }: Needs): Refusing {
  const end = async (knock: Knock, refusal: Refusal): Promise<void> => {
    await refusal.done?.().catch((error) => report(error, knock.id));
    const session = refusal.endsSession ? await sessionOf(knock) : undefined;
    if (session !== undefined) await sessions.end(session);
  };
  return {
    stopOf: (knock, refusal) => ({
      problem: () => problemOf(refusal, houseNow),
      page: () => pageOf(refusal, houseNow),
      done: () => end(knock, refusal),
    }),
    async throwing(knock, refusal) {
      if (refusal === undefined) return;
      await end(knock, refusal);
      throw await problemOf(refusal, houseNow);
    },
  };
}

async function pageOf({ problem, words, to, endsSession }: Refusal, houseNow: HouseNow): Promise<PageAnswer> {
  const house = await houseNow();
  const headers = { ...problem.headers, ...unstored, ...(endsSession && { 'Set-Cookie': noSession(house) }) };
  if (to !== undefined) return redirect(to, { headers });
  const status = typeof problem.status === 'number' ? problem.status : 403;
  const title = status === 503 ? 'One moment, please' : 'This is not allowed';
  return page(house, { title, status, headers, body: words ?? html`${alert(problem.message)}` });
}

async function problemOf({ problem, to, endsSession }: Refusal, houseNow: HouseNow): Promise<Problem> {
  const cookie = endsSession && { 'Set-Cookie': noSession(await houseNow()) };
  const headers = { ...problem.headers, ...unstored, ...cookie, ...(to !== undefined && { Location: to }) };
  return new Refused(problem, headers);
}

class Refused extends Problem {
  readonly isWhole = true;

  constructor({ status, code, message, details, others, also }: Problem, headers: Record<string, string>) {
    super(status, code, message, details, { headers, others, also });
  }
}

export const starting = (): Refusal => ({
  problem: new Problem(
    503,
    'rest_starting',
    'The site is just starting. Please try again in a moment.',
    {},
    { headers: { 'Retry-After': '1' } },
  ),
});

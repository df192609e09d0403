// How those are answered whom a rule keeps out, in the words of lockouts. Which rule it was they are not told.
import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { Refusal } from '#site/hooks/guards.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import { unshared } from '#site/pages/layout.ts';
import type { LockResponse } from '../../lockouts/lock-response.ts';
import { hasSession } from './asked.ts';
import type { Ended } from './engine/engine.ts';

export interface Refusals {
  /** Nothing, where the request goes on. */
  of(ended: Ended, knock: Knock): Refusal | undefined;
  readonly tooLong: Refusal;
}

const headers = { 'Cache-Control': unshared['Cache-Control'], 'X-Robots-Tag': unshared['X-Robots-Tag'] };

const problem = (status: number, code: string, message: string, more: Record<string, string> = {}): Problem =>
  new Problem(status, code, message, {}, { headers: { ...headers, ...more } });

export function createRefusals({ response }: { readonly response: Pick<LockResponse, 'refusal'> }): Refusals {
  return {
    tooLong: {
      problem: problem(413, 'secsuite_value_too_long', 'Something that was sent is too long to be looked at.'),
    },
    of(ended, knock) {
      if (ended.how === 'unreadable') return { problem: ended.problem };
      if (ended.how === 'overBudget') return { problem: busy() };
      if (ended.how === 'redirected') return { problem: elsewhere(), to: ended.to };
      if (ended.how !== 'blocked') return undefined;
      const { words } = response.refusal({ kind: 'host' });
      return { problem: blocked(), ...(words && { words }), ...(isOfSession(knock) && { endsSession: true }) };
    },
  };
}

/** An application password has no session that could end. */
const isOfSession = (knock: Knock): boolean =>
  hasSession(knock, sessionCookie) && knock.headers.authorization === undefined;

const blocked = () => problem(403, 'secsuite_firewall_blocked', 'The firewall of this site refuses this request.');
const elsewhere = () => problem(302, 'secsuite_firewall_redirected', 'Please go on elsewhere.');
const busy = () =>
  problem(503, 'secsuite_firewall_busy', 'Looking at this request takes too long. Please try again later.', {
    'Retry-After': '60',
  });

// The errors of the firewall, and how it answers a client that a rule refuses, in the words of lockouts. Clients are not told
// which rule it was.

import { defineError } from '#kernel/problem.ts';
import type { IncomingRequest } from '#kernel/request.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import { unshared } from '#site/pages/layout.ts';
import type { LockResponse } from '../../lockouts/lock-response.ts';
import type { Logs } from '../../logs/logs.ts';
import { hasSession } from './asked.ts';
import type { Ended, Hit } from './engine/engine.ts';
import type { View } from './engine/view.ts';

const headers = { 'Cache-Control': unshared['Cache-Control'], 'X-Robots-Tag': unshared['X-Robots-Tag'] };

export const firewallErrors = {
  valueTooLong: defineError(
    413,
    'secsuite_value_too_long',
    'The request has a value that is too long for the firewall to check.',
    {
      headers,
    },
  ),
  blocked: defineError(403, 'secsuite_firewall_blocked', 'The firewall of this site refuses this request.', {
    headers,
  }),
  redirected: defineError(
    302,
    'secsuite_firewall_redirected',
    'The firewall of this site redirects this request to another URL.',
    { headers },
  ),
  busy: defineError(503, 'secsuite_firewall_busy', 'Checking this request took too long. Try again in 60 seconds.', {
    headers: { ...headers, 'Retry-After': '60' },
  }),
  dbError: defineError(
    500,
    'secsuite.firewall.db-error',
    'The rules could not be read or written. Try again. If it fails again, ask the site operator to read the log of the server.',
  ),
  invalidRule: defineError(
    500,
    'secsuite.firewall.invalid-rule',
    'The stored rule cannot be read. Write it again or delete it.',
  ),
};

export interface Refusals {
  /** Nothing, where the request goes on. */
  of(ended: Ended, incoming: IncomingRequest): Refusal | undefined;
  readonly tooLong: Refusal;
}

export function createRefusals({ response }: { readonly response: Pick<LockResponse, 'refusal'> }): Refusals {
  return {
    tooLong: { problem: firewallErrors.valueTooLong() },
    of(ended, incoming) {
      if (ended.how === 'unreadable') return { problem: ended.problem };
      if (ended.how === 'overBudget') return { problem: firewallErrors.busy() };
      if (ended.how === 'redirected') return { problem: firewallErrors.redirected(), to: ended.to };
      if (ended.how !== 'blocked') return undefined;
      const { words } = response.refusal({ kind: 'host' });
      return {
        problem: firewallErrors.blocked(),
        ...(words && { words }),
        ...(isOfSession(incoming) && { endsSession: true }),
      };
    },
  };
}

/** An application password has no session that could end. */
const isOfSession = (incoming: IncomingRequest): boolean =>
  hasSession(incoming, sessionCookie) && incoming.headers.authorization === undefined;

export interface Telling {
  told(hits: readonly Hit[], ended: Ended, view: View): void;
}

export function createTelling({ write }: Pick<Logs, 'write'>): Telling {
  return {
    told(hits, { how }, view) {
      for (const { type, rule } of hits)
        write({
          module: 'firewall',
          code: `${type}::${rule}`,
          type: type === 'BLOCK' ? 'action' : 'notice',
          data: dataOf(view),
        });
      if (how === 'overBudget') write({ module: 'firewall', code: 'over-budget', type: 'warning', data: dataOf(view) });
    },
  };
}

function dataOf(view: View): object {
  const { headers, method } = view.asked;
  return {
    body_data: {
      post: view.source('post') ?? {},
      files: view.source('files') ?? {},
      raw: view.source('raw') ?? null,
    },
    user_agent: headers['user-agent'] ?? '',
    method,
  };
}

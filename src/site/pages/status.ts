// What operators ask of a running process: is it alive, can it serve, how is it doing.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { isLocalRequest, isLoopback } from '#lib/ip-address.ts';
import type { Metrics } from '../health/metrics.ts';

interface StatusOptions {
  readonly metrics: Metrics;
  /** What the operator should look at, a line each. */
  warnings(): readonly string[];
  /** Lets others than the machine itself read the figures and warnings. */
  readonly metricsToken: string | undefined;
  /** Throws when the store is away. */
  ping(): Promise<void>;
}

const plain = 'text/plain; charset=UTF-8';
const uncached = { 'Cache-Control': 'no-store' };
const text = (status: number, body: string): PageAnswer => ({
  status,
  type: plain,
  body: `${body}\n`,
  headers: uncached,
});

export function statusPages({ metrics, metricsToken, ping, warnings }: StatusOptions): Page[] {
  return [
    { path: '/healthz', isVital: true, visit: () => text(200, 'ok') },
    {
      path: '/readyz',
      isVital: true,
      visit: (visit) => readiness(ping, mayRead(visit, metricsToken) ? warnings() : []),
    },
    {
      path: '/metrics',
      isVital: true,
      visit: async (visit) => {
        if (!mayRead(visit, metricsToken)) return text(404, 'This page does not exist.');
        return { status: 200, type: metrics.type, body: await metrics.text(), headers: uncached };
      },
    },
  ];
}

/** Seconds: it is looked for again at once, and often back in a moment. */
const retryAfter = 5;

async function readiness(ping: () => Promise<void>, warnings: readonly string[]): Promise<PageAnswer> {
  try {
    await ping();
    return text(200, ['ready', ...warnings].join('\n'));
  } catch {
    const away = text(503, 'The database cannot be reached at the moment.');
    return { ...away, headers: { ...away.headers, 'Retry-After': String(retryAfter) } };
  }
}

/** The machine itself, asking directly; a request that came through a proxy only looks like it. Or whoever has the token. */
function mayRead({ headers, peer }: Visit, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(String(headers.authorization ?? ''))?.[1];
  if (given !== undefined) return token !== undefined && sameText(given, token);
  return isLoopback(peer) && isLocalRequest(headers);
}

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
const sameText = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

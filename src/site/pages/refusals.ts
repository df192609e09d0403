// How the site answers requests that a guard refuses, and who the guards are told it is that visits a page.
import type { Caller } from '#kernel/caller.ts';
import { type Guarding, RefusedRequest } from '#kernel/guarding.ts';
import type { PageAnswer } from '#kernel/http/page.ts';
import type { IncomingRequest } from '#kernel/request.ts';
import type { CombinedGuard, Refusal } from '#kernel/request-guard.ts';
import { html } from '#lib/html.ts';
import { cookieOf } from '#lib/http-headers.ts';
import { credentialOf, sessionCookie } from '../identity/credential.ts';
import type { Identity } from '../identity/identity.ts';
import { type HouseNow, noSession } from './door.ts';
import { alert } from './forms.ts';
import { page, redirect } from './layout.ts';

interface GuardingDeps {
  readonly guard: CombinedGuard;
  readonly identity: Pick<Identity, 'sessions' | 'roles' | 'checks'>;
  readonly houseNow: HouseNow;
  /** Work that a refusal asked for has failed. */
  report(error: unknown, request: string): void;
}

export function createGuarding({
  guard,
  identity: { sessions, roles, checks },
  houseNow,
  report,
}: GuardingDeps): Guarding {
  const sessionOf = async ({ headers }: IncomingRequest) => {
    const cookie = cookieOf(headers.cookie as string | undefined, sessionCookie);
    return cookie === undefined ? undefined : sessions.find(cookie);
  };
  return {
    guard,
    userOf: (caller: Caller) => credentialOf(caller)?.user,
    async visitorOf(incoming) {
      const session = await sessionOf(incoming);
      const capabilities = roles.capabilitiesOf(session?.user.roles ?? []);
      incoming.user = session?.user.id ?? 0;
      const isWithheld = (capability: string): boolean =>
        session !== undefined && checks.withholds({ kind: 'session', user: session.user, session }, capability);
      const can = (capability: string): boolean => capabilities.has(capability) && !isWithheld(capability);
      return { user: session?.user, can };
    },
    async end({ done, endsSession }, incoming) {
      await done?.().catch((error) => report(error, incoming.id));
      const session = endsSession ? await sessionOf(incoming) : undefined;
      if (session !== undefined) await sessions.end(session);
    },
    pageOf: (refusal) => pageOf(refusal, houseNow),
    problemOf: (refusal) => problemOf(refusal, houseNow),
  };
}

const unstored = { 'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private' };

async function pageOf({ problem, words, to, endsSession }: Refusal, houseNow: HouseNow): Promise<PageAnswer> {
  const house = await houseNow();
  const headers = { ...problem.headers, ...unstored, ...(endsSession && { 'Set-Cookie': noSession(house) }) };
  if (to !== undefined) return redirect(to, { headers });
  const status = typeof problem.status === 'number' ? problem.status : 403;
  const title = status === 503 ? 'Please wait a moment' : 'Access refused';
  return page(house, { title, status, headers, body: words ?? html`${alert(problem.message)}` });
}

async function problemOf({ problem, to, endsSession }: Refusal, houseNow: HouseNow): Promise<RefusedRequest> {
  const cookie = endsSession && { 'Set-Cookie': noSession(await houseNow()) };
  const headers = { ...problem.headers, ...unstored, ...cookie, ...(to !== undefined && { Location: to }) };
  return new RefusedRequest(problem, headers);
}

// What the guards say, to the server and to the interface: how a request is refused, and what ends with it.
import type { Caller } from '#kernel/caller.ts';
import type { Doorkeeper, SentToPage, Stop } from '#kernel/http/doorkeeper.ts';
import type { PageAnswer } from '#kernel/http/page.ts';
import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import { noSources, type Request } from '#kernel/request.ts';
import type { Watch, Watched } from '#kernel/watch.ts';
import { cookieOf } from '#lib/cookies.ts';
import { html } from '#lib/html.ts';
import type { Guard, Guards, Known, Refusal } from './guards.ts';
import { credentialOf, sessionCookie } from './identity/credential.ts';
import type { Identity } from './identity/identity.ts';
import { type HouseNow, noSession } from './pages/door.ts';
import { alert } from './pages/forms.ts';
import { page, redirect } from './pages/layout.ts';

interface Needs {
  readonly guards: Guards;
  readonly identity: Pick<Identity, 'sessions' | 'roles'>;
  readonly houseNow: HouseNow;
  /** A guard failed: the request goes on. */
  report(error: unknown, request: string): void;
}

const unstored = { 'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private' };

/** Asked by those who watch over the process, whatever state it is in. */
const alivePath = '/healthz';

export function createDoorkeeping({ guards, identity, houseNow, report }: Needs): {
  doorkeeper: Doorkeeper;
  watch: Watch;
} {
  const { sessions, roles } = identity;

  const sessionOf = async ({ headers }: Knock) => {
    const cookie = cookieOf(headers.cookie as string | undefined, sessionCookie);
    return cookie === undefined ? undefined : sessions.find(cookie);
  };

  const asked = <V>({ id }: Knock, ask: () => V): V | undefined => {
    try {
      return ask();
    } catch (error) {
      report(error, id);
      return undefined;
    }
  };

  /** The first refusal of any. */
  async function first(knock: Knock, ask: (guard: Guard) => Refusal | undefined | Promise<Refusal | undefined>) {
    for (const guard of guards.all) {
      const refusal = await Promise.resolve(asked(knock, () => ask(guard))).catch((error) => {
        report(error, knock.id);
        return undefined;
      });
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  const end = async (knock: Knock, refusal: Refusal): Promise<void> => {
    await refusal.done?.().catch((error) => report(error, knock.id));
    const session = refusal.endsSession ? await sessionOf(knock) : undefined;
    if (session !== undefined) await sessions.end(session);
  };

  const pageOf = async ({ problem, words, to, endsSession }: Refusal): Promise<PageAnswer> => {
    const house = await houseNow();
    const headers = { ...problem.headers, ...unstored, ...(endsSession && { 'Set-Cookie': noSession(house) }) };
    if (to !== undefined) return redirect(to, { headers });
    const status = typeof problem.status === 'number' ? problem.status : 403;
    const title = status === 503 ? 'One moment, please' : 'This is not allowed';
    return page(house, { title, status, headers, body: words ?? html`${alert(problem.message)}` });
  };

  async function problemOf({ problem, to, endsSession }: Refusal): Promise<Problem> {
    const cookie = endsSession && { 'Set-Cookie': noSession(await houseNow()) };
    const headers = { ...problem.headers, ...unstored, ...cookie, ...(to !== undefined && { Location: to }) };
    return new Refused(problem, headers);
  }

  const stopOf = (knock: Knock, refusal: Refusal): Stop => ({
    problem: async () => problemOf(refusal),
    page: () => pageOf(refusal),
    done: () => end(knock, refusal),
  });

  async function throwing(knock: Knock, refusal: Refusal | undefined): Promise<void> {
    if (refusal === undefined) return;
    await end(knock, refusal);
    throw await problemOf(refusal);
  }

  const reads = (knock: Knock): boolean =>
    guards.all.some((guard) => asked(knock, () => guard.reads?.(knock)) === true);

  const anyAsks = (moment: 'read' | 'known' | 'led'): boolean =>
    guards.all.some((guard) => guard[moment] !== undefined);

  return {
    doorkeeper: {
      arriving(knock) {
        for (const guard of guards.all) {
          if (asked(knock, () => guard.isReady?.() !== false) === true) continue;
          return knock.url.split('?', 1)[0] === alivePath ? undefined : stopOf(knock, starting());
        }
        for (const guard of guards.all) {
          const refusal = asked(knock, () => guard.arriving?.(knock));
          if (refusal !== undefined) return stopOf(knock, refusal);
        }
        return undefined;
      },
      keeps: (knock) => guards.all.every((guard) => asked(knock, () => guard.keeps?.(knock) !== false) === true),
      reads,
      async visiting(knock, sent) {
        if (!anyAsks('read') && !anyAsks('known')) return undefined;
        const { bytes, form, files, upload } = sent;
        const isLate = upload !== undefined;
        const read = isLate ? undefined : await first(knock, (guard) => guard.read?.(knock, { bytes, form, files }));
        const refusal = read ?? (await firstOfKnown(knock, sent));
        return refusal && stopOf(knock, refusal);
      },
    },
    watch: {
      asked(watched, limit) {
        const { knock } = watched.request;
        return knock === undefined || !anyAsks('read') ? undefined : readAll(knock, watched, limit);
      },
      known(watched, { caller, json, form, upload }) {
        const { request, method } = watched;
        const { knock } = request;
        if (knock === undefined || !anyAsks('known')) return undefined;
        const known: Known = {
          ...knownOf(watched, caller, { ...form, ...json }),
          form,
          upload,
          part: request.part && { method, url: partUrl(knock, request), body: request.part.body },
        };
        return first(knock, (guard) => guard.known?.(knock, known)).then((refusal) => throwing(knock, refusal));
      },
      led(watched, caller) {
        const { knock } = watched.request;
        if (knock === undefined || !anyAsks('led')) return undefined;
        const known: Known = { ...knownOf(watched, caller), form: undefined, upload: undefined };
        return first(knock, (guard) => guard.led?.(knock, known)).then((refusal) => {
          if (refusal !== undefined) throw refusal.problem;
        });
      },
    },
  };

  async function firstOfKnown(knock: Knock, { form, upload, isToCome }: SentToPage): Promise<Refusal | undefined> {
    if (!anyAsks('known')) return undefined;
    const session = await sessionOf(knock);
    const held = roles.capabilitiesOf(session?.user.roles ?? []);
    knock.user = session?.user.id ?? 0;
    const known: Known = {
      user: session?.user,
      can: (capability) => held.has(capability),
      ...{ form, upload, isToCome },
      asked: undefined,
    };
    return first(knock, (guard) => guard.known?.(knock, known));
  }

  async function readAll(knock: Knock, { request, route }: Watched, limit: number): Promise<void> {
    const wanted = route?.upload !== true && reads(knock);
    const bytes = wanted ? await unlessUnfit(async () => request.bytes?.(limit)) : undefined;
    const sources = wanted ? await unlessUnfit(() => request.sources(limit, 'parts')) : undefined;
    const { form, files } = sources ?? noSources;
    await throwing(knock, await first(knock, (guard) => guard.read?.(knock, { bytes, form, files })));
  }
}

function knownOf({ method, query, pattern, path }: Watched, caller: Caller, sent: object = {}) {
  return {
    user: credentialOf(caller)?.user,
    can: (capability: string) => caller.can(capability),
    asked: { route: pattern, method, params: { ...query, ...sent, ...path } },
  };
}

/** Beside the address of its batch. */
function partUrl({ url }: Knock, { path, query }: Request): string {
  const root = /^([^?]*)\/batch\/v1\/?(?:\?|$)/.exec(url)?.[1] ?? '/wp-json';
  return `${root}${encodeURI(path)}${query === '' ? '' : `?${query}`}`;
}

/** What is wrong with a body is told by whoever needs it. */
async function unlessUnfit<R>(read: () => Promise<R>): Promise<R | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

class Refused extends Problem {
  readonly isWhole = true;

  constructor({ status, code, message, details, others, also }: Problem, headers: Record<string, string>) {
    super(status, code, message, details, { headers, others, also });
  }
}

const starting = (): Refusal => ({
  problem: new Problem(
    503,
    'rest_starting',
    'The site is just starting. Please try again in a moment.',
    {},
    { headers: { 'Retry-After': '1' } },
  ),
});

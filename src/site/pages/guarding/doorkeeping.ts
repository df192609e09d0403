// What the guards say, to the server and to the interface.

import { mergedQueries } from '#kernel/args/query.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Doorkeeper, SentToPage } from '#kernel/http/doorkeeper.ts';
import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import { noSources, type Request } from '#kernel/request.ts';
import type { Watch, Watched } from '#kernel/watch.ts';
import { cookieOf } from '#lib/http-headers.ts';
import type { Guards, Known, Refusal } from '../../hooks/guards.ts';
import { credentialOf, sessionCookie } from '../../identity/credential.ts';
import type { Identity } from '../../identity/identity.ts';
import type { HouseNow } from '../door.ts';
import { type Asking, createAsking } from './asking.ts';
import { createRefusing, type Refusing, starting } from './refusing.ts';

// What the guards say of requests to the interface, each part of a batch by itself.

function createWatch({ any, first, reads }: Asking, { throwing }: Pick<Refusing, 'throwing'>): Watch {
  async function readAll(knock: Knock, { request, route }: Watched, limit: number): Promise<void> {
    const wanted = route?.upload !== true && reads(knock);
    const bytes = wanted ? await unlessUnfit(async () => request.bytes?.(limit)) : undefined;
    const sources = wanted ? await unlessUnfit(() => request.sources(limit, 'parts')) : undefined;
    const { form, files } = sources ?? noSources;
    await throwing(knock, await first(knock, (guard) => guard.read?.(knock, { bytes, form, files })));
  }
  return {
    asked(watched, limit) {
      const { knock } = watched.request;
      return knock === undefined || !any('read') ? undefined : readAll(knock, watched, limit);
    },
    known(watched, { caller, json, form, upload }) {
      const { request, method } = watched;
      const { knock } = request;
      if (knock === undefined || !any('known')) return undefined;
      const known: Known = {
        ...knownOf(watched, caller, mergedQueries(form, json)),
        form,
        upload,
        part: request.part && { method, url: partUrl(knock, request), body: request.part.body },
      };
      return first(knock, (guard) => guard.known?.(knock, known)).then((refusal) => throwing(knock, refusal));
    },
    led(watched, caller) {
      const { knock } = watched.request;
      if (knock === undefined || !any('led')) return undefined;
      const known: Known = { ...knownOf(watched, caller), form: undefined, upload: undefined };
      return first(knock, (guard) => guard.led?.(knock, known)).then((refusal) => {
        if (refusal !== undefined) throw refusal.problem;
      });
    },
  };
}

function knownOf({ method, query, pattern, path }: Watched, caller: Caller, sent: object = {}) {
  return {
    user: credentialOf(caller)?.user,
    can: (capability: string) => caller.can(capability),
    asked: { route: pattern, method, params: mergedQueries(query, sent, path) },
  };
}

/** Beside the address of its batch. */
function partUrl({ url }: Knock, { path, query }: Request): string {
  const root = /^([^?]*)\/batch\/v1\/?(?:\?|$)/.exec(url)?.[1] ?? '/wp-json';
  return `${root}${encodeURI(path)}${query === '' ? '' : `?${query}`}`;
}

/** A body that cannot be read is not an error here: the route that needs it refuses it. */
async function unlessUnfit<R>(read: () => Promise<R>): Promise<R | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

interface Needs {
  readonly guards: Guards;
  readonly identity: Pick<Identity, 'sessions' | 'roles'>;
  readonly houseNow: HouseNow;
  /** A guard failed: the request goes on. */
  report(error: unknown, request: string): void;
}

interface Doorkeeping {
  readonly doorkeeper: Doorkeeper;
  readonly watch: Watch;
}

/** Asked by those who watch over the process, whatever state it is in. */
const alivePath = '/healthz';

export function createDoorkeeping({ guards, identity, houseNow, report }: Needs): Doorkeeping {
  const { sessions, roles } = identity;
  const sessionOf = async ({ headers }: Knock) => {
    const cookie = cookieOf(headers.cookie as string | undefined, sessionCookie);
    return cookie === undefined ? undefined : sessions.find(cookie);
  };
  const asking = createAsking({ guards, report });
  const refusing = createRefusing({ houseNow, sessions, sessionOf, report });
  const { stopOf } = refusing;

  async function firstOfKnown(knock: Knock, { form, upload, isToCome }: SentToPage): Promise<Refusal | undefined> {
    if (!asking.any('known')) return undefined;
    const session = await sessionOf(knock);
    const held = roles.capabilitiesOf(session?.user.roles ?? []);
    knock.user = session?.user.id ?? 0;
    const can = (capability: string): boolean => held.has(capability);
    const known: Known = { user: session?.user, can, form, upload, isToCome, asked: undefined };
    return asking.first(knock, (guard) => guard.known?.(knock, known));
  }

  return {
    watch: createWatch(asking, refusing),
    doorkeeper: {
      arriving(knock) {
        if (!asking.isReady(knock)) return isWatching(knock) ? undefined : stopOf(knock, starting());
        const refusal = asking.arriving(knock);
        return refusal && stopOf(knock, refusal);
      },
      keeps: asking.keeps,
      reads: asking.reads,
      async visiting(knock, sent) {
        if (!asking.any('read') && !asking.any('known')) return undefined;
        const { bytes, form, files, upload } = sent;
        const isLate = upload !== undefined;
        const read = isLate
          ? undefined
          : await asking.first(knock, (guard) => guard.read?.(knock, { bytes, form, files }));
        const refusal = read ?? (await firstOfKnown(knock, sent));
        return refusal && stopOf(knock, refusal);
      },
    },
  };
}

const isWatching = ({ url }: Knock): boolean => url.split('?', 1)[0] === alivePath;

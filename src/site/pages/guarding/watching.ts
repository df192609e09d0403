// What the guards say of requests to the interface, each part of a batch by itself.
import { mergedQueries } from '#kernel/args/query.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import { noSources, type Request } from '#kernel/request.ts';
import type { Watch, Watched } from '#kernel/watch.ts';
import type { Known } from '../../hooks/guards.ts';
import { credentialOf } from '../../identity/credential.ts';
import type { Asking } from './asking.ts';
import type { Refusing } from './refusing.ts';

export function createWatch({ any, first, reads }: Asking, { throwing }: Pick<Refusing, 'throwing'>): Watch {
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

/** What is wrong with a body is told by whoever needs it. */
async function unlessUnfit<R>(read: () => Promise<R>): Promise<R | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

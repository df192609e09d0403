// What the guards say, to the server and to the interface.
import type { Doorkeeper, SentToPage } from '#kernel/http/doorkeeper.ts';
import type { Knock } from '#kernel/knock.ts';
import type { Watch } from '#kernel/watch.ts';
import { cookieOf } from '#lib/http-headers.ts';
import type { Guards, Known, Refusal } from '../../hooks/guards.ts';
import { sessionCookie } from '../../identity/credential.ts';
import type { Identity } from '../../identity/identity.ts';
import type { HouseNow } from '../door.ts';
import { createAsking } from './asking.ts';
import { createRefusing, starting } from './refusing.ts';
import { createWatch } from './watching.ts';

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

// Which address would be seen of whoever asks, if it were looked for in another way. Nothing is kept of it.
import type { Rule } from '#kernel/access.ts';
import { type Knock, knocking } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Clients } from '#site/identity/clients.ts';
import { addressBy, type Found, type Mode, modes, placeOf, sourceOf } from '../../client/detector.ts';
import { foundIn } from '../../client/finding.ts';
import { headerName } from '../../client/headers.ts';
import type { Source } from '../../client/source.ts';
import type { Settings } from '../../settings/types.ts';

export interface Seeing {
  /** As this request would be seen. */
  seen(proxy: Mode, header: string | undefined): string;
}

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
  readonly clients: Pick<Clients, 'own' | 'hasTrusted' | 'isTrusted'>;
}

export function createSeeing({ settings, clients }: Needs): Seeing {
  const checked = (knock: Knock): Source => {
    const kept = settings.of<{ ip_header: Found }>('security-check-pro').ip_header;
    return placeOf(kept.name === '' ? (foundIn(knock.peer, knock.headers, clients) ?? missing()) : kept);
  };
  return {
    seen(proxy, header) {
      const knock = knocking() ?? missing();
      const { proxy_header } = settings.of<{ proxy_header: string }>('global');
      const source =
        proxy === 'security-check'
          ? checked(knock)
          : sourceOf({ proxy, proxy_header: header ?? proxy_header }, nothing);
      const own = () => clients.own(knock.peer, knock.headers);
      return addressBy(source, { peer: knock.peer, headers: knock.headers, own }, clients) || invalid();
    },
  };
}

const nothing: Found = { name: '', position_from_end: -1 };

function missing(): never {
  const message =
    'No header tells for certain whose request this is. Please name one, or say which proxies are trusted.';
  throw new Problem(500, 'secsuite_missing_remote_ip', message);
}

function invalid(): never {
  throw new Problem(500, 'secsuite_invalid_remote_ip', 'It could not be found out whose request this is.');
}

export function detectIpRoutes<Use extends { readonly seeing: Seeing }>(
  { route, t }: Toolkit<Use>,
  manager: Rule<undefined, Use, object>,
): Route[] {
  return [
    route({
      method: 'POST',
      path: 'global/detect-ip',
      summary: 'Which address would be seen of you, if it were looked for in this way',
      access: manager,
      args: {
        proxy: t.choice(modes, { description: 'How the address of a visitor is found.' }),
        args: t.free({ default: {}, description: 'With `manual`: the header.' }),
      },
      answers: { 200: t.object({ ip: t.string() }) },
      handle: ({ args: { proxy, args }, use }) => ({
        ip: use.seeing.seen(proxy, typeof args.header === 'string' ? (headerName(args.header) ?? '') : undefined),
      }),
    }),
  ];
}

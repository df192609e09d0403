// Which address would be seen of whoever asks, if it were looked for in another way. Nothing is kept of it.
import type { Rule } from '#kernel/access.ts';
import { defineError, raise } from '#kernel/problem.ts';
import { currentRequest, type IncomingRequest } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Clients } from '#site/identity/clients.ts';
import {
  addressBy,
  type Found,
  foundIn,
  headerName,
  type Mode,
  modes,
  placeOf,
  type Source,
  sourceOf,
} from '../../client/detector.ts';
import type { Settings } from '../../settings/types.ts';

export const globalErrors = {
  missingRemoteIp: defineError(
    500,
    'secsuite_missing_remote_ip',
    'No header reliably has your IP address. Name a header, or the trusted proxies.',
  ),
  invalidRemoteIp: defineError(500, 'secsuite_invalid_remote_ip', 'Your IP address could not be found.'),
  identifyFailed: defineError(
    500,
    'secsuite.tool.identify-server-ips.failed',
    'The IP addresses of this server could not be found.',
  ),
  noIps: defineError(500, 'secsuite.tool.identify-server-ips.no-ips', 'No IP address of this server was found.'),
};

export interface Seeing {
  /** As this request would be seen. */
  seen(proxy: Mode, header: string | undefined): string;
}

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
  readonly clients: Pick<Clients, 'own' | 'hasNamedProxies' | 'isTrusted'>;
}

export function createSeeing({ settings, clients }: Needs): Seeing {
  const checked = (incoming: IncomingRequest): Source => {
    const kept = settings.of('security-check-pro').ip_header;
    return placeOf(
      kept.name === ''
        ? (foundIn(incoming.peer, incoming.headers, clients) ?? raise(globalErrors.missingRemoteIp()))
        : kept,
    );
  };
  return {
    seen(proxy, header) {
      const incoming = currentRequest() ?? raise(globalErrors.missingRemoteIp());
      const { proxy_header } = settings.of('global');
      const source =
        proxy === 'security-check'
          ? checked(incoming)
          : sourceOf({ proxy, proxy_header: header ?? proxy_header }, nothing);
      const own = () => clients.own(incoming.peer, incoming.headers);
      return (
        addressBy(source, { peer: incoming.peer, headers: incoming.headers, own }, clients) ||
        raise(globalErrors.invalidRemoteIp())
      );
    },
  };
}

const nothing: Found = { name: '', position_from_end: -1 };

export function detectIpRoutes<Use extends { readonly seeing: Seeing }>(
  { route, t }: Toolkit<Use>,
  manager: Rule<undefined, Use, object>,
): Route[] {
  return [
    route({
      method: 'POST',
      path: 'global/detect-ip',
      summary: 'Get the IP address that the site would see for you with this method',
      access: manager,
      args: {
        proxy: t.choice(modes, { description: 'Method to find the IP address of visitors.' }),
        args: t.free({ default: {}, description: 'With `manual`: the header.' }),
      },
      answers: { 200: t.object({ ip: t.string() }) },
      handle: ({ args: { proxy, args }, use }) => ({
        ip: use.seeing.seen(proxy, typeof args.header === 'string' ? (headerName(args.header) ?? '') : undefined),
      }),
    }),
  ];
}

// Tools that find out under which IP addresses the server is seen, and which proxies pass on requests.
import type { Found } from '../../client/detector.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Settings } from '../../settings/types.ts';
import type { Doing, Ran } from '../../tools/tool.ts';
import { type AddressNeeds, serverAddresses } from './server-addresses.ts';

interface ProxyDeps extends AddressNeeds {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly logs: Pick<Logs, 'operation'>;
  readonly url: string;
  clock(): Date;
  /** What the request under way shows; nothing when no header tells the IP address of its visitor for certain. */
  detect(): Found | undefined;
}

export const proxyTools = (deps: ProxyDeps): Readonly<Record<string, Doing>> => ({
  'identify-server-ips': { run: () => serverAddresses(deps) },
  'security-check-pro': { run: ({ caller }) => checked(deps, caller !== undefined) },
});

/** How visitors reach the site. Without a person who asks there is no request to look at. */
async function checked({ settings, clock, detect, url, logs }: ProxyDeps, isAsked: boolean): Promise<Ran> {
  const ssl_supported = url.startsWith('https:');
  const found = isAsked ? detect() : undefined;
  const scan = await logs.operation('security-check-pro', 'start-scan');
  const seen = { ssl_supported, ...(found && { ip_header: { ...found } }) };
  await settings.keep('security-check-pro', {
    ...seen,
    ...(found && { last_scan_timestamp: Math.floor(clock().getTime() / 1_000) }),
  });
  scan.stop(seen);
  if (!isAsked) return {};
  const info = ssl_supported ? [] : ['The address of the site is not HTTPS.'];
  if (found === undefined)
    return {
      info,
      warning: ['No header tells for certain whose request this is. Please say which proxies are trusted.'],
    };
  const how =
    found.name === '' ? 'Visitors reach the site directly.' : `The address of visitors stands in ${found.name}.`;
  return { success: [how], info };
}

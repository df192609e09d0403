// What each tool does.
import type { Found } from '../client/detector.ts';
import type { ConfigRules } from '../config-rules/rules.ts';
import type { Rights } from '../disk/rights.ts';
import type { Settings } from '../settings/types.ts';
import { type AccountNeeds, accountTools } from './accounts.ts';
import { type AddressNeeds, serverAddresses } from './addresses.ts';
import { type SecretNeeds, secretTools } from './secrets.ts';
import type { Doing, Ran } from './tool.ts';

interface Needs extends AccountNeeds, AddressNeeds, SecretNeeds {
  readonly configRules: Pick<ConfigRules, 'writeServer' | 'writeApp'>;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  clock(): Date;
  /** The rights of the files that matter, by path. */
  rights(): Promise<Rights>;
  /** By the request under way: nothing, where it cannot be told. */
  detect(): Found | undefined;
  readonly url: string;
}

export function doingsOf(needs: Needs): Readonly<Record<string, Doing>> {
  const { configRules, rights } = needs;
  return {
    ...accountTools(needs),
    ...secretTools(needs),
    'identify-server-ips': { run: () => serverAddresses(needs) },
    'check-file-permissions': { run: async () => ({ data: await rights() }) },
    'server-config-rules': {
      run: async () => written(await configRules.writeServer(), 'Please tell the web server to read its rules again.'),
    },
    'wp-config-rules': {
      run: async () =>
        written(await configRules.writeApp(), 'The service follows the new rules once it is started again.'),
    },
    'security-check-pro': { run: ({ caller }) => checked(needs, caller !== undefined) },
  };
}

const written = (isChanged: boolean, next: string): Ran =>
  isChanged ? { success: ['The rules were written.'], info: [next] } : { success: ['The rules stand as they should.'] };

/** How visitors reach the site. Without a person who asks there is no request to look at. */
async function checked({ settings, clock, detect, url, logs }: Needs, isAsked: boolean): Promise<Ran> {
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

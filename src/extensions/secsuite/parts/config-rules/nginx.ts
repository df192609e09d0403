// The rules as nginx reads them, inside a `server` block.
import type { Part } from './framed.ts';
import { literal } from './literal.ts';
import { below, hostsOf, isPlain, patternsOf, type Ruled, runnable, secretFiles } from './ruled.ts';

export const nginxParts = (ruled: Ruled): Part[] => [
  { setting: 'ban-users.default', lines: agentLines(ruled.badBots) },
  { setting: 'ban-users.enable_ban_lists', lines: hostsOf(ruled.hosts).map((host) => `deny ${host};`) },
  { setting: 'ban-users.agent_list', lines: agentLines(ruled.agents) },
  { setting: 'system-tweaks.protect_files', lines: ruled.protectsFiles ? fileLines(ruled) : [] },
  { setting: 'system-tweaks.directory_browsing', lines: ruled.hidesListings ? ['autoindex off;'] : [] },
  ...Object.entries(ruled.still).map(([name, folder]) => ({
    setting: `system-tweaks.${name}`,
    lines: [`location ~* "^${pattern(below(ruled.paths, folder))}/.*${runnable}" { deny all; }`],
  })),
  {
    setting: 'core-tweaks.disable_xmlrpc',
    lines: ruled.refusesLegacyRpc ? [exactly(below(ruled.paths, 'xmlrpc'))] : [],
  },
];

const agentLines = (agents: readonly string[]): string[] =>
  patternsOf(agents).map((one) => `if ($http_user_agent ~* "${one}") { return 403; }`);

const fileLines = ({ paths }: Ruled): string[] => [
  'location ~ /\\.(?!well-known) { deny all; }',
  ...secretFiles.map((name) => exactly(below(paths, name))),
];

const exactly = (path: string): string => `location = ${word(path)} { deny all; }`;

const word = (path: string): string => (isPlain(path) ? path : `"${path.replace(/["\\]/g, '\\$&')}"`);

/** Paths are the operator's own, and short. */
const pattern = (path: string): string => literal(path) ?? '';

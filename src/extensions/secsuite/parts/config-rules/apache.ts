// The rules as Apache 2.4 reads them, inside a `VirtualHost`. Whether it sends files itself or asks the site, the paths are the same.
import type { Part } from './framed.ts';
import { below, hostsOf, isPlain, literal, patternsOf, type Ruled, runnable, secretFiles } from './ruled.ts';

export const apacheParts = (ruled: Ruled): Part[] => [
  { setting: 'ban-users.default', lines: agentLines(ruled.badBots) },
  { setting: 'ban-users.enable_ban_lists', lines: hostLines(ruled.hosts) },
  { setting: 'ban-users.agent_list', lines: agentLines(ruled.agents) },
  { setting: 'system-tweaks.protect_files', lines: ruled.protectsFiles ? fileLines(ruled) : [] },
  { setting: 'system-tweaks.directory_browsing', lines: ruled.hidesListings ? everywhere(['Options -Indexes']) : [] },
  ...Object.entries(ruled.still).map(([name, folder]) => ({
    setting: `system-tweaks.${name}`,
    lines: rewriting([`RewriteRule "^/?${pattern(below(ruled.paths, folder).slice(1))}/.*${runnable}" - [NC,F]`]),
  })),
  {
    setting: 'core-tweaks.disable_xmlrpc',
    lines: ruled.refusesLegacyRpc ? denying(at(below(ruled.paths, 'xmlrpc'))) : [],
  },
];

/** Without the module that reads them, the server would not start. */
const rewriting = (rules: readonly string[]): string[] =>
  rules.length === 0
    ? []
    : ['<IfModule mod_rewrite.c>', ...['RewriteEngine On', ...rules].map((line) => `  ${line}`), '</IfModule>'];

function agentLines(agents: readonly string[]): string[] {
  const patterns = patternsOf(agents);
  const last = patterns.length - 1;
  const conditions = patterns.map(
    (one, at) => `RewriteCond "%{HTTP_USER_AGENT}" "${one}" [${at === last ? 'NC' : 'NC,OR'}]`,
  );
  return rewriting(conditions.length === 0 ? [] : [...conditions, 'RewriteRule ^ - [F]']);
}

/** What is refused elsewhere stays refused: this is added to it. */
function hostLines(hosts: readonly string[]): string[] {
  const all = hostsOf(hosts);
  if (all.length === 0) return [];
  const rules = ['Require all granted', ...all.map((host) => `Require not ip ${host}`)];
  return everywhere(['AuthMerging And', '<RequireAll>', ...rules.map((line) => `  ${line}`), '</RequireAll>']);
}

/** What is said of a folder holds there; what is said of an address, wherever it leads. */
const everywhere = (lines: readonly string[]): string[] => [
  '<Location "/">',
  ...lines.map((line) => `  ${line}`),
  '</Location>',
];

/** By their names where the server sends them itself, by their addresses where it asks the site. */
const fileLines = ({ paths }: Ruled): string[] => {
  const names = secretFiles.map(pattern).join('|');
  return [
    ...denying(`FilesMatch "^(?:\\.(?!well-known)|(?:${names})$)"`),
    ...denying(`LocationMatch "/\\.(?!well-known)|^${pattern(below(paths))}/(?:${names})$"`),
  ];
};

const denying = (section: string): string[] => [
  `<${section}>`,
  '  Require all denied',
  `</${/^\w+/.exec(section)?.[0]}>`,
];

/** A path and what is below it. Signs that mean something elsewhere, as a star does, have to be spelled out in a pattern. */
const at = (path: string): string =>
  isPlain(path) ? `Location "${path}"` : `LocationMatch "^${pattern(path)}(?:/|$)"`;

/** Paths are the operator's own, and short. */
const pattern = (text: string): string => literal(text) ?? '';

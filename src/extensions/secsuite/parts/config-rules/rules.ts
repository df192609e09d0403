// The rules that follow from the settings: for the server in front of the site, and for the program. Read, or written to their files.
import { defineError } from '#kernel/problem.ts';
import { keysOf } from '#lib/objects.ts';
import { badBots } from '../../bans/bad-bots.ts';
import type { Settings } from '../../settings/types.ts';
import { apacheParts } from './apache.ts';
import { framed, isFramedIn, type Part, replacedIn } from './framed.ts';
import {
  below,
  type Dialect,
  hostsOf,
  isPlain,
  literal,
  type Paths,
  patternsOf,
  type Ruled,
  runnable,
  secretFiles,
} from './ruled.ts';

export const configRulesErrors = {
  served: defineError(
    400,
    'secsuite.file-writing.served',
    (path: string) =>
      `${path} is not written: it is in the folder of uploaded files, which visitors can read. Set nginx_file to a path outside that folder.`,
  ),
  notOurs: defineError(
    400,
    'secsuite.file-writing.not-ours',
    (path: string) =>
      `${path} is not written. nginx_file must be an absolute path that ends in .conf. Outside the data folder, the file must exist, and must be empty or hold a block of the suite already.`,
  ),
  badFile: defineError(
    400,
    'secsuite-validator-global-invalid-type-nginx_file-file-path',
    'nginx_file must be a path in the data folder that ends in .conf, or the path of an empty .conf file that the operator has made.',
  ),
  scriptRefused: defineError(403, 'secsuite_script_refused', 'This site does not send scripts from its uploads.'),
};

/** The rules as nginx reads them, inside a `server` block. */
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

/** What the program itself is told, a line of its environment each. */
interface Told {
  readonly closesEditor: boolean;
  readonly forcesHttps: boolean;
}

const appParts = ({ closesEditor, forcesHttps }: Told): Part[] => [
  { setting: 'core-tweaks.file_editor', lines: closesEditor ? ['FILE_EDITOR_DISABLED=true'] : [] },
  { setting: 'ssl', lines: forcesHttps ? ['FORCE_HTTPS=true'] : [] },
];

export interface ConfigTexts {
  /** For the server in front of the site; empty where there is nothing to say. */
  readonly server: string;
  /** For the program, by the name that clients know. */
  readonly wp: string;
}

export interface ConfigRules {
  get(): Promise<ConfigTexts>;
  /** Whether rules may be written into this file. */
  mayWrite(path: string): Promise<boolean>;
  /** Whether the file had to be changed; then the server is to be told to read it again. */
  writeServer(): Promise<boolean>;
  writeApp(): Promise<boolean>;
}

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
  readonly switches: { isRunning(module: string): boolean };
  /** So many hosts that were banned last, the newest first. */
  newestBans(most: number): Promise<readonly string[]>;
  isAuthorised(host: string): boolean;
  readonly files: {
    /** Nothing where there is no such file. */
    read(path: string): Promise<string | undefined>;
    replace(path: string, text: string): Promise<void>;
    isWithin(folder: string, path: string): boolean;
    /** Whether everybody gets what lies there. */
    isServed(path: string): Promise<boolean>;
  };
  readonly dialect: Dialect;
  readonly paths: Paths;
  /** The data folder, and the file in it that the program is told by. */
  readonly data: string;
  readonly appFile: string;
}

export function createConfigRules(needs: Needs): ConfigRules {
  const { settings, files, data, appFile } = needs;
  const server = async (): Promise<string> => serverText(needs.dialect, await ruledBy(needs));
  const app = (): string => appText(needs);
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: what is written last is what was true last. */
  const inTurn = (work: () => Promise<boolean>): Promise<boolean> => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
  const write = async (path: string, text: string, refuse: (before: string | undefined) => void): Promise<boolean> => {
    const before = await files.read(path);
    if (before === undefined && text === '') return false;
    const after = replacedIn(before ?? '', text);
    if (after === before) return false;
    refuse(before);
    await files.replace(path, after);
    return true;
  };
  /** Nothing of ours stays where visitors read it. */
  const takenOut = async (path: string): Promise<void> => {
    const before = await files.read(path);
    if (before !== undefined && isFramedIn(before)) await files.replace(path, replacedIn(before, ''));
  };
  const writeServer = async (): Promise<boolean> => {
    const path = settings.of('global').nginx_file;
    if (await files.isServed(path)) {
      await takenOut(path);
      throw configRulesErrors.served(path);
    }
    const text = await server();
    return write(path, text, (before) => {
      if (!isOurs(path, before, files.isWithin(data, path))) throw configRulesErrors.notOurs(path);
    });
  };
  const mayWrite = async (path: string): Promise<boolean> => {
    const isInData = files.isWithin(data, path);
    if (isInData || !isNamed(path)) return isOurs(path, undefined, isInData);
    return isOurs(path, await files.read(path).catch(() => undefined), isInData);
  };
  return {
    get: async () => ({ server: await server(), wp: app() }),
    mayWrite,
    writeServer: () => inTurn(writeServer),
    writeApp: () => inTurn(() => write(appFile, app(), () => {})),
  };
}

/**
 * A security manager types the path, and no file that others need may come to harm by it: it is in the data folder, or the operator has
 * made an empty file there, or has put our frame into one.
 */
const isOurs = (path: string, before: string | undefined, isInData: boolean): boolean =>
  isNamed(path) && (isInData || (before !== undefined && isFree(before)));

const isNamed = (path: string): boolean => path.startsWith('/') && path.endsWith('.conf');
const isFree = (file: string): boolean => file.trim() === '' || isFramedIn(file);

function serverText(dialect: Dialect, ruled: Ruled): string {
  return framed(dialect === 'apache' ? apacheParts(ruled) : nginxParts(ruled));
}

async function ruledBy({ settings, switches, newestBans, isAuthorised, paths }: Needs): Promise<Ruled> {
  const bans = switches.isRunning('ban-users') ? settings.of('ban-users') : undefined;
  const listed = bans?.enable_ban_lists ? bans : undefined;
  const hosts = listed ? await newestBans(listed.server_config_limit) : [];
  const tweaks = settings.of('system-tweaks');
  const still = { uploads_php: paths.uploads, plugins_php: paths.plugins, themes_php: paths.themes };
  return {
    paths,
    badBots: bans?.default ? badBots : [],
    agents: listed?.agent_list ?? [],
    hosts: hosts.filter((host) => !isAuthorised(host)),
    protectsFiles: tweaks.protect_files,
    hidesListings: tweaks.directory_browsing,
    still: Object.fromEntries(keysOf(still).flatMap((name) => (tweaks[name] ? [[name, still[name]]] : []))),
    refusesLegacyRpc: settings.of('core-tweaks').disable_xmlrpc === 'disable',
  };
}

const appText = ({ settings, switches }: Needs): string =>
  framed(
    appParts({
      closesEditor: settings.of('core-tweaks').file_editor,
      forcesHttps: switches.isRunning('ssl'),
    }),
  );

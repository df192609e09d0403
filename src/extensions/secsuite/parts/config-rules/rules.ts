// The rules that follow from the settings: for the server in front of the site, and for the program. Read, or written to their files.
import { Problem } from '#kernel/problem.ts';
import { badBots } from '../../bans/bad-bots.ts';
import { apacheParts } from './apache.ts';
import { framed, isFramedIn, type Part, replacedIn } from './framed.ts';
import { literal } from './literal.ts';
import type { Dialect, Paths, Ruled } from './ruled.ts';
import { below, hostsOf, isPlain, patternsOf, runnable, secretFiles } from './ruled.ts';

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
  /** Whether the file had to be changed; then the server is to be told to read it again. */
  writeServer(): Promise<boolean>;
  writeApp(): Promise<boolean>;
}

interface Needs {
  readonly settings: { of(module: string): Readonly<Record<string, unknown>> };
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
    const path = String(settings.of('global').nginx_file);
    if (await files.isServed(path)) {
      await takenOut(path);
      throw servedFile(path);
    }
    const text = await server();
    return write(path, text, (before) => {
      if (!isOurs(path, before, files.isWithin(data, path))) throw othersFile(path);
    });
  };
  return {
    get: async () => ({ server: await server(), wp: app() }),
    writeServer: () => inTurn(writeServer),
    writeApp: () => inTurn(() => write(appFile, app(), () => {})),
  };
}

/**
 * The path is one that a person typed, so no file that others need may come to harm by it: it is in the data folder, or new, or empty, or
 * somebody has put our frame into it.
 */
const isOurs = (path: string, before: string | undefined, isInData: boolean): boolean =>
  path.startsWith('/') && path.endsWith('.conf') && (isInData || isFree(before));

const isFree = (file = ''): boolean => file.trim() === '' || isFramedIn(file);

const servedFile = (path: string): Problem =>
  new Problem(
    400,
    'secsuite.file-writing.served',
    `${path} is not written: it lies in the folder of uploaded files, which visitors can read. Set nginx_file to a path outside that folder.`,
  );

const othersFile = (path: string): Problem =>
  new Problem(
    400,
    'secsuite.file-writing.not-ours',
    `${path} is left as it is: the file for the rules has a full path that ends in .conf. Outside the data folder it is a new or empty file, or one that holds a block of the suite already.`,
  );

function serverText(dialect: Dialect, ruled: Ruled): string {
  return framed(dialect === 'apache' ? apacheParts(ruled) : nginxParts(ruled));
}

async function ruledBy({ settings, switches, newestBans, isAuthorised, paths }: Needs): Promise<Ruled> {
  const bans = switches.isRunning('ban-users') ? settings.of('ban-users') : {};
  const hasLists = bans.enable_ban_lists === true;
  const hosts = hasLists ? await newestBans(Number(bans.server_config_limit)) : [];
  const tweaks = settings.of('system-tweaks');
  const still = { uploads_php: paths.uploads, plugins_php: paths.plugins, themes_php: paths.themes };
  return {
    paths,
    badBots: bans.default === true ? badBots : [],
    agents: hasLists ? textsOf(bans.agent_list) : [],
    hosts: hosts.filter((host) => !isAuthorised(host)),
    protectsFiles: tweaks.protect_files === true,
    hidesListings: tweaks.directory_browsing === true,
    still: Object.fromEntries(Object.entries(still).filter(([name]) => tweaks[name] === true)),
    refusesLegacyRpc: settings.of('core-tweaks').disable_xmlrpc === 'disable',
  };
}

const appText = ({ settings, switches }: Needs): string =>
  framed(
    appParts({
      closesEditor: settings.of('core-tweaks').file_editor === true,
      forcesHttps: switches.isRunning('ssl'),
    }),
  );

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

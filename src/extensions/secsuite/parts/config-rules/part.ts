// Rules for the web server in front of the site, and scripts that the site itself refuses.

import { join } from 'node:path';
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import { decodedPath } from '#kernel/table.ts';
import { keysOf } from '#lib/objects.ts';
import { hour } from '#lib/spans.ts';
import type { Services, Toolkit } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import { blockOf } from '../../addresses/block.ts';
import * as texts from '../../disk/texts.ts';
import type { Module, SettingsOf, ToolCard } from '../../module.ts';
import { part } from '../../part.ts';
import { flag, settingsCard } from '../../setting-schemas.ts';
import type { ModuleId, ModuleSettings, Settings, Values } from '../../settings/types.ts';
import type { Shared } from '../../shared.ts';
import type { Switches } from '../../switches/switches.ts';
import type { Doing, Ran } from '../../tools/tools.ts';
import { baseOf, runnable } from './ruled.ts';
import { type ConfigRules, configRulesErrors, createConfigRules } from './rules.ts';

/** The rule files are written again as soon as a setting or ban they contain changes, not only every hour. */
interface UpkeepDeps {
  readonly settings: Pick<Settings, 'effect'>;
  readonly switches: Pick<Switches, 'onSwitched'>;
  /** Has them written, where they may be. */
  write(): Promise<unknown>;
  /** It could not be done now. The next hour does it. */
  failed(error: unknown): void;
}

/** Modules that rules follow from while they are on. */
const switched = ['ban-users', 'ssl'];
/** Settings that rules follow from, by module; of some modules it is all of them. */
const rested: { readonly [K in ModuleId]?: 'all' | readonly (keyof ModuleSettings[K])[] } = {
  'ban-users': 'all',
  'system-tweaks': 'all',
  'core-tweaks': ['file_editor', 'disable_xmlrpc'],
};

function keepUp({ settings, switches, failed, ...needs }: UpkeepDeps): void {
  /** Nothing is kept from being switched by it. */
  const write = async () => void (await needs.write().catch(failed));
  for (const id of switched) switches.onSwitched(id, { activated: write, deactivated: write });
  for (const id of keysOf(rested)) {
    const names: 'all' | readonly string[] | undefined = rested[id];
    settings.effect(id, async (before: Values, after: Values) => {
      if (names === 'all' || names?.some((name) => before[name] !== after[name])) await write();
    });
  }
  settings.effect('global', async (before, after) => {
    const isMoved = before.nginx_file !== after.nginx_file;
    if (after.write_files && (!before.write_files || isMoved)) await write();
  });
}

/** Scripts among the uploads are sent to nobody, whatever server stands in front. */
interface Needs {
  /** Path of uploaded files, without slashes around it. */
  readonly uploads: string;
  isOn(): boolean;
}

const script = new RegExp(runnable, 'i');

const refusingScripts = ({ uploads, isOn }: Needs): Guard => ({
  whenFailing: 'closed',
  isNeeded: isOn,
  onConnect({ url }) {
    const path = url.split('?', 1)[0]!;
    if (!path.startsWith(`/${uploads}/`) || !script.test(decodedPath(path))) return undefined;
    return { problem: configRulesErrors.scriptRefused() };
  },
});

type RuleDeps = Pick<Shared, 'settings' | 'bans' | 'client' | 'files' | 'paths' | 'defends'>;

const createSuiteRules = (
  { site, operator }: Services,
  { settings, bans, client, files, paths: { isServed }, defends }: RuleDeps,
) =>
  createConfigRules({
    settings,
    switches: { isRunning: defends },
    files: { ...texts, replace: files.replace, isServed },
    dialect: operator.security.front,
    data: operator.data,
    newestBans: async (most) => (await bans.newest(most)).map(({ host }) => host),
    isAuthorised: (host) => client.authorised.isAuthorised(blockOf(host)!),
    paths: {
      base: baseOf(site.url),
      uploads: operator.uploadsPath,
      plugins: 'wp-content/plugins',
      themes: 'wp-content/themes',
    },
    appFile: join(operator.data, 'app.env.rules'),
  });

const ruleTools = (rules: Pick<ConfigRules, 'writeServer' | 'writeApp'>): Readonly<Record<string, Doing>> => ({
  'server-config-rules': {
    run: async () => written(await rules.writeServer(), 'Reload the configuration of the web server.'),
  },
  'wp-config-rules': {
    run: async () => written(await rules.writeApp(), 'Restart Gatehouse to use the new rules.'),
  },
});

const written = (isChanged: boolean, next: string): Ran =>
  isChanged ? { success: ['The rules were written.'], info: [next] } : { success: ['The rules are up to date.'] };

const whileWriting: ToolCard['condition'] = {
  description: 'Turn on **Write rule files** first.',
  settings: { global: { type: 'object', properties: { write_files: { type: 'boolean', enum: [true] } } } },
};

const fileWriting: Module = {
  id: 'file-writing',
  type: 'tool',
  standing: 'always-active',
  title: 'Rule files',
  description: '',
  tools: {
    'server-config-rules': {
      title: 'Write the rules of the web server',
      description: 'Writes the rules for the web server in front of the site into its rule file.',
      schedule: 'flush-files',
      condition: whileWriting,
    },
    'wp-config-rules': {
      title: 'Write the rules of Gatehouse',
      description: 'Writes the start settings of Gatehouse into its rule file.',
      schedule: 'flush-files',
      condition: whileWriting,
    },
  },
};

const inFront = 'The web server in front of the site does this after it has read the rule file.';
const none = (folder: string): string =>
  `${inFront} It refuses scripts in the folder of ${folder}. The site itself serves no files from this folder.`;

const systemTweaks = {
  id: 'system-tweaks',
  type: 'advanced',
  standing: 'always-active',
  title: 'System files',
  description: 'Lets the web server in front of the site refuse files that visitors do not need.',
  help: 'The site itself refuses scripts among the uploads. The other rules work only after the web server in front of the site has read the rule file.',
  settings: settingsCard({
    properties: {
      protect_files: flag(true, 'Protect system files', `${inFront} It refuses hidden files, keys and configurations.`),
      directory_browsing: flag(true, 'No folder listings', `${inFront} It does not list the files of folders.`),
      uploads_php: flag(
        true,
        'No scripts among uploads',
        'The site refuses uploads with the file name of a script, such as .php. The web server in front of the site refuses them too, after it has read the rule file.',
      ),
      plugins_php: flag(true, 'No scripts among extensions', none('extensions')),
      themes_php: flag(true, 'No scripts among themes', none('themes')),
    },
    uiSchema: {
      'ui:sections': [
        { title: 'Access to files', fields: ['protect_files', 'directory_browsing'] },
        { title: 'Scripts', fields: ['uploads_php', 'themes_php', 'plugins_php'] },
      ],
    },
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'system-tweaks': SettingsOf<typeof systemTweaks>;
  }
}

interface Use {
  readonly configRules: ConfigRules;
}

export const configRulesRoutes = ({ route, t }: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] => [
  route({
    method: 'GET',
    path: 'file-writing/get-config-rules',
    summary: 'Get the rules for the web server and for Gatehouse',
    access: manager,
    answers: { 200: t.object({ server: t.string(), wp: t.string() }) },
    handle: ({ use }) => use.configRules.get(),
  }),
];

export const configRulesPart = part({
  name: 'config-rules',
  errors: configRulesErrors,
  modules: [fileWriting, systemTweaks],
  make: (services, shared) => {
    const { settings, switches, tools, defends } = shared;
    keepUp({
      settings,
      switches,
      write: () => tools.runLater('flush-files'),
      failed: (error) =>
        services.log.warn({ err: error }, 'Rules could not be written at once. Retrying within 1 hour.'),
    });
    const configRules = createSuiteRules(services, shared);
    settings.check('global', async ({ before, after }) =>
      after.nginx_file === before.nginx_file || (await configRules.mayWrite(after.nginx_file))
        ? []
        : [configRulesErrors.badFile()],
    );
    return {
      configRules,
      scriptGuard: refusingScripts({
        uploads: services.operator.uploadsPath,
        isOn: () => defends('system-tweaks') && settings.of('system-tweaks').uploads_php,
      }),
    };
  },
  guards: ({ scriptGuard }) => [scriptGuard],
  start: async ({ paths, tools }) => {
    if ((await paths.served()).includes('global.nginx_file')) await tools.runLater('flush-files');
  },
  tools: ({ configRules }) => ruleTools(configRules),
  jobs: {
    kinds: [],
    schedules: [{ name: 'security-suite.flush-files', every: hour, add: ({ tools }) => tools.runLater('flush-files') }],
  },
  routes: ({ tools, gate }) => ({ rpc: configRulesRoutes(tools, gate.manager) }),
});

// Files of the site that changed.

import { join } from 'node:path';
import type { Route } from '#kernel/route.ts';
import { day } from '#lib/spans.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Place } from '../../disk/walking.ts';
import type { Gate } from '../../groups/manage.ts';
import { about } from '../../logs/named.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { whileRunning } from '../../notifications/notification.ts';
import { part } from '../../part.ts';
import { flag, noted, settingsCard } from '../../setting-schemas.ts';
import { createFileChange } from './file-change.ts';
import { entriesBelow } from './file-tree.ts';
import { fileMigrations, quietFileTables } from './tables.ts';

/** Files of these kinds come and go, and do nothing. */
const harmless = [
  ...['.log', '.mo', '.po'],
  ...['.bmp', '.gif', '.ico', '.jpe', '.jpeg', '.jpg', '.png', '.psd', '.raw', '.svg', '.tif', '.tiff'],
  ...['.aif', '.flac', '.m4a', '.mp3', '.oga', '.ogg', '.ra', '.wav', '.wma'],
  ...['.asf', '.avi', '.mkv', '.mov', '.mp4', '.mpe', '.mpeg', '.mpg', '.ogv', '.qt', '.rm', '.vob', '.webm'],
  ...['.wm', '.wmv'],
];

const fileChange = {
  id: 'file-change',
  type: 'site-check',
  standing: 'default-inactive',
  title: 'Changed files',
  description: 'Checks every day whether files were added, changed or removed, and reports changes.',
  help: 'An unexpected change of a file can be the sign of an attack.',
  settings: settingsCard({
    properties: {
      file_list: {
        type: 'array',
        items: { type: 'string', format: 'relative-file-path' },
        uniqueItems: true,
        default: [],
        title: 'Excluded files and folders',
        description: 'Changes in them are not reported.',
      },
      types: {
        type: 'array',
        items: { type: 'string', pattern: '^(\\.[^.]+)+$' },
        default: harmless,
        title: 'Excluded file types',
        description: 'One file extension on each line.',
      },
      compare_file_hashes: flag(
        true,
        'Compare with the published files',
        'Files that are the same as the published files are not reported.',
      ),
      expected_hashes: {
        type: 'object',
        additionalProperties: { type: 'string', pattern: '^[a-f0-9]{32}$', format: 'file-path' },
        default: {},
        readonly: true,
      },
      last_scan: noted,
    },
    uiSchema: {
      file_list: { 'ui:field': 'FileTreeField' },
      types: { 'ui:field': 'TextareaListField', 'ui:rows': 10 },
      'ui:sections': [
        { title: 'Exclusions', fields: ['file_list', 'types'] },
        { title: 'Published files', fields: ['compare_file_hashes'] },
      ],
    },
    conditional: { compare_file_hashes: { 'install-type': 'pro' } },
    ours: ['last_scan'],
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    'file-change': SettingsOf<typeof fileChange>;
  }
}

/** Where files are that change only when somebody changes them: the program, the extensions, and the rules that the suite writes. */
const program = `${join(import.meta.dirname, '../../../../..')}/`;

/** Histories and figures that come with working on the program. */
const restless = new Set(['.git', '.cache', 'node_modules/.cache']);
const ruled = /\.(?:conf|rules|env|json)$/;

const placesOf = (data: string): Place[] => [
  {
    folder: program,
    name: 'program',
    takes: (path) => !restless.has(path) && !`${program}${path}/`.startsWith(data.replace(/\/*$/, '/')),
  },
  {
    folder: data,
    name: 'data',
    takes: (path, isFolder) =>
      path.startsWith('extensions/') || (isFolder ? path === 'extensions' : !path.includes('/') && ruled.test(path)),
  },
];

interface TreeUse {
  readonly comparedPlaces: readonly Place[];
}

const treeRoutes = ({ route, t, withStatus }: Toolkit<TreeUse>, { manager }: Pick<Gate, 'manager'>): Route[] => [
  route({
    method: 'GET',
    path: 'file-change/file-tree',
    summary: 'List the files and folders of a folder whose changes are reported',
    access: manager,
    hidden: true,
    args: { directory: t.string({ maxLength: 4096 }) },
    answers: { 200: t.list(t.object({ id: t.string(), label: t.string(), children: t.boolean() })) },
    handle: async ({ args, use }) => withStatus(200, await entriesBelow(use.comparedPlaces, args.directory)),
  }),
];

export const fileChangePart = part({
  name: 'file-change',
  modules: [fileChange],
  tables: { migrations: fileMigrations, quiet: quietFileTables },
  notifications: [
    {
      slug: 'file-change',
      ...whileRunning('file-change'),
      recipient: 'user-list',
      label: 'Changed files',
      description: 'Lists the files that were added, changed or removed.',
      subject: 'Files of your site have changed',
      optional: true,
    },
  ],
  logged: {
    file_change: {
      label: 'File changes',
      codes: {
        scan: 'Files are compared',
        'changes-found': about('Files have changed'),
        'no-changes-found': 'No file has changed',
        'file-scan-aborted': 'The comparison of files was stopped',
      },
    },
  },
  highlights: {
    'file-change-report': {
      module: 'file-change',
      title: 'Files have changed',
      message: 'Files of this site were added, changed or removed. <a href="{{ $view }}">See which</a>.',
      found: { modules: ['file_change'], codes: ['changes-found%'] },
    },
  },
  make: (services, { settings, switches, logs, center, files, tasks }) => {
    const fileChanges = createFileChange({
      ...services,
      settings,
      logs,
      send: center.send,
      places: placesOf(services.operator.data),
      version: services.program.version,
      isRunning: () => switches.isRunning('file-change'),
    });
    files.beforeWrite(fileChanges.means);
    switches.onSwitched('file-change', {
      activated: async () => void (await tasks.start('file-change')),
      deactivated: () => tasks.cancel('file-change'),
    });
    return { fileChanges, comparedPlaces: placesOf(services.operator.data) };
  },
  routes: ({ tools, gate, isRunning }) => ({ rpc: isRunning('file-change') ? treeRoutes(tools, gate) : [] }),
  tasks: [
    {
      name: 'file-change',
      every: day,
      module: 'file-change',
      run: ({ fileChanges }, signal) => fileChanges.scan(signal),
    },
  ],
});

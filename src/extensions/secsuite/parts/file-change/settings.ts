// Files that changed without anybody having changed them.
import type { Module } from '../../module.ts';
import { flag, noted, settingsCard } from '../../setting-schemas.ts';

/** Files of these kinds come and go, and do nothing. */
const harmless = [
  ...['.log', '.mo', '.po'],
  ...['.bmp', '.gif', '.ico', '.jpe', '.jpeg', '.jpg', '.png', '.psd', '.raw', '.svg', '.tif', '.tiff'],
  ...['.aif', '.flac', '.m4a', '.mp3', '.oga', '.ogg', '.ra', '.wav', '.wma'],
  ...['.asf', '.avi', '.mkv', '.mov', '.mp4', '.mpe', '.mpeg', '.mpg', '.ogv', '.qt', '.rm', '.vob', '.webm'],
  ...['.wm', '.wmv'],
];

export const fileChange: Module = {
  id: 'file-change',
  type: 'site-check',
  standing: 'default-inactive',
  title: 'Changed files',
  description: 'Looks every day whether files were added, changed or removed, and says so.',
  help: 'Even the best guard may be passed once. A file that changed by itself is how you notice it.',
  settings: settingsCard({
    properties: {
      file_list: {
        type: 'array',
        items: { type: 'string', format: 'relative-file-path' },
        uniqueItems: true,
        default: [],
        title: 'Files and folders that are left out',
        description: 'Changes in them are not looked at.',
      },
      types: {
        type: 'array',
        items: { type: 'string', pattern: '^(\\.[^.]+)+$' },
        default: harmless,
        title: 'Kinds of files that are left out',
        description: 'One a line, as the name ends.',
      },
      compare_file_hashes: flag(
        true,
        'Compare with what was published',
        'A file that is exactly as its maker published it is not reported.',
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
        { title: 'What is left out', fields: ['file_list', 'types'] },
        { title: 'Published files', fields: ['compare_file_hashes'] },
      ],
    },
    conditional: { compare_file_hashes: { 'install-type': 'pro' } },
    ours: ['last_scan'],
  }),
};

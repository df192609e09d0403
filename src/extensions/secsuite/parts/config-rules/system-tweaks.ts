// Files that nobody from outside has to see or to run.
import type { Module } from '../../module.ts';
import { flag, settingsCard } from '../../setting-schemas.ts';

const inFront = 'The web server in front does this, once it has read the rule file.';
const none = (folder: string): string =>
  `${inFront} It refuses scripts in the folder of ${folder}. The site itself serves nothing from such a folder.`;

export const systemTweaks: Module = {
  id: 'system-tweaks',
  type: 'advanced',
  standing: 'always-active',
  title: 'Files of the system',
  description: 'Has the web server in front refuse files that nobody from outside needs.',
  help: 'The site itself refuses scripts among the uploads. The other rules are text for the web server in front, and do nothing until it has read the rule file.',
  settings: settingsCard({
    properties: {
      protect_files: flag(
        true,
        'Protect files of the system',
        `${inFront} It refuses hidden files, keys and configurations.`,
      ),
      directory_browsing: flag(true, 'No lists of folders', `${inFront} It shows nobody what is in a folder.`),
      uploads_php: flag(
        true,
        'No scripts among uploads',
        'The site sends no file from the uploads whose name ends as scripts do, such as .php, and runs none. The web server in front refuses them too, once it has read the rule file.',
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
};

// Files that nobody from outside has to see or to run.
import type { Module } from '../module.ts';
import { flag, settingsCard } from './card.ts';

const where = (folder: string): string => `No script is run that lies in the folder of ${folder}.`;

export const systemTweaks: Module = {
  id: 'system-tweaks',
  type: 'advanced',
  standing: 'always-active',
  title: 'Files of the system',
  description: 'Has the web server in front refuse files that nobody from outside needs.',
  help: 'These rules hold once they are in the configuration of the web server. The service itself serves no such file anyway.',
  settings: settingsCard({
    properties: {
      protect_files: flag(true, 'Protect files of the system', 'Hidden files, keys and configurations are refused.'),
      directory_browsing: flag(true, 'No lists of folders', 'The web server shows nobody what is in a folder.'),
      uploads_php: flag(true, 'No scripts among uploads', where('uploads')),
      plugins_php: flag(true, 'No scripts among extensions', where('extensions')),
      themes_php: flag(true, 'No scripts among themes', where('themes')),
    },
    uiSchema: {
      'ui:sections': [
        { title: 'Access to files', fields: ['protect_files', 'directory_browsing'] },
        { title: 'Scripts', fields: ['uploads_php', 'themes_php', 'plugins_php'] },
      ],
    },
  }),
};

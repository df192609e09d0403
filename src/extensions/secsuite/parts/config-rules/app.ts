// What the program itself is told, a line of its environment each.
import type { Part } from './framed.ts';

export interface Told {
  readonly closesEditor: boolean;
  readonly forcesHttps: boolean;
}

export const appParts = ({ closesEditor, forcesHttps }: Told): Part[] => [
  { setting: 'core-tweaks.file_editor', lines: closesEditor ? ['FILE_EDITOR_DISABLED=true'] : [] },
  { setting: 'ssl', lines: forcesHttps ? ['FORCE_HTTPS=true'] : [] },
];

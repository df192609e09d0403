import { fieldsOf } from '#site/platform/settings/group.ts';
import { flagNames } from '../../config.ts';
import type { Command } from '../command.ts';
import { inSite } from '../opened.ts';
import { changeableIn, groupIn, groupWord, nameWord } from './fields.ts';

export const command: Command = {
  name: 'settings reset',
  about: 'Goes back to the default of a setting, or of every setting of a group.',
  settings: flagNames,
  words: [groupWord, { ...nameWord, optional: true }],
  run: (ask) =>
    inSite(ask, async ({ settings }) => {
      const group = groupIn(ask, settings);
      const one = ask.words[nameWord.name];
      if (one !== undefined) changeableIn(one, group);
      const names = one === undefined ? fieldsOf(group).map(([name]) => name) : [one];
      await settings.change(group, Object.fromEntries(names.map((name) => [name, null])), 0);
      ask.out(`${one === undefined ? `Every setting of ${group.name}` : `${group.name}.${one}`} is its default now.`);
    }),
};

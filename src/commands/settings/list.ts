import { printableJson } from '#lib/printable.ts';
import { flagNames } from '../../config.ts';
import { type Command, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { aligned } from '../table.ts';
import { shownOf } from './fields.ts';

export const command: Command = {
  name: 'settings list',
  about: 'Lists the groups of settings, and which of them differ from their defaults.',
  settings: flagNames,
  options: { json },
  run: (ask) =>
    inSite(ask, async ({ settings }) => {
      const rows: { group: string; differs: string[] }[] = [];
      for (const group of settings.groups) {
        const differing = shownOf(group, await settings.read(group)).filter(({ differs }) => differs);
        rows.push({ group: group.name, differs: differing.map(({ name }) => name) });
      }
      if (ask.options.json !== undefined) return ask.out(printableJson(rows));
      const cells = rows.map(({ group, differs }) => [group, differs.join(', ') || 'nothing']);
      for (const line of aligned([['GROUP', 'DIFFERS FROM ITS DEFAULT'], ...cells])) ask.out(line);
    }),
};

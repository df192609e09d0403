import { printable, printableJson } from '#lib/printable.ts';
import { flagNames } from '../../config.ts';
import { type Ask, type Command, json } from '../command.ts';
import { inSite } from '../opened.ts';
import { aligned } from '../table.ts';
import { cellOf, fieldIn, groupIn, groupWord, nameWord, type Shown, shownOf } from './fields.ts';

const heads = ['NAME', 'VALUE', 'DIFFERS'];

function linesOf(shown: readonly Shown[], one: string | undefined, { options }: Ask): string[] {
  const [only] = shown;
  if (options.json !== undefined) return [printableJson(one === undefined ? shown : only)];
  if (one !== undefined && only !== undefined) return [cellOf(only)];
  const rows = shown.map((field) => [printable(field.name), cellOf(field), field.differs ? 'yes' : '']);
  return aligned([heads, ...rows]);
}

export const command: Command = {
  name: 'settings show',
  about: 'Shows the settings of a group, or the value of one alone. What is confidential is not shown.',
  settings: flagNames,
  words: [groupWord, { ...nameWord, optional: true }],
  options: { json },
  run: (ask) =>
    inSite(ask, async ({ settings }) => {
      const group = groupIn(ask, settings);
      const one = ask.words[nameWord.name];
      if (one !== undefined) fieldIn(one, group);
      const shown = shownOf(group, await settings.read(group));
      const wanted = one === undefined ? shown : shown.filter(({ name }) => name === one);
      for (const line of linesOf(wanted, one, ask)) ask.out(line);
    }),
};

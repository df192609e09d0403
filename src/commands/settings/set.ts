import { Problem } from '#kernel/problem.ts';
import { flagNames } from '../../config.ts';
import { type Command, given, WrongUse } from '../command.ts';
import { inSite } from '../opened.ts';
import { cellOf, changeableIn, groupIn, groupWord, nameWord, shownOf } from './fields.ts';
import { valueIn, valueWord } from './value.ts';

/** What the setting does not take was wrong on the command line. */
function asWrongUse(error: unknown): never {
  throw error instanceof Problem ? new WrongUse(error.message) : error;
}

export const command: Command = {
  name: 'settings set',
  about: `Changes a setting. What is confidential is asked for, or read from the first line of standard input, and not shown
again.`,
  settings: flagNames,
  words: [groupWord, nameWord, { ...valueWord, optional: true, empty: true }],
  run: (ask) =>
    inSite(ask, async ({ settings }) => {
      const group = groupIn(ask, settings);
      const name = given(ask.words, nameWord.name);
      const field = changeableIn(name, group);
      const value = await valueIn(ask, name, field);
      const before = new Map(shownOf(group, await settings.read(group)).map((one) => [one.name, cellOf(one)]));
      const after = await settings.change(group, { [name]: value }, 0).catch(asWrongUse);
      // Some take others along.
      for (const shown of shownOf(group, after)) {
        const cell = cellOf(shown);
        if (shown.name === name || cell !== before.get(shown.name))
          ask.out(`${group.name}.${shown.name} is ${cell || 'empty'} now.`);
      }
    }),
};
